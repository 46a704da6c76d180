package dispatch

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What was found out of a repository is known in the same state of it alone, and in no other repository.
func TestKnown(t *testing.T) {
	r := &Request{Home: t.TempDir(), Root: t.TempDir(), Now: time.Now()}
	var n int
	require.False(t, r.Known("health", "a", &n))
	r.Know("health", "a", 7)
	require.False(t, r.Known("health", "a", &n), "it is stored once the reply is given")
	require.NoError(t, r.Finish(t.Context()))
	require.True(t, r.Known("health", "a", &n))
	require.Equal(t, 7, n)
	require.False(t, r.Known("health", "b", &n))
	require.False(t, r.Known("other", "a", &n))
	other := &Request{Home: r.Home, Root: t.TempDir(), Now: r.Now}
	require.False(t, other.Known("health", "a", &n))

	info, err := os.Stat(r.knownFile("health"))
	require.NoError(t, err)
	require.True(t, info.Mode().Perm() == 0o600 || runtime.GOOS == "windows")
	for _, src := range []string{"", "no JSON", `{"state":"a","value":"seven"}`, `{"state":"a"}`} {
		require.NoError(t, os.WriteFile(r.knownFile("health"), []byte(src), 0o600))
		require.False(t, r.Known("health", "a", &n), src)
	}

	trial := &Request{Home: t.TempDir(), Root: r.Root, Now: r.Now}
	trial.Homeless = true
	trial.Know("health", "a", 7)
	require.NoError(t, trial.Finish(t.Context()))
	require.NoDirExists(t, filepath.Join(trial.Home, knownFolder))
}

package home_test

import (
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/home"
)

// Each folder has a name of its own, which stays the same for all callers.
func TestMachine(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "home")
	names := make([]string, 8)
	var all sync.WaitGroup
	for i := range names {
		all.Go(func() { names[i] = home.Machine(dir) })
	}
	all.Wait()
	for _, name := range names {
		require.Regexp(t, `^[0-9a-f]{16}$`, name)
		require.Equal(t, names[0], name)
	}
	require.NotEqual(t, names[0], home.Machine(t.TempDir()), "on one host")
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, files, 1)
	if runtime.GOOS != "windows" {
		info, err := files[0].Info()
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	}
}

// If there can be no name the host name is returned, and nothing is changed.
func TestMachineThatHasNoName(t *testing.T) {
	host, err := os.Hostname()
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	require.Equal(t, host, home.Machine(file))
	require.Equal(t, host, home.Machine(""))
	for _, text := range []string{"", "ab\n", "not of ours\n"} {
		dir := t.TempDir()
		name := filepath.Join(dir, "machine")
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
		require.Equal(t, host, home.Machine(dir))
		src, err := os.ReadFile(name)
		require.NoError(t, err)
		require.Equal(t, text, string(src))
	}
}

package remember_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Settings of a repository are read if these are of the size that somebody writes.
func TestSettingsOfARepositoryTakeNoTime(t *testing.T) {
	for size, off := range map[int]bool{0: true, 300 << 10: false} {
		l := newLearner(t)
		home := t.TempDir()
		l.settings["HOME"] = home
		for folder, on := range map[string]string{home: "true", l.dir: "false"} {
			name := filepath.Join(folder, ".claude", "settings.json")
			require.NoError(t, os.Mkdir(filepath.Dir(name), 0o700))
			text := `{"enabledPlugins": {"whence@x": ` + on + `}}` + strings.Repeat(" ", size)
			require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
		}
		require.Equal(t, off, !strings.Contains(l.begin("s1"), "store_memory"))
	}
}

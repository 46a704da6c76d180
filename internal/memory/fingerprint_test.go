package memory_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/memory"
)

var layout = memory.Layout{Index: "agents/index.md", Decisions: []string{"agents/decisions/*.md", "docs/d.md"}}

func take(t *testing.T, tree fs.FS) string {
	t.Helper()
	f, err := memory.Fingerprint(tree, layout)
	require.NoError(t, err)
	return f
}

func TestFingerprintTellsStatesApart(t *testing.T) {
	a := filepath.Join("agents", "decisions", "a.md")
	for name, change := range map[string]struct {
		run  func(t *testing.T, dir string)
		same bool
	}{
		"nothing":     {func(*testing.T, string) {}, true},
		"other files": {func(t *testing.T, dir string) { write(t, filepath.Join(dir, "agents", "x.md"), "x") }, true},
		"longer":      {func(t *testing.T, dir string) { write(t, filepath.Join(dir, a), "## longer than before\n") }, false},
		"the index":   {func(t *testing.T, dir string) { write(t, filepath.Join(dir, "agents", "index.md"), "## i\n") }, false},
		"one more":    {func(t *testing.T, dir string) { write(t, filepath.Join(dir, "docs", "d.md"), "") }, false},
		"one less":    {func(t *testing.T, dir string) { require.NoError(t, os.Remove(filepath.Join(dir, a))) }, false},
		"another name": {func(t *testing.T, dir string) {
			require.NoError(t, os.Rename(filepath.Join(dir, a), filepath.Join(dir, "agents", "decisions", "c.md")))
		}, false},
		"another time": {func(t *testing.T, dir string) {
			at := time.Now().Add(-time.Hour)
			require.NoError(t, os.Chtimes(filepath.Join(dir, a), at, at))
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for _, name := range []string{"agents/decisions", "docs"} {
				require.NoError(t, os.MkdirAll(filepath.Join(dir, name), 0o755))
			}
			write(t, filepath.Join(dir, "agents", "index.md"), "# index\n")
			write(t, filepath.Join(dir, a), "## a.md\n")
			before := take(t, os.DirFS(dir))
			require.NotEmpty(t, before)
			change.run(t, dir)
			require.Equal(t, change.same, take(t, os.DirFS(dir)) == before)
		})
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
}

func TestFingerprintOfNoMemory(t *testing.T) {
	require.Empty(t, take(t, tree("README.md")))
}

package when_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/when"
)

// The documents mention no query that the example memory does not answer. (The commands of the
// README are typed by internal/test/e2e.)
func TestDocumentsMentionWhatThereIs(t *testing.T) {
	names, err := filepath.Glob("../docs/*.md")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	l, err := when.Open(os.DirFS("../examples/ferry"), config.Default())
	require.NoError(t, err)
	for _, name := range append(names, "../CHANGELOG.md") {
		switch filepath.Base(name) {
		case "remember.md", "adopt.md": // they add decisions first; other tests run what they say
			continue
		case "grammar.md": // it has lines that are not entries
			continue
		}
		src, err := os.ReadFile(name)
		require.NoError(t, err)
		found, err := l.Check(name, src)
		require.NoError(t, err)
		require.Empty(t, found)
	}
}

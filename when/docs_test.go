package when_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/when"
)

// The example of recall in its document prints what is shown, and that of the README prints
// something.
func TestDocumentedRecall(t *testing.T) {
	recall := func(args ...string) string {
		var stdout, stderr strings.Builder
		status := when.Main(cli.Env{
			Args: append([]string{"memory-when", "recall"}, args...), Dir: "../examples/ferry",
			Getenv: func(string) string { return "" }, Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr,
		})
		require.Zero(t, status, stderr.String())
		return stdout.String()
	}
	src, err := os.ReadFile("../docs/recall.md")
	require.NoError(t, err)
	shown := regexp.MustCompile("(?ms)^````console\n\\$ memory-when recall (--explain )?'([^']*)'\n(.*?)^````$").FindStringSubmatch(string(src))
	require.NotNil(t, shown)
	require.Equal(t, shown[3], recall(append(strings.Fields(shown[1]), shown[2])...))

	src, err = os.ReadFile("../README.md")
	require.NoError(t, err)
	typed := regexp.MustCompile("(?m)^memory-when recall '([^']*)'").FindStringSubmatch(string(src))
	require.NotNil(t, typed)
	require.NotEmpty(t, recall(typed[1]))
}

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
		case "grammar.md": // it has lines that are no entries
			continue
		}
		src, err := os.ReadFile(name)
		require.NoError(t, err)
		found, err := l.Check(name, src)
		require.NoError(t, err)
		require.Empty(t, found)
	}
}

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

// The examples of recall in documents print what is shown.
func TestDocumentedRecall(t *testing.T) {
	for _, name := range []string{"../docs/recall.md", "../README.md"} {
		t.Run(filepath.Base(name), func(t *testing.T) {
			src, err := os.ReadFile(name)
			require.NoError(t, err)
			example := regexp.MustCompile("(?ms)^````console\n\\$ memory-when recall (--explain )?'([^']*)'\n(.*?)^````$").FindStringSubmatch(string(src))
			require.NotNil(t, example)
			args := append([]string{"memory-when", "recall"}, strings.Fields(example[1])...)
			var stdout, stderr strings.Builder
			status := when.Main(cli.Env{
				Args: append(args, example[2]), Dir: "../examples/ferry",
				Getenv: func(string) string { return "" }, Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr,
			})
			require.Zero(t, status, stderr.String())
			require.Equal(t, example[3], stdout.String())
		})
	}
}

// The documents mention no query that the example memory does not answer. (The commands of the
// README are typed by internal/e2e.)
func TestDocumentsMentionWhatThereIs(t *testing.T) {
	names, err := filepath.Glob("../docs/*.md")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	l, err := when.Open(os.DirFS("../examples/ferry"), config.Default())
	require.NoError(t, err)
	for _, name := range append(names, "../CONTRIBUTING.md", "../CHANGELOG.md") {
		if filepath.Base(name) == "remember.md" {
			continue // it adds a decision first; its own test runs what it says
		}
		src, err := os.ReadFile(name)
		require.NoError(t, err)
		found, err := l.Check(name, src)
		require.NoError(t, err)
		require.Empty(t, found)
	}
}

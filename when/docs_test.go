package when_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/cli"
	"whence/when"
)

// The example of docs/recall.md prints what the document shows.
func TestDocumentedRecall(t *testing.T) {
	src, err := os.ReadFile("../docs/recall.md")
	require.NoError(t, err)
	example := regexp.MustCompile("(?ms)^````console\n\\$ memory-when recall --explain '([^']*)'\n(.*?)^````$").FindStringSubmatch(string(src))
	require.NotNil(t, example)
	var stdout, stderr strings.Builder
	status := when.Main(cli.Env{
		Args: []string{"memory-when", "recall", "--explain", example[1]}, Dir: "../examples/ferry",
		Getenv: func(string) string { return "" }, Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr,
	})
	require.Zero(t, status, stderr.String())
	require.Equal(t, example[2], stdout.String())
}

package shell_test

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/shell"
	"whence/internal/test/repotest"
)

// A shell turns a quoted word back into the original.
func TestQuote(t *testing.T) {
	repotest.Program(t, "sh")
	for _, word := range []string{"", "a b", "it's", `$HOME \ "x" $(id) ` + "`id`", "a\nb"} {
		out, err := exec.Command("sh", "-c", "printf %s "+shell.Quote(word)).Output()
		require.NoError(t, err)
		require.Equal(t, word, string(out))
	}
}

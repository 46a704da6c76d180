package cli_test

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/cli"
)

func TestCount(t *testing.T) {
	require.Equal(t, "1 entry", cli.Count(1, "entry", "entries"))
	require.Equal(t, "0 entries", cli.Count(0, "entry", "entries"))
	require.Equal(t, "12 entries", cli.Count(12, "entry", "entries"))
}

// A shell gives a quoted word back as it was.
func TestQuote(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no sh")
	}
	for _, word := range []string{"", "a b", "it's", `$HOME \ "x" $(id) ` + "`id`", "a\nb"} {
		out, err := exec.Command("sh", "-c", "printf %s "+cli.Quote(word)).Output()
		require.NoError(t, err)
		require.Equal(t, word, string(out))
	}
}

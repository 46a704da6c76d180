package text_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/text"
)

func TestWrap(t *testing.T) {
	for prose, want := range map[string]string{
		"":                     "",
		"one":                  "one",
		" one  two\tthree ":    "one two|three",
		"a überlanges b":       "a|überlanges|b",
		"éé éé éé":             "éé éé éé",
		"exactly1 eight ch 12": "exactly1|eight ch|12",
	} {
		require.Equal(t, want, strings.Join(text.Wrap(prose, 8), "|"), prose)
	}
}

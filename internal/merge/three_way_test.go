package merge_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/merge"
)

// Byte-order mark, line ends and the end of the last line are merged beside the text.
func TestFiles(t *testing.T) {
	for name, c := range map[string]struct {
		base, ours, theirs, want string
		conflicts                int
	}{
		"CRLF by one side":        {"a\nb\nc\n", "a\r\nb\r\nc\r\n", "a\nb\nC\n", "a\r\nb\r\nC\r\n", 0},
		"CRLF in all":             {"a\r\nb\r\nc\r\n", "A\r\nb\r\nc\r\n", "a\r\nb\r\nC\r\n", "A\r\nb\r\nC\r\n", 0},
		"conflict in CRLF":        {"a\r\n", "b\r\n", "c\r\n", "<<<<<<< ours\r\nb\r\n=======\r\nc\r\n>>>>>>> theirs\r\n", 1},
		"mixed line ends stay":    {"a\r\nb\nc\n", "A\r\nb\nc\n", "a\r\nb\nC\n", "A\r\nb\nC\n", 0},
		"byte-order mark added":   {"a\nb\nc\n", "\uFEFFa\nb\nc\n", "a\nb\nC\n", "\uFEFFa\nb\nC\n", 0},
		"byte-order mark removed": {"\uFEFFa\nb\nc\n", "\uFEFFA\nb\nc\n", "a\nb\nc\n", "A\nb\nc\n", 0},
		"no final line end":       {"a\nb\nc", "A\nb\nc", "a\nb\nC", "A\nb\nC", 0},
		"final line end added":    {"a\nb\nc", "A\nb\nc", "a\nb\nc\n", "A\nb\nc\n", 0},
		"marker at the end":       {"a", "b", "c", "<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n", 1},
		"without a base":          {"", "a\nb\n", "a\nb", "a\nb\n", 0},
		"emptied by one":          {"a\n", "", "b\n", "<<<<<<< ours\n=======\nb\n>>>>>>> theirs\n", 1},
	} {
		t.Run(name, func(t *testing.T) {
			got, conflicts := merge.Files([]byte(c.base), []byte(c.ours), []byte(c.theirs), merge.MarkerSize, &merge.Format{
				Cut: func(string) ([]merge.Piece, bool) { return nil, false },
			})
			require.Equal(t, c.want, string(got))
			require.Equal(t, c.conflicts, conflicts)
		})
	}
}

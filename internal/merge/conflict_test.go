package merge_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/merge"
)

// Each text, with what is found in it.
var texts = map[string]struct {
	text string
	want []string
}{
	"none":    {"# A\n\nTitle\n=======\n\n> quote\n", nil},
	"merge":   {"a\n<<<<<<< HEAD\nb\n=======\nc\nd\n>>>>>>> feature/x\ne\n", []string{`lines 2 to 7`}},
	"diff3":   {"<<<<<<< HEAD\nb\n||||||| 1a2b3c\nbase\n=======\n>>>>>>> x\n", []string{`lines 1 to 6`}},
	"nested":  {"<<<<<<< HEAD\nb\n||||||| base\n<<<<<<<<< Temporary merge branch 1\n1\n=========\n2\n>>>>>>>>> Temporary merge branch 2\n=======\nc\n>>>>>>> x\n", []string{`lines 1 to 11`}},
	"longer":  {"<<<<<<<<<< HEAD\nb\n=======\n==========\nc\n>>>>>>>>>> x\n", []string{`lines 1 to 6`}},
	"unnamed": {"<<<<<<<\nb\n=======\nc\n>>>>>>>\n", []string{`lines 1 to 5`}},
	"CRLF":    {"<<<<<<< HEAD\r\nb\r\n=======\r\nc\r\n>>>>>>> x\r\n", []string{`lines 1 to 5`}},
	"no end":  {"<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> x", []string{`lines 1 to 5`}},
	"setext":  {"<<<<<<< HEAD\nTitle\n=======\nb\n=======\nc\n>>>>>>> x\n", []string{`lines 1 to 7`}},
	"two":     {"<<<<<<< H\n=======\na\n>>>>>>> x\n<<<<<<< H\n=======\nb\n>>>>>>> x\n", []string{`lines 1 to 4`, `lines 5 to 8`}},

	"first half":   {"<<<<<<< HEAD\na\n=======\nb\n", []string{`lines 1 to 3`}},
	"second half":  {"a\n=======\nb\n>>>>>>> x\n", []string{`line 4`}},
	"begin alone":  {"<<<<<<< HEAD\na\n", []string{`line 1`}},
	"end alone":    {"a\n>>>>>>> x\n", []string{`line 2`}},
	"then a whole": {"<<<<<<< HEAD\na\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> x\n", []string{`line 1`, `lines 3 to 7`}},

	"quote":           {">>>>>>>\n>>>>>>>> deep\n<<<<<<<\n<<<<<<<<html\n", nil},
	"quote and end":   {"<<<<<<< HEAD\na\n=======\n>> b\n>>>>>>> x\n>> c\n", []string{`lines 1 to 5`}},
	"indented":        {" <<<<<<< HEAD\n a\n =======\n b\n >>>>>>> x\n", nil},
	"table":           {"|a|b|\n|||||||\n", nil},
	"fence":           {"```\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n```\n", nil},
	"marker in fence": {"```\n<<<<<<< HEAD\n```\nTitle\n=======\nText.\n", nil},
	"long fence":      {"~~~~ text\n```\n~~~\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n~~~~\n", nil},
	"open fence":      {"```\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n", []string{`lines 2 to 6`}},
	"fence in ours":   {"<<<<<<< HEAD\n```\na\n=======\nb\n>>>>>>> x\n```\n", []string{`lines 1 to 6`}},
	"closed in ours":  {"```\n<<<<<<< HEAD\na\n```\n=======\nb\n>>>>>>> x\n```\n", []string{`lines 2 to 7`}},
	"fence behind":    {"<<<<<<< H\n```\n=======\n>>>>>>> x\n```\n<<<<<<< H\na\n=======\nb\n>>>>>>> x\n```\n", []string{`lines 1 to 4`, `lines 6 to 10`}},
	"fence in remark": {"<!--\n```\n-->\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n\n```\n", []string{`lines 4 to 8`}},
	"in a comment":    {"<!--\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n-->\n", []string{`lines 2 to 6`}},
}

func TestFind(t *testing.T) {
	for name, c := range texts {
		t.Run(name, func(t *testing.T) {
			var found []string
			for _, b := range merge.FindConflicts([]byte(c.text)) {
				found = append(found, b.String())
			}
			require.Equal(t, c.want, found)
		})
	}
}

func TestMask(t *testing.T) {
	src := []byte("a\n<<<<<<< HEAD\r\nb\n||||||| o\nbase\n=======\nc\n>>>>>>> x\nd")
	masked := merge.MaskConflicts(src, merge.FindConflicts(src))
	require.Equal(t, "a d", strings.Join(strings.Fields(string(masked)), " "))
	require.Len(t, masked, len(src))
	require.Equal(t, bytes.Count(src, []byte("\n")), bytes.Count(masked, []byte("\n")))
}

// In any text, blocks are in order and do not overlap.
func FuzzFind(f *testing.F) {
	for _, c := range texts {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		at := 0
		for _, b := range merge.FindConflicts([]byte(text)) {
			require.LessOrEqual(t, at, b.Start)
			require.Less(t, b.Start, b.End)
			require.LessOrEqual(t, b.End, len(text))
			require.Equal(t, b.First, strings.Count(text[:b.Start], "\n")+1)
			at = b.End
		}
		require.Len(t, merge.MaskConflicts([]byte(text), merge.FindConflicts([]byte(text))), len(text))
	})
}

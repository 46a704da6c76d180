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
	"merge":   {"a\n<<<<<<< HEAD\nb\n=======\nc\nd\n>>>>>>> feature/x\ne\n", []string{`lines 2 to 7: "HEAD" (line 3) against "feature/x" (lines 5 to 6)`}},
	"diff3":   {"<<<<<<< HEAD\nb\n||||||| 1a2b3c\nbase\n=======\n>>>>>>> x\n", []string{`lines 1 to 6: "HEAD" (line 2) against "x" (no lines)`}},
	"nested":  {"<<<<<<< HEAD\nb\n||||||| base\n<<<<<<<<< Temporary merge branch 1\n1\n=========\n2\n>>>>>>>>> Temporary merge branch 2\n=======\nc\n>>>>>>> x\n", []string{`lines 1 to 11: "HEAD" (line 2) against "x" (line 10)`}},
	"longer":  {"<<<<<<<<<< HEAD\nb\n=======\n==========\nc\n>>>>>>>>>> x\n", []string{`lines 1 to 6: "HEAD" (lines 2 to 3) against "x" (line 5)`}},
	"unnamed": {"<<<<<<<\nb\n=======\nc\n>>>>>>>\n", []string{`lines 1 to 5: "" (line 2) against "" (line 4)`}},
	"CRLF":    {"<<<<<<< HEAD\r\nb\r\n=======\r\nc\r\n>>>>>>> x\r\n", []string{`lines 1 to 5: "HEAD" (line 2) against "x" (line 4)`}},
	"no end":  {"<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> x", []string{`lines 1 to 5: "HEAD" (line 2) against "x" (line 4)`}},
	"setext":  {"<<<<<<< HEAD\nTitle\n=======\nb\n=======\nc\n>>>>>>> x\n", []string{`lines 1 to 7: "HEAD" against "x"`}},
	"two":     {"<<<<<<< H\n=======\na\n>>>>>>> x\n<<<<<<< H\n=======\nb\n>>>>>>> x\n", []string{`lines 1 to 4: "H" (no lines) against "x" (line 3)`, `lines 5 to 8: "H" (no lines) against "x" (line 7)`}},

	"first half":   {"<<<<<<< HEAD\na\n=======\nb\n", []string{`lines 1 to 3: a marker of "HEAD", whose others were deleted`}},
	"second half":  {"a\n=======\nb\n>>>>>>> x\n", []string{`lines 2 to 4: a marker of "x", whose others were deleted`}},
	"begin alone":  {"<<<<<<< HEAD\na\n", []string{`line 1: a marker of "HEAD", whose others were deleted`}},
	"end alone":    {"a\n>>>>>>> x\n", []string{`line 2: a marker of "x", whose others were deleted`}},
	"then a whole": {"<<<<<<< HEAD\na\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> x\n", []string{`line 1: a marker of "HEAD", whose others were deleted`, `lines 3 to 7: "HEAD" (line 4) against "x" (line 6)`}},

	"quote":           {">>>>>>>\n>>>>>>>> deep\n<<<<<<<\n<<<<<<<<html\n", nil},
	"quote in quotes": {"> a\n>> b\n>>>>>>> c\n>>>>>>> d\n\n>>>>>>> e\n>>>>>> f\n", nil},
	"quote and end":   {"<<<<<<< HEAD\na\n=======\n>> b\n>>>>>>> x\n>> c\n", []string{`lines 1 to 5: "HEAD" (line 2) against "x" (line 4)`}},
	"indented":        {" <<<<<<< HEAD\n a\n =======\n b\n >>>>>>> x\n", nil},
	"table":           {"|a|b|\n|||||||\n", nil},
	"fence":           {"```\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n```\n", nil},
	"marker in fence": {"```\n<<<<<<< HEAD\n```\nTitle\n=======\nText.\n", nil},
	"long fence":      {"~~~~ text\n```\n~~~\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n~~~~\n", nil},
	"open fence":      {"```\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n", []string{`lines 2 to 6: "HEAD" (line 3) against "x" (line 5)`}},
	"fence in ours":   {"<<<<<<< HEAD\n```\na\n=======\nb\n>>>>>>> x\n```\n", []string{`lines 1 to 6: "HEAD" (lines 2 to 3) against "x" (line 5)`}},
	"closed in ours":  {"```\n<<<<<<< HEAD\na\n```\n=======\nb\n>>>>>>> x\n```\n", []string{`lines 2 to 7: "HEAD" (lines 3 to 4) against "x" (line 6)`}},
	"fence behind":    {"<<<<<<< H\n```\n=======\n>>>>>>> x\n```\n<<<<<<< H\na\n=======\nb\n>>>>>>> x\n```\n", []string{`lines 1 to 4: "H" (line 2) against "x" (no lines)`, `lines 6 to 10: "H" (line 7) against "x" (line 9)`}},
	"fence in remark": {"<!--\n```\n-->\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n\n```\n", []string{`lines 4 to 8: "HEAD" (line 5) against "x" (line 7)`}},
	"in a comment":    {"<!--\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n-->\n", []string{`lines 2 to 6: "HEAD" (line 3) against "x" (line 5)`}},
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
	blocks := merge.FindConflicts(src)
	for view, want := range map[merge.View]string{merge.BothSides: "a b c d", merge.OurSide: "a b d", merge.TheirSide: "a c d"} {
		masked := merge.MaskConflicts(src, blocks, view)
		require.Equal(t, want, strings.Join(strings.Fields(string(masked)), " "))
		require.Len(t, masked, len(src))
		require.Equal(t, bytes.Count(src, []byte("\n")), bytes.Count(masked, []byte("\n")))
	}
}

// Whatever the text, blocks lie apart in it in order, and the sides lie in their blocks.
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
			if b.Whole {
				order := []int{b.Start, b.Ours.Start, b.Ours.End, b.Theirs.Start, b.Theirs.End, b.End}
				if b.HasBase {
					order = []int{b.Start, b.Ours.Start, b.Ours.End, b.Base.Start, b.Base.End, b.Theirs.Start, b.Theirs.End, b.End}
				}
				require.IsNonDecreasing(t, order)
			}
			at = b.End
		}
		for _, v := range []merge.View{merge.BothSides, merge.OurSide, merge.TheirSide} {
			require.Len(t, merge.MaskConflicts([]byte(text), merge.FindConflicts([]byte(text)), v), len(text))
		}
	})
}

package finding_test

import (
	"math/rand"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/finding"
)

func TestSortOrdersByPlaceThenRuleThenMessage(t *testing.T) {
	// Line 10 comes after line 9, so numbers are compared as numbers.
	want := []finding.Finding{
		{Path: "a.md", Line: 9, Column: 2, Rule: "z", Message: "z"},
		{Path: "a.md", Line: 10, Column: 1, Rule: "z", Message: "z"},
		{Path: "a.md", Line: 10, Column: 9, Rule: "z", Message: "z"},
		{Path: "a.md", Line: 10, Column: 10, Rule: "a", Message: "z"},
		{Path: "a.md", Line: 10, Column: 10, Rule: "b", Message: "a"},
		{Path: "a.md", Line: 10, Column: 10, Rule: "b", Message: "b"},
		{Path: "b.md", Line: 1, Column: 1, Rule: "a", Message: "a"},
	}
	random := rand.New(rand.NewSource(1))
	for range 50 {
		got := slices.Clone(want)
		random.Shuffle(len(got), func(i, j int) { got[i], got[j] = got[j], got[i] })
		finding.Sort(got)
		require.Equal(t, want, got)
	}
}

type applyCase struct {
	name, src string
	edits     []finding.Edit
	want      string // "" means an error
}

var applyCases = []applyCase{
	{"no edit changes nothing", "abc", nil, "abc"},
	{"insertion at the start", "abc", []finding.Edit{{Start: 0, End: 0, New: "X"}}, "Xabc"},
	{"insertion at the end", "abc", []finding.Edit{{Start: 3, End: 3, New: "X"}}, "abcX"},
	{"insertion into nothing", "", []finding.Edit{{New: "X"}}, "X"},
	{"insertions at one offset keep the given order", "abc", []finding.Edit{{Start: 1, End: 1, New: "2"}, {Start: 1, End: 1, New: "1"}, {Start: 1, End: 1, New: "3"}}, "a213bc"},
	{"replacement by a longer text", "abc", []finding.Edit{{Start: 1, End: 2, New: "XYZ"}}, "aXYZc"},
	{"replacement by a shorter text", "abcde", []finding.Edit{{Start: 1, End: 4, New: "X"}}, "aXe"},
	{"deletion", "abc", []finding.Edit{{Start: 1, End: 3}}, "a"},
	{"deletions that touch", "abcd", []finding.Edit{{Start: 2, End: 3}, {Start: 1, End: 2}}, "ad"},
	{"insertion before a replacement", "abc", []finding.Edit{{Start: 1, End: 1, New: "I"}, {Start: 1, End: 2, New: "R"}}, "aIRc"},
	{"the order does not matter for that", "abc", []finding.Edit{{Start: 1, End: 2, New: "R"}, {Start: 1, End: 1, New: "I"}}, "aIRc"},
	{"insertions keep the given order before a replacement", "abc", []finding.Edit{{Start: 1, End: 1, New: "2"}, {Start: 1, End: 2, New: "R"}, {Start: 1, End: 1, New: "1"}}, "a21Rc"},
	{"insertion behind a replacement", "abc", []finding.Edit{{Start: 2, End: 2, New: "I"}, {Start: 1, End: 2, New: "R"}}, "aRIc"},
	{"edits out of order", "abcdef", []finding.Edit{{Start: 4, End: 5, New: "Y"}, {Start: 1, End: 2, New: "X"}}, "aXcdYf"},
	{"all other bytes are left alone, whatever they are", "\xff\x00\r\nab\u00fc", []finding.Edit{{Start: 4, End: 5, New: "X"}}, "\xff\x00\r\nXb\u00fc"},
	{"overlap", "abcd", []finding.Edit{{Start: 0, End: 2}, {Start: 1, End: 3}}, ""},
	{"the same replacement twice", "abcd", []finding.Edit{{Start: 0, End: 2, New: "X"}, {Start: 0, End: 2, New: "X"}}, ""},
	{"insertion inside a replacement", "abcd", []finding.Edit{{Start: 0, End: 2}, {Start: 1, End: 1, New: "X"}}, ""},
	{"end behind the text", "abc", []finding.Edit{{Start: 1, End: 4}}, ""},
	{"start behind the text", "abc", []finding.Edit{{Start: 4, End: 4}}, ""},
	{"start before the text", "abc", []finding.Edit{{Start: -1, End: 1}}, ""},
	{"end before start", "abc", []finding.Edit{{Start: 2, End: 1}}, ""},
}

func TestApply(t *testing.T) {
	for _, c := range applyCases {
		t.Run(c.name, func(t *testing.T) {
			edits := slices.Clone(c.edits)
			got, err := finding.Apply([]byte(c.src), c.edits)
			require.Equal(t, edits, c.edits, "the caller's edits stay in their order")
			if c.want == "" {
				require.ErrorContains(t, err, "overlaps another or lies outside")
				require.Nil(t, got)
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.want, string(got))
		})
	}
}

// FuzzApply checks that edits are refused exactly if one lies outside of the text or two of them overlap, and that
// otherwise the result has the length that the edits imply.
func FuzzApply(f *testing.F) {
	for _, c := range applyCases {
		var program []byte
		for _, e := range c.edits {
			program = append(program, byte(e.Start), byte(e.End), byte(len(e.New)))
		}
		f.Add([]byte(c.src), program)
	}
	f.Fuzz(func(t *testing.T, src, program []byte) {
		var edits []finding.Edit
		for ; len(program) >= 3 && len(edits) < 100; program = program[3:] {
			edits = append(edits, finding.Edit{
				Start: int(int8(program[0])), End: int(int8(program[1])),
				New: string(make([]byte, program[2])),
			})
		}
		legal, length := true, len(src)
		for i, e := range edits {
			length += len(e.New) - (e.End - e.Start)
			legal = legal && e.Start >= 0 && e.Start <= e.End && e.End <= len(src)
			for _, other := range edits[:i] {
				legal = legal && (e.Start >= other.End || other.Start >= e.End)
			}
		}
		got, err := finding.Apply(src, edits)
		require.Equal(t, legal, err == nil, "%v", edits)
		if legal {
			require.Len(t, got, length)
		}
	})
}

package rank

import (
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/text"
)

// Of all forms of all short words, those with one stem are found by each other, and none
// has a stem that is too short to have a beginning.
func TestFormsOfAWordAreFound(t *testing.T) {
	const letters = "aeioubdlnrsty"
	suffixes := []string{"", "s", "es", "ed", "ing", "ly", "er", "ies", "y", "ied", "ying", "ion"}
	var words []string
	for _, a := range letters {
		words = append(words, string(a))
		for _, b := range letters {
			words = append(words, string([]rune{a, b}))
			for _, c := range letters {
				words = append(words, string([]rune{a, b, c}))
			}
		}
	}
	for _, word := range words {
		forms, stems := make([]string, 0, len(suffixes)), make([]string, 0, len(suffixes))
		for _, suffix := range suffixes {
			if form := word + suffix; len(form) > 1 {
				forms, stems = append(forms, form), append(stems, text.English.Stem(form))
			}
		}
		for i, form := range forms {
			if len(stems[i]) < 2 {
				t.Fatalf("the stem of %q is %q", form, stems[i])
			}
			var begin beginnings
			begin.addForms([]byte(form), stems[i])
			for j, other := range forms {
				if stems[i] == stems[j] && !begin.mayBegin([]byte(other)) {
					t.Fatalf("%q does not find %q, whose stem is %q too", form, other, stems[i])
				}
			}
		}
	}
}

// Words whose stem would be a single letter once ended the program.
func TestWordsWithoutAStem(t *testing.T) {
	for _, word := range []string{"aed", "aing", "oed", "eing", "ies", "ing", "ed", "ying", "aly"} {
		require.GreaterOrEqual(t, len(text.Stem(word)), 2, word)
		documents := []Document{{Trigger: word + " things", Title: "Title", Description: "x y z"}}
		require.NotPanics(t, func() {
			matches := NewIndex(documents).Recall("what is "+word+" here", 3)
			require.Len(t, matches, 1, word)
		}, word)
	}
}

package when

import (
	"slices"
	"strings"

	"whence/internal/words"
)

// minSlipLetters is the length from which a word of a trigger may be misspelt. In shorter ones, a wrong
// letter makes another word. It does at the beginning too, often the opposite: async and sync, включить
// and выключить; so the first keptLetters have to agree.
const (
	minSlipLetters = 5
	keptLetters    = 2
)

// isSlip reports whether a word of a query may be a misspelt word of a trigger: with one letter missing,
// added or wrong, or two neighbours swapped. A word with a digit is never misspelt.
func isSlip(typed, meant string) bool {
	x, y := []rune(typed), []rune(meant)
	return len(y) >= minSlipLetters && len(x) > keptLetters && slices.Equal(x[:keptLetters], y[:keptLetters]) &&
		!strings.ContainsAny(typed+meant, "0123456789") && words.OneTypo(typed, meant)
}

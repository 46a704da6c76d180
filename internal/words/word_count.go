package words

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// charsPerWord is how many characters of a script without spaces count as a word.
const charsPerWord = 3

// Count returns the number of words in a field of an index, separated by white space and pipes. In scripts
// without spaces, three characters count as a word.
func Count(field string) (n int) {
	isSeparator := func(r rune) bool { return r == '|' || unicode.IsSpace(r) }
	for word := range strings.FieldsFuncSeq(field, isSeparator) {
		if !strings.ContainsFunc(word, IsUnspaced) {
			n++
			continue
		}
		unspaced, others := 0, 0
		for _, r := range word {
			if unicode.IsMark(r) {
				continue // it belongs to the character before
			}
			if IsUnspaced(r) {
				unspaced++
			} else if IsWordRune(r) {
				others = 1
			}
		}
		n += max(1, (unspaced+charsPerWord-1)/charsPerWord+others)
	}
	return n
}

// CutToCount returns the longest beginning of a field's words that has at most maxCount words by Count. It may cut a word
// of a script without spaces.
func CutToCount(field []string, maxCount int) []string {
	left := maxCount
	for i, word := range field {
		n := Count(word)
		if n <= left {
			left -= n
			continue
		}
		kept, runes := slices.Clone(field[:i]), []rune(word)
		for len(runes) > 0 && (n > left || unicode.IsMark(runes[len(runes)-1])) {
			runes = runes[:len(runes)-1]
			n = Count(string(runes))
		}
		if len(runes) > 0 {
			kept = append(kept, string(runes))
		}
		return kept
	}
	return field
}

// JoinUnspaced joins words with spaces, except where a script without spaces meets another one.
func JoinUnspaced(all []string) string {
	var out strings.Builder
	for i, word := range all {
		if i > 0 {
			last, _ := utf8.DecodeLastRuneInString(all[i-1])
			first, _ := utf8.DecodeRuneInString(word)
			if IsUnspaced(last) == IsUnspaced(first) {
				out.WriteByte(' ')
			}
		}
		out.WriteString(word)
	}
	return out.String()
}

package inert

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsUnseen reports whether a character has an effect but is not shown. It returns true for control characters, including
// tabs and line ends, for line and paragraph separators, and for the characters that Unicode says displays should ignore:
// format characters, variation selectors and fillers (Default_Ignorable_Code_Point, derived as in
// DerivedCoreProperties.txt). It returns false for joiners and emoji selectors, since whether they are seen depends on
// the character before.
func IsUnseen(r rune) bool {
	switch {
	case r < 0x80:
		return r < ' ' || r == 0x7f
	case isJoiner(r), isEmojiSelector(r), unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		return false
	case r == '\u2028', r == '\u2029':
		return true
	}
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

func isJoiner(r rune) bool        { return r == '\u200c' || r == '\u200d' }
func isEmojiSelector(r rune) bool { return r == '\ufe0e' || r == '\ufe0f' }

// joining lists the scripts that spell words with joiners.
var joining = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Mandaic, unicode.Nko, unicode.Adlam, unicode.Mongolian,
	unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu,
	unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar, unicode.Balinese, unicode.Javanese,
}

// isPicture reports whether a character may be an emoji.
func isPicture(r rune) bool {
	return r >= 0xa0 && unicode.In(r, unicode.So, unicode.Sk, unicode.Sm) || strings.ContainsRune("‼⁉〰", r)
}

// replaceUnseen replaces invisible characters. A single joiner counts as visible after an emoji or a letter of
// a script that needs joiners; a selector only after an emoji. Bytes that are not UTF-8 become U+FFFD.
func replaceUnseen(text string, replace func(i int, r rune) string) string {
	var out strings.Builder
	var before, joiner rune // the last character except accents; the joiner or selector after it
	for i, r := range text {
		unseen := IsUnseen(r)
		switch {
		case isJoiner(r):
			unseen = isJoiner(joiner) || !isPicture(before) && !unicode.In(before, joining...)
		case isEmojiSelector(r):
			isKey := strings.ContainsRune("0123456789#*", before) && strings.HasPrefix(text[i+utf8.RuneLen(r):], "\u20e3")
			unseen = joiner != 0 || !isPicture(before) && !isKey
		}
		switch {
		case unseen:
			replaced := replace(i, r)
			out.WriteString(replaced)
			if replaced != "" {
				before, _ = utf8.DecodeLastRuneInString(replaced)
				joiner = 0
			}
			continue
		case isJoiner(r), isEmojiSelector(r):
			joiner = r
		case !unicode.Is(unicode.Inherited, r):
			before, joiner = r, 0
		}
		out.WriteRune(r)
	}
	return out.String()
}

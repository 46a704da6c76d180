// Package words splits texts of any language into words, stems them, and recognizes function words. It also
// compares texts by their words, and shortens them without cutting a character.
package words

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The two stop lists. Stop words occur in titles on every subject. Searches ignore the words of both lists, which
// are short on purpose: "who", "not" or "before" distinguish texts.
const (
	stop = `a an and are as at be by for from how in into is it its of on or that the their then this to was were when with`
	more = `
		about also am any because been being but can could did do does doing don had has have having he her here him his if isn
		just let like ll me my off ok our own please put re same see she should so some such than them there these they those
		too ve very we what which will would yes you your`
)

var stopWords = setOf(stop)

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

// IsStopWord reports whether a word, in lower case, is of no value as evidence in a title.
func IsStopWord(word string) bool { return stopWords[word] }

// IsWordRune reports whether a character is part of a word: a letter, mark, digit or underscore.
func IsWordRune(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// Fields returns the words of a text in lower case. It does not split identifiers.
func Fields(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !IsWordRune(r) })
}

// EachWord calls take for each word of a text, in lower case and composed (NFKC). Take must not keep
// the word. A word is
//
//   - in alphabets, a word of UAX #29, split where the script changes: 60초 gives 60 and 초. An identifier is
//     followed by its parts: retryCount gives retrycount, retry and count; PLR0915 gives plr0915, plr and 0915.
//     C++, C# and .NET give cplusplus, csharp and dotnet.
//   - in Hangul, a word without its particles, followed by its first two syllables.
//   - in Han, Kana, Thai, Lao, Khmer and Burmese, which have no spaces, each pair of neighbouring characters.
//
// Single letters of alphabets are skipped.
func EachWord(text string, take func(word []byte)) {
	eachWord(text, func(word []byte, isPart bool) { take(word) })
}

// eachWord is EachWord, and reports which words are parts of the identifier before them.
func eachWord(text string, take func(word []byte, isPart bool)) {
	var buf [64]byte
	for at := 0; at < len(text); {
		if c := text[at]; c < utf8.RuneSelf && class[c] == other {
			at++
			continue
		}
		start := at
		word, kinds := buf[:0], 0
		for at < len(text) && text[at] < utf8.RuneSelf {
			c := text[at]
			k := class[c]
			if k == other {
				break
			}
			if k == capital {
				c += 'a' - 'A'
			}
			word, kinds = append(word, c), kinds|1<<k
			at++
		}
		if at < len(text) && text[at] >= utf8.RuneSelf {
			at = runEnd(text, at)
			eachBeyondASCII(text[start:at], take)
			continue
		}
		if word = bytes.Trim(word, "_"); len(word) > 1 {
			take(word, false)
		}
		if kinds != 1<<small { // most words have no parts
			eachPart(strings.Trim(text[start:at], "_"), func(word []byte) { take(word, true) })
		}
		if signed := withSigns(text, start, at, word); signed != "" {
			take([]byte(signed), false)
		}
	}
}

// withSigns spells out the name of a language or platform that contains signs, so that any index can hold it:
// cplusplus, csharp, dotnet. It returns "" for other words.
func withSigns(text string, start, end int, word []byte) string {
	if start > 0 && text[start-1] == '.' && (start == 1 || isSpaceOrQuote(text[start-2])) && strings.TrimRight(string(word), digits) == "net" {
		return "dot" + string(word)
	}
	signs := end
	for signs < len(text) && (text[signs] == '+' || text[signs] == '#') {
		signs++
	}
	if len(word) == 0 || signs == end || signs-end > len("++") || signs < len(text) && text[signs] < utf8.RuneSelf && class[text[signs]] != other && text[end:signs] != "++" {
		return ""
	}
	return string(word) + signNames.Replace(text[end:signs])
}

var signNames = strings.NewReplacer("+", "plus", "#", "sharp")

const digits = "0123456789"

func isSpaceOrQuote(c byte) bool { return strings.IndexByte(" \t\n('\"`", c) >= 0 }

// Terms returns the words of a text that carry evidence in a search, in lower case, in order and with
// repetitions. The parts of an identifier follow it.
func Terms(text string) []string {
	var terms []string
	language := LanguageOf(text)
	EachWord(text, func(word []byte) {
		if !isSmallWord(word) && !language.isFunctionWord(word) {
			terms = append(terms, string(word))
		}
	})
	return terms
}

// The classes of ASCII bytes.
const (
	other = iota
	small
	capital
	digit
	underscore
)

var class = func() (class [utf8.RuneSelf]byte) {
	for c := range class {
		switch {
		case 'a' <= c && c <= 'z':
			class[c] = small
		case 'A' <= c && c <= 'Z':
			class[c] = capital
		case '0' <= c && c <= '9':
			class[c] = digit
		case c == '_':
			class[c] = underscore
		}
	}
	return class
}()

// eachPart calls take for each part, of two characters or more, of an ASCII identifier. It splits at
// underscores, between a small letter and a capital, between letters and digits, and before the last of several
// capitals (HTTPServer gives http and server; APIs gives api).
func eachPart(run string, take func(word []byte)) {
	var buf [64]byte
	start := 0
	cut := func(end int) {
		if end-start > 1 && end-start < len(run) {
			take(append(buf[:0], strings.ToLower(run[start:end])...))
		}
		start = end
	}
	for i := 1; i < len(run); i++ {
		a, b := class[run[i-1]], class[run[i]]
		switch {
		case b == underscore:
			cut(i)
			start = i + 1
		case a == underscore:
			start = i
		case a == capital && b == small && run[i:] == "s": // a plural: APIs
			cut(i)
			return
		case a == capital && b == small:
			if i-1 > start {
				cut(i - 1)
			}
		case a != b:
			cut(i)
		}
	}
	cut(len(run))
}

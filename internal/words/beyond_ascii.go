package words

import (
	"strings"
	"unicode"
	"unicode/utf8"

	uax29 "github.com/clipperhouse/uax29/v2/words"
	"golang.org/x/text/unicode/norm"
)

// A run is text between ASCII spaces and punctuation. Runs of ASCII alone are split byte by byte in tokenize.go. This
// file splits those with a character beyond ASCII, of any script.

// runEnd returns the end of the run at an offset.
func runEnd(text string, at int) int {
	for at < len(text) && (text[at] >= utf8.RuneSelf || class[text[at]] != other) {
		at++
	}
	return at
}

// script classifies characters by how words are found in their script.
type script uint8

const (
	none     script = iota // not part of a word: punctuation
	latin                  // words between spaces
	alphabet               // the same, in other letters
	hangul                 // the same, with particles at their end
	han                    // from here on, pairs of characters
	hiragana
	katakana
	southeast // Thai, Lao, Khmer, Burmese
)

func scriptOf(r rune) script {
	switch {
	case r < utf8.RuneSelf:
		if class[r] == other {
			return none
		}
		return latin
	case !unicode.IsLetter(r) && !unicode.IsDigit(r):
		return none
	case unicode.Is(unicode.Latin, r):
		return latin
	case unicode.Is(unicode.Hangul, r):
		return hangul
	case unicode.Is(unicode.Han, r):
		return han
	case unicode.Is(unicode.Hiragana, r):
		return hiragana
	case unicode.Is(unicode.Katakana, r), r == 'ー':
		return katakana
	case unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
		return southeast
	}
	return alphabet
}

// eachBeyondASCII calls take for the words of a run that has a character beyond ASCII.
func eachBeyondASCII(run string, take func(word []byte, isPart bool)) {
	run = norm.NFKC.String(strings.ToValidUTF8(run, " "))
	var part []byte // of one script
	var chars []int // where its characters begin
	of := none
	flush := func() {
		if len(chars) > 0 {
			takeScript(part, chars, of, take)
		}
		part, chars, of = part[:0], chars[:0], none
	}
	for segments := uax29.FromString(run); segments.Next(); {
		segment := segments.Value()
		if of < han { // from han on, each character is a segment
			flush()
		}
		for _, r := range segment {
			is := scriptOf(r)
			switch {
			case r == 'ー' && of == hiragana:
				is = of
			case is == none && (unicode.IsMark(r) && len(chars) > 0): // it belongs to the character before
				part = utf8.AppendRune(part, r)
				continue
			case is == none && unicode.Is(unicode.Cf, r) || r == 'ـ':
				continue // joiners and the like
			}
			if is != of {
				flush()
			}
			if is == none {
				continue
			}
			of = is
			chars = append(chars, len(part))
			part = utf8.AppendRune(part, r)
		}
	}
	flush()
}

// takeScript calls take for the words of a run of one script.
func takeScript(run []byte, chars []int, of script, take func(word []byte, isPart bool)) {
	switch of {
	case latin, alphabet:
		if len(chars) == len(run) { // ASCII
			eachWord(string(run), take)
			return
		}
		word := strings.ReplaceAll(strings.ToLower(string(run)), "i\u0307", "i") // from İ
		if len(chars) > 1 {
			take([]byte(word), false)
		}
		if parts := strings.FieldsFunc(word, func(r rune) bool { return r == '_' }); len(parts) > 1 {
			for _, part := range parts {
				if utf8.RuneCountInString(part) > 1 {
					take([]byte(part), true)
				}
			}
		}
	case hangul:
		word := withoutParticles(string(run))
		take([]byte(word), false)
		if len(chars) > hangulBeginning && chars[hangulBeginning] < len(word) {
			take([]byte(word[:chars[hangulBeginning]]), false)
		}
	default:
		if len(chars) == 1 && of == han {
			take(run, false)
		}
		for i := 1; i < len(chars); i++ {
			end := len(run)
			if i+1 < len(chars) {
				end = chars[i+1]
			}
			take(run[chars[i-1]:end], false)
		}
	}
}

const (
	hangulBeginning = 2 // syllables of a word that are also taken alone
	minHangul       = 2 // syllables left without a particle
)

// particles lists the particles that follow nouns in Korean, and the endings that turn nouns into verbs. Longer ones
// come first.
var particles = strings.Fields(`
	해주세요 해줄래요 했습니다 됐습니다
	해줄래 해줘요 으로부터 에서부터 하려면 하도록 되도록 합니다 됩니다 입니다 에서는 에서도 으로는 으로도 이라는 이라고 까지는 했는데 되는데 하는데 하지만 하세요 할까요 될까요 하거나 하면서
	해줘 에서 에게 으로 까지 부터 처럼 보다 마다 이나 라도 이라 라고 한테 께서 에는 에도 와는 과는 로는 로도 로만 에만 하면 하고 하는 한다 하지 하게 하기 해서 해야 해도 했다 되면 되는 된다 되고 되지 되어 이다 이면 인지 들이 들을 들은 들의
	은 는 이 가 을 를 의 에 로 와 과 도 만 들 할 한 해 된 됨 함`)

// withoutParticles returns a Hangul word without the longest of particles that it ends with.
func withoutParticles(word string) string {
	for _, particle := range particles {
		if rest, has := strings.CutSuffix(word, particle); has && len(rest) >= len("가")*minHangul {
			return rest
		}
	}
	return word
}

// IsUnspaced reports whether a character belongs to a script that puts no spaces between words.
func IsUnspaced(r rune) bool { return r >= 0xe00 && scriptOf(r) >= han }

// Length returns the number of characters of a text, to compare with a minimum. Each character of Han, Kana or
// Hangul counts as three.
func Length(text string) (n int) {
	for _, r := range text {
		n++
		if r >= 0x1100 {
			if s := scriptOf(r); s == hangul || s == han || s == hiragana || s == katakana {
				n += 2
			}
		}
	}
	return n
}

// isAlphabetic reports whether all characters of a word are from alphabets, so that one of them may be mistyped.
func isAlphabetic(word string) bool {
	for _, r := range word {
		if s := scriptOf(r); s >= hangul {
			return false
		}
	}
	return true
}

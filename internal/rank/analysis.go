package rank

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// wordSet is a set of words that is asked for many that are not in it.
type wordSet struct {
	words  map[string]bool
	begins beginnings
	most   int // length of the longest
}

func (s *wordSet) has(word []byte) bool {
	return len(word) <= s.most && s.begins[beginning(word)] && s.words[string(word)]
}

// beginnings is a set of hashes of the first three bytes of words: it tells most
// words apart at once.
type beginnings [1 << 13]bool

// beginning hashes the first three bytes of a word of two or more.
func beginning(word []byte) int {
	h := int(word[0])<<8 ^ int(word[1])<<4
	if len(word) > 2 {
		h ^= int(word[2])
	}
	return h & 0x1fff
}

// addForms adds the beginnings of all words that may have a stem: as long as the stem is
// no shorter than they are, that of the stem and of a word that has it. A stem of three
// letters may have got its last one ("use", of "using"), or have an i for a y ("die",
// of "dying"). Word and stem have two bytes or more.
func (b *beginnings) addForms(word []byte, stem string) {
	b[beginning(word)] = true
	b[beginning([]byte(stem))] = true
	if len(stem) > 3 {
		return
	}
	for _, second := range []byte{stem[1], 'y', 'i'} {
		for third := byte('a'); third <= 'z'; third++ {
			b[beginning([]byte{stem[0], second, third})] = true
		}
	}
}

// smallWords are left out of recall by words. The list is short on purpose: "who",
// "not" or "before" tell one moment from another.
var smallWords = func() *wordSet {
	small := &wordSet{words: map[string]bool{}}
	for _, w := range strings.Fields(`
		about also am an and any are as at be because been being but by can could did do does doing don
		for from had has have having he her here him his how if in into is isn it its just let like ll
		me my of off ok on or our own please put re same see she should so some such than that the their
		them then there these they this those to too ve very was we were what when which will with would
		yes you your`) {
		small.words[w] = true
		small.most = max(small.most, len(w))
		small.begins[beginning([]byte(w))] = true
	}
	return small
}()

// eachWord calls take for each word of a text, in lower case: a run of letters,
// digits and underscores. Behind an identifier of several parts come its parts:
// retryCount gives retrycount, retry and count; PLR0915 gives plr0915, plr and 0915.
// Take must not keep the word.
func eachWord(text string, take func(word []byte)) {
	var buf [64]byte
	for at := 0; at < len(text); {
		if c := text[at]; c < utf8.RuneSelf && class[c] == other {
			at++
			continue
		}
		start := at
		word := buf[:0]
		var seen shape
		for at < len(text) && text[at] < utf8.RuneSelf {
			c := text[at]
			k := class[c]
			if k == other {
				break
			}
			if k == capital {
				c += 'a' - 'A'
			}
			seen.add(k)
			word = append(word, c)
			at++
		}
		if at < len(text) && text[at] >= utf8.RuneSelf {
			if end := runEnd(text, at); end > at {
				at = end
				word, seen = append(buf[:0], strings.ToLower(text[start:at])...), shape{}
			}
		}
		if at == start {
			_, size := utf8.DecodeRuneInString(text[at:])
			at += size
			continue
		}
		if word = trim(word); len(word) > 1 {
			take(word)
		}
		if seen.parts() {
			eachPart(strings.Trim(text[start:at], "_"), take)
		}
	}
}

// runEnd is the end of a run of letters, digits and underscores of any script.
func runEnd(text string, at int) int {
	for at < len(text) {
		r, size := utf8.DecodeRuneInString(text[at:])
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
			break
		}
		at += size
	}
	return at
}

// shape tells whether an ASCII run may have parts.
type shape struct {
	seen     byte // bit by class
	capitals int
	inner    bool // a capital stands behind a small letter or digit
}

func (s *shape) add(k byte) {
	if k == capital {
		s.capitals++
		s.inner = s.inner || s.seen&(1<<small|1<<digit) != 0
	}
	s.seen |= 1 << k
}

// parts: underscores, letters beside digits, a capital inside, or several in front
// of small letters.
func (s *shape) parts() bool {
	has := func(k byte) bool { return s.seen&(1<<k) != 0 }
	return has(underscore) || has(digit) && s.seen != 1<<digit || s.inner || s.capitals > 1 && has(small)
}

// The classes of ASCII bytes in words.
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

func trim(word []byte) []byte {
	for len(word) > 0 && word[0] == '_' {
		word = word[1:]
	}
	for len(word) > 0 && word[len(word)-1] == '_' {
		word = word[:len(word)-1]
	}
	return word
}

// eachPart calls take for the parts of an ASCII identifier: split at underscores,
// between small letter and capital, letters and digits, and before the last capital
// of several (HTTPServer gives http and server; APIs gives api).
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

// stemOf is the form in which recall compares words: those of two letters and those
// with digits or underscores as they are, others by their stem.
func stemOf(word string) string {
	if len(word) < 3 || strings.ContainsAny(word, "_0123456789") {
		return word
	}
	return Stem(word)
}

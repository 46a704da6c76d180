package rank

import (
	"unicode/utf8"

	"whence/internal/text"
)

// beginnings is a set of hashes of how words begin. It rules out most words before they are stemmed,
// without which a recall takes several times as long.
type beginnings [1 << 13]bool

// beginning hashes the first three bytes of a word in ASCII letters, of two or more, and the first letter
// of any other word: a stem may change the others.
func beginning(word []byte) int {
	if len(word) > 2 && (word[0]|word[1]|word[2]) >= utf8.RuneSelf || word[0] >= utf8.RuneSelf {
		return letterHash(word)
	}
	h := int(word[0])<<8 ^ int(word[1])<<4
	if len(word) > 2 {
		h ^= int(word[2])
	}
	return h & 0x1fff
}

// letterHash hashes the first letter of a word, without its accent.
func letterHash(word []byte) int {
	r, _ := utf8.DecodeRune(word)
	return int(text.WithoutAccent(r)) * 31 & 0x1fff
}

// addForms adds the beginnings of all words that may have a stem: that of the stem, and of a word
// with it. Of a stem of three letters, the last may have been added ("use", of "using"), or an i may
// be a y ("die", of "dying"). Word and stem have two bytes or more.
func (b *beginnings) addForms(word []byte, stem string) {
	b[beginning(word)] = true
	b[beginning([]byte(stem))] = true
	b[letterHash([]byte(stem))] = true
	if len(stem) > 3 {
		return
	}
	for _, second := range []byte{stem[1], 'y', 'i'} {
		for third := byte('a'); third <= 'z'; third++ {
			b[beginning([]byte{stem[0], second, third})] = true
		}
	}
}

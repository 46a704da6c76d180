package rank

// beginnings is a set of hashes of the first three bytes of words. It rules out most words before
// they are stemmed, without which a recall takes several times as long.
type beginnings [1 << 13]bool

// beginning hashes the first three bytes of a word of two or more.
func beginning(word []byte) int {
	h := int(word[0])<<8 ^ int(word[1])<<4
	if len(word) > 2 {
		h ^= int(word[2])
	}
	return h & 0x1fff
}

// addForms adds the beginnings of all words that may have a stem: that of the stem, and of a word
// with it. Of a stem of three letters, the last may have been added ("use", of "using"), or an i may
// be a y ("die", of "dying"). Word and stem have two bytes or more.
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

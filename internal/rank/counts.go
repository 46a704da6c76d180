package rank

import (
	"slices"
)

// counts holds how often the words and grams of the text occur in a document.
type counts struct {
	short, body       []uint32 // of each term
	grams             []uint16 // of each gram
	phrases           []phrase
	shortLen, bodyLen int // words
	gramLen           int // grams
}

// phrase is a trigger, description or situation that shares words with the text.
type phrase struct {
	shared []int // terms
	others int   // number of words that are not in the text
}

// newCounts returns empty counts for each of a number of documents, with few allocations.
func (t *query) newCounts(documents int) []counts {
	all := make([]counts, documents)
	terms, grams := make([]uint32, 2*documents*len(t.known)), make([]uint16, documents*len(t.grams))
	for i := range all {
		all[i].short, terms = terms[:len(t.known)], terms[len(t.known):]
		all[i].body, terms = terms[:len(t.known)], terms[len(t.known):]
		all[i].grams, grams = grams[:len(t.grams)], grams[len(t.grams):]
	}
	return all
}

// addShort counts a word of a short field: term i of the text, or any other word if i is -1. Small words that are not
// terms don't count.
func (n *counts) addShort(p *phrase, i int, small bool) {
	if i < 0 && small {
		return
	}
	n.shortLen++
	if i < 0 {
		p.others++
		return
	}
	n.short[i]++
	if !slices.Contains(p.shared, i) {
		p.shared = append(p.shared, i)
	}
}

// count counts the words and grams of the short fields of the document, and the terms in its body.
func (d *indexed) count(n *counts, words []shortWord, grams []uint16, bodies []int32) {
	for _, f := range d.short {
		var p phrase
		for _, i := range f.words {
			w := &words[i]
			n.gramLen += int(w.grams)
			for _, gram := range grams[w.firstGram:w.afterGrams] {
				n.grams[gram]++
			}
			n.addShort(&p, int(w.term), w.small)
		}
		if len(p.shared) > 0 && !f.isTitle {
			n.phrases = append(n.phrases, p)
		}
	}
	n.bodyLen = len(d.body)
	for _, i := range d.body {
		if term := bodies[i]; term >= 0 {
			n.body[term]++
		}
	}
}

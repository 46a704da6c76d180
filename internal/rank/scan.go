package rank

import (
	"math"
	"runtime"
	"slices"

	"whence/internal/parallel"
)

// mostCounted and mostPieces are how often a word and a piece count in a document at most.
const (
	mostCounted = math.MaxUint16
	mostPieces  = math.MaxUint8
)

// counts is what one document shares with the text.
type counts struct {
	lengths
	short, body []uint16 // of each term
	grams       []uint8  // of each piece
	phrases     []phrase
}

// scan reads all documents.
func (t *text) scan(documents []Document) shares {
	all := t.count(documents)
	s := shares{
		lengths: make([]lengths, len(all)), phrases: func(document int) []phrase { return all[document].phrases },
		short: make([][]posting, len(t.terms)), body: make([][]posting, len(t.terms)), pieces: make([][]posting, t.grams.n),
	}
	for i := range all {
		n := &all[i]
		s.lengths[i] = n.lengths
		s.situations += len(documents[i].Situations)
		collect(s.short, i, n.short)
		collect(s.body, i, n.body)
		collect(s.pieces, i, n.grams)
	}
	return s
}

// collect adds a document to the lists of what it has.
func collect[count uint8 | uint16](lists [][]posting, document int, counts []count) {
	for i, n := range counts {
		if n > 0 {
			lists[i] = append(lists[i], posting{int32(document), uint16(n)})
		}
	}
}

// count counts in all documents, on all processors.
func (t *text) count(documents []Document) []counts {
	all := make([]counts, len(documents))
	workers := min(runtime.GOMAXPROCS(0), len(documents))
	work := make([]func(), workers)
	for n := range work {
		work[n] = func() {
			c := counter{text: t, terms: map[string]int{}}
			for i := n; i < len(documents); i += workers {
				all[i] = c.count(&documents[i])
			}
		}
	}
	parallel.Do(work...)
	return all
}

// counter counts with what it has learned from documents before.
type counter struct {
	*text
	terms map[string]int // word → index into text.terms, or -1
}

// term is the index of a word's term, or -1. Nearly all words begin otherwise than
// the terms, and need no stem.
func (c *counter) term(word []byte) int {
	if !c.begin[beginning(word)] {
		return -1
	}
	if i, known := c.terms[string(word)]; known {
		return i
	}
	w := string(word)
	i := -1
	if at, found := c.text.known[stemOf(w)]; found && !smallWords.has(word) {
		i = at
	}
	c.terms[w] = i
	return i
}

func (c *counter) count(d *Document) counts {
	n := counts{
		short: make([]uint16, len(c.text.terms)), body: make([]uint16, len(c.text.terms)),
		grams: make([]uint8, c.grams.n),
	}
	trigger := map[string]bool{}
	eachWord(d.Trigger, func(word []byte) { trigger[string(word)] = true })
	c.phrase(&n, d.Trigger, nil)
	c.phrase(&n, d.Title, trigger)
	c.phrase(&n, d.Description, nil)
	for _, s := range d.Situations {
		c.phrase(&n, s, nil)
	}
	eachWord(d.Body, func(word []byte) {
		n.lengths.body++
		if i := c.term(word); i >= 0 && n.body[i] < mostCounted {
			n.body[i]++
		}
	})
	return n
}

// phrase counts a short field. Words that are known already do not count: most titles
// say the trigger once more.
func (c *counter) phrase(n *counts, s string, known map[string]bool) {
	var p phrase
	eachWord(s, func(word []byte) {
		if known[string(word)] {
			return
		}
		eachGram(word, func(gram uint32) {
			n.lengths.grams++
			if i := c.grams.number(gram); i >= 0 && n.grams[i] < mostPieces {
				n.grams[i]++
			}
		})
		if i := c.term(word); i >= 0 {
			n.short[i] = min(n.short[i], mostCounted-1) + 1
			if !slices.Contains(p.shared, i) {
				p.shared = append(p.shared, i)
			}
		} else if smallWords.has(word) {
			return
		} else {
			p.others++
		}
		n.lengths.short++
	})
	if len(p.shared) > 0 && known == nil {
		n.phrases = append(n.phrases, p)
	}
}

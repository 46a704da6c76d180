package rank

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"slices"
	"sort"
)

// Index is documents read once, for many texts: Recall gives what the function of this
// name gives for them. It is one run of bytes, which is searched as it lies, so that a text
// costs what it has in common with the documents and not what they hold.
//
// The bytes, all numbers 32 bits in little-endian order:
//
//	format    indexFormat, 8 bytes
//	checksum  CRC-32C of all that follows
//	header    documents, situations, stems, pieces, then the lengths of the six runs below
//	documents words of the short fields, words of the body, pieces; ends in phrases, labels
//	stems     ends in texts, short, body; sorted by text
//	pieces    piece; end in places; sorted by piece
//	texts     of the stems
//	short     for each stem the documents that have it in the short fields
//	body      the same of the bodies
//	places    for each piece the documents that have it
//	phrases   for each document its phrases: the stems of each, in order
//	labels    of the documents
//
// What belongs to the first of a table begins at 0, to any other one at the end of the one
// before. In short, body, places and phrases stand varints: a document as its distance to
// the one before, from -1 on, then how often; a phrase as its length, then its stems.
type Index struct {
	src                                         []byte
	documents, situations                       int
	docs, stems, pieces                         table
	texts, short, body, places, phrases, labels []byte
}

// indexFormat names layout and analysis: it changes when other words, stems or pieces come
// of a document, too.
const indexFormat = "recall01"

const (
	indexBegin  = len(indexFormat) + 4 // of what the checksum covers
	indexHeader = 10                   // numbers
	indexTables = indexBegin + 4*indexHeader
)

// errIndex is the error of bytes that are no index.
var errIndex = errors.New("the index of recall is damaged: delete it")

// table is a table of the index: rows of so many numbers.
type table struct {
	src   []byte
	width int
}

func (t table) rows() int { return len(t.src) / (4 * t.width) }

func (t table) at(row, column int) int {
	return int(binary.LittleEndian.Uint32(t.src[4*(row*t.width+column):]))
}

// run is what belongs to a row, whose end stands in a column.
func (t table) run(of []byte, row, column int) []byte {
	start := 0
	if row > 0 {
		start = t.at(row-1, column)
	}
	return of[start:t.at(row, column)]
}

// fits tells whether the ends in a column grow from row to row up to that of the run.
func (t table) fits(of []byte, column int) bool {
	last := 0
	for row := range t.rows() {
		end := t.at(row, column)
		if end < last {
			return false
		}
		last = end
	}
	return last == len(of)
}

// Encode is the index as OpenIndex takes it. It is not to be changed.
func (x *Index) Encode() []byte { return x.src }

// OpenIndex takes an index from Encode, and keeps the bytes. Bytes that are none, or are
// those of another format, are an error.
func OpenIndex(src []byte) (*Index, error) {
	if len(src) < indexTables || string(src[:len(indexFormat)]) != indexFormat ||
		binary.LittleEndian.Uint32(src[len(indexFormat):]) != checksum(src[indexBegin:]) {
		return nil, errIndex
	}
	header := table{src[indexBegin:indexTables], 1}
	rest := src[indexTables:]
	whole := true
	take := func(row, size int) []byte {
		n := uint64(header.at(row, 0)) * uint64(size)
		if n > uint64(len(rest)) {
			whole = false
			return nil
		}
		taken := rest[:n:n]
		rest = rest[n:]
		return taken
	}
	x := &Index{src: src, documents: header.at(0, 0), situations: header.at(1, 0)}
	x.docs = table{take(0, 4*5), 5}
	x.stems = table{take(2, 4*3), 3}
	x.pieces = table{take(3, 4*2), 2}
	for i, run := range []*[]byte{&x.texts, &x.short, &x.body, &x.places, &x.phrases, &x.labels} {
		*run = take(4+i, 1)
	}
	if !whole || len(rest) > 0 ||
		!x.docs.fits(x.phrases, 3) || !x.docs.fits(x.labels, 4) ||
		!x.stems.fits(x.texts, 0) || !x.stems.fits(x.short, 1) || !x.stems.fits(x.body, 2) || !x.pieces.fits(x.places, 1) {
		return nil, errIndex
	}
	return x, nil
}

func checksum(src []byte) uint32 { return crc32.Checksum(src, crc32.MakeTable(crc32.Castagnoli)) }

// Label is that of a document.
func (x *Index) Label(document int) string { return string(x.docs.run(x.labels, document, 4)) }

// Recall ranks the documents for a text, as the function Recall does. An error is a damaged
// index that has the right checksum all the same.
func (x *Index) Recall(text string, most int) ([]Match, error) {
	t := newText(text)
	if len(t.terms) == 0 || x.documents == 0 {
		return nil, nil
	}
	common, err := x.look(t)
	if err != nil {
		return nil, err
	}
	var damaged error
	terms := map[uint64]int{} // by the number of their stem
	for stem, term := range t.known {
		if n, found := x.stem(stem); found {
			terms[uint64(n)] = term
		}
	}
	common.phrases = func(document int) []phrase {
		phrases, err := x.phrasesOf(document, terms)
		if err != nil {
			damaged = err
		}
		return phrases
	}
	matches := newRanking(t, common).matches(most)
	if damaged != nil {
		return nil, damaged
	}
	return matches, nil
}

// look finds what the documents share with a text.
func (x *Index) look(t *text) (s shares, err error) {
	s = shares{
		lengths: make([]lengths, x.documents), situations: x.situations,
		short: make([][]posting, len(t.terms)), body: make([][]posting, len(t.terms)), pieces: make([][]posting, t.grams.n),
	}
	for i := range s.lengths {
		s.lengths[i] = lengths{x.docs.at(i, 0), x.docs.at(i, 1), x.docs.at(i, 2)}
	}
	for stem, term := range t.known {
		n, found := x.stem(stem)
		if !found {
			continue
		}
		if s.short[term], err = x.postings(x.stems.run(x.short, n, 1)); err != nil {
			return s, err
		}
		if s.body[term], err = x.postings(x.stems.run(x.body, n, 2)); err != nil {
			return s, err
		}
	}
	for _, slot := range t.grams.slots {
		if slot.gram == 0 {
			continue
		}
		n, found := sort.Find(x.pieces.rows(), func(i int) int { return int(slot.gram) - x.pieces.at(i, 0) })
		if !found {
			continue
		}
		if s.pieces[slot.n], err = x.postings(x.pieces.run(x.places, n, 1)); err != nil {
			return s, err
		}
	}
	return s, nil
}

// stem is the number of a stem.
func (x *Index) stem(stem string) (n int, found bool) {
	return sort.Find(x.stems.rows(), func(i int) int {
		switch text := x.stems.run(x.texts, i, 0); {
		case string(text) == stem:
			return 0
		case string(text) > stem:
			return -1
		}
		return 1
	})
}

// postings reads a list of documents.
func (x *Index) postings(src []byte) ([]posting, error) {
	list := make([]posting, 0, len(src)/2)
	document := -1
	for len(src) > 0 {
		distance, n := binary.Uvarint(src)
		count, m := binary.Uvarint(src[max(n, 0):])
		if n <= 0 || m <= 0 || distance == 0 || distance >= uint64(x.documents-document) || count == 0 || count > mostCounted {
			return nil, errIndex
		}
		document += int(distance)
		list = append(list, posting{int32(document), uint16(count)})
		src = src[n+m:]
	}
	return list, nil
}

// phrasesOf are the phrases of a document that share anything with a text, whose terms are
// given by the numbers of their stems.
func (x *Index) phrasesOf(document int, terms map[uint64]int) ([]phrase, error) {
	var phrases []phrase
	src := x.docs.run(x.phrases, document, 3)
	for len(src) > 0 {
		length, n := binary.Uvarint(src)
		if n <= 0 {
			return nil, errIndex
		}
		src = src[n:]
		var p phrase
		for range length {
			stem, n := binary.Uvarint(src)
			if n <= 0 {
				return nil, errIndex
			}
			src = src[n:]
			if term, shared := terms[stem]; !shared {
				p.others++
			} else if !slices.Contains(p.shared, term) {
				p.shared = append(p.shared, term)
			}
		}
		if len(p.shared) > 0 {
			phrases = append(phrases, p)
		}
	}
	return phrases, nil
}

package rank

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// NewIndex reads documents. It panics if they are too long for numbers of 32 bits: some
// GiB.
func NewIndex(documents []Document) *Index {
	b := builder{words: map[string]*indexWord{}, stems: map[string]*indexStem{}, pieces: map[uint32]*listed{}}
	for i := range documents {
		b.add(int32(i), &documents[i])
	}
	x, err := OpenIndex(b.encode())
	if err != nil {
		panic("rank: documents of more than 4 GiB")
	}
	return x
}

// builder reads documents one by one.
type builder struct {
	words  map[string]*indexWord
	stems  map[string]*indexStem
	pieces map[uint32]*listed
	docs   []indexDocument

	situations    int
	touchedShort  []*listed // of the document that is being read
	touchedBody   []*listed
	touchedPieces []*listed
}

// indexWord is what is known of a word that stands in documents.
type indexWord struct {
	stem   *indexStem // nil: the word is small
	pieces []*listed
}

// indexStem is a stem of words in documents.
type indexStem struct {
	text        string
	n           int // in order of the texts
	short, body listed
}

// listed is anything that documents have, and which of them have it.
type listed struct {
	postings []posting
	piece    uint32
	count    int // in the document that is being read
}

// indexDocument is what is kept of a document.
type indexDocument struct {
	lengths
	phrases [][]*indexStem
	label   string
}

// add counts once more in the document that is being read.
func (l *listed) add(touched *[]*listed) {
	if l.count == 0 {
		*touched = append(*touched, l)
	}
	l.count++
}

// closeLists ends the reading of a document; most is what its counts are cut to.
func closeLists(touched *[]*listed, document int32, most int) {
	for _, l := range *touched {
		l.postings = append(l.postings, posting{document, uint16(min(l.count, most))})
		l.count = 0
	}
	*touched = (*touched)[:0]
}

// word is what is known of a word. Its pieces are looked up once they are asked for: most
// words of bodies stand in no short field.
func (b *builder) word(text []byte) *indexWord {
	if w, known := b.words[string(text)]; known {
		return w
	}
	w := &indexWord{}
	if !smallWords.has(text) {
		stem := stemOf(string(text))
		if w.stem = b.stems[stem]; w.stem == nil {
			w.stem = &indexStem{text: stem}
			b.stems[stem] = w.stem
		}
	}
	b.words[string(text)] = w
	return w
}

func (b *builder) piecesOf(w *indexWord, text []byte) []*listed {
	if w.pieces == nil {
		eachGram(text, func(gram uint32) {
			l := b.pieces[gram]
			if l == nil {
				l = &listed{piece: gram}
				b.pieces[gram] = l
			}
			w.pieces = append(w.pieces, l)
		})
	}
	return w.pieces
}

func (b *builder) add(document int32, d *Document) {
	n := indexDocument{label: d.Label}
	trigger := map[string]bool{}
	eachWord(d.Trigger, func(word []byte) { trigger[string(word)] = true })
	b.phrase(&n, d.Trigger, nil)
	b.phrase(&n, d.Title, trigger)
	b.phrase(&n, d.Description, nil)
	for _, s := range d.Situations {
		b.phrase(&n, s, nil)
	}
	b.situations += len(d.Situations)
	eachWord(d.Body, func(word []byte) {
		n.body++
		if w := b.word(word); w.stem != nil {
			w.stem.body.add(&b.touchedBody)
		}
	})
	closeLists(&b.touchedShort, document, mostCounted)
	closeLists(&b.touchedBody, document, mostCounted)
	closeLists(&b.touchedPieces, document, mostPieces)
	b.docs = append(b.docs, n)
}

// phrase reads a short field, as counter.phrase does.
func (b *builder) phrase(n *indexDocument, s string, known map[string]bool) {
	var stems []*indexStem
	eachWord(s, func(word []byte) {
		if known[string(word)] {
			return
		}
		w := b.word(word)
		for _, piece := range b.piecesOf(w, word) {
			n.grams++
			piece.add(&b.touchedPieces)
		}
		if w.stem != nil {
			n.short++
			w.stem.short.add(&b.touchedShort)
			stems = append(stems, w.stem)
		}
	})
	if len(stems) > 0 && known == nil {
		n.phrases = append(n.phrases, stems)
	}
}

// encode lays the index out; see Index.
func (b *builder) encode() []byte {
	stems := make([]*indexStem, 0, len(b.stems))
	for _, s := range b.stems {
		stems = append(stems, s)
	}
	slices.SortFunc(stems, func(a, b *indexStem) int { return cmp.Compare(a.text, b.text) })
	pieces := make([]*listed, 0, len(b.pieces))
	for _, p := range b.pieces {
		pieces = append(pieces, p)
	}
	slices.SortFunc(pieces, func(a, b *listed) int { return cmp.Compare(a.piece, b.piece) })

	var docTable, stemTable, pieceTable []byte
	var texts, short, body, places, phrases, labels []byte
	for n, s := range stems {
		s.n = n
		texts = append(texts, s.text...)
		short, body = s.short.append(short), s.body.append(body)
		stemTable = appendNumbers(stemTable, len(texts), len(short), len(body))
	}
	for _, p := range pieces {
		places = p.append(places)
		pieceTable = appendNumbers(pieceTable, int(p.piece), len(places))
	}
	for _, d := range b.docs {
		for _, p := range d.phrases {
			phrases = binary.AppendUvarint(phrases, uint64(len(p)))
			for _, s := range p {
				phrases = binary.AppendUvarint(phrases, uint64(s.n))
			}
		}
		labels = append(labels, d.label...)
		docTable = appendNumbers(docTable, d.short, d.body, d.grams, len(phrases), len(labels))
	}
	out := append([]byte(indexFormat), 0, 0, 0, 0)
	out = appendNumbers(out, len(b.docs), b.situations, len(stems), len(pieces),
		len(texts), len(short), len(body), len(places), len(phrases), len(labels))
	out = slices.Concat(out, docTable, stemTable, pieceTable, texts, short, body, places, phrases, labels)
	binary.LittleEndian.PutUint32(out[len(indexFormat):], checksum(out[indexBegin:]))
	return out
}

// append adds the list to the run of lists of its kind.
func (l *listed) append(run []byte) []byte {
	last := int32(-1)
	for _, p := range l.postings {
		run = binary.AppendUvarint(run, uint64(p.document-last))
		run = binary.AppendUvarint(run, uint64(p.count))
		last = p.document
	}
	return run
}

func appendNumbers(out []byte, numbers ...int) []byte {
	for _, n := range numbers {
		out = binary.LittleEndian.AppendUint32(out, uint32(n))
	}
	return out
}

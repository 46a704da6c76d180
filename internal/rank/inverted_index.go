package rank

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"slices"

	"whence/internal/parallel"
	"whence/internal/text"
)

// Index holds documents split into words. Each different word is looked up once per text, however
// often it occurs.
//
// It is a byte slice, read in place. All numbers are 32 bits, little-endian:
//
//	format    indexFormat, 8 bytes
//	checksum  CRC-32C of all that follows
//	header    number of documents, situations, words of the short fields, words, numbers in
//	          short and body, bytes of texts and labels, dimensions of the latent semantics
//	documents for each its ends in short, body and labels
//	words     for each its end in texts; first those of the short fields
//	short     for each document its short fields: twice the number of words, and one more
//	          for the title, which is not a phrase; then the words
//	body      for each document the words of its body
//	texts     of the words
//	labels    of the documents
//	latent    for each document its latent semantics, if there are any: see latent.go
//
// The first range of a table begins at 0, any other one at the end of the one before. Stems, small
// words and grams are not in it, so they may change without a new format; the latent semantics depend
// on stems and small words.
type Index struct {
	src                           []byte
	documents, words, short, body table
	situations, shortWords        int
	texts, labels                 []byte
	dimensions                    int
	latent                        []byte
}

// indexFormat names the layout and how texts are split into words.
const indexFormat = "recall02"

const (
	indexBegin  = len(indexFormat) + 4 // of what the checksum covers
	indexHeader = 9                    // numbers
	indexTables = indexBegin + 4*indexHeader
)

const minWordBytes = 2

// ErrIndex reports that bytes are not an index.
var ErrIndex = errors.New("not an index of recall: build it again")

// The columns of the documents, and their number.
const (
	shortEnd = iota
	bodyEnd
	labelEnd
	documentColumns
)

// table is a table of numbers.
type table struct {
	src     []byte
	columns int
}

func (t table) rows() int { return len(t.src) / (4 * t.columns) }

func (t table) at(row, column int) int {
	return int(binary.LittleEndian.Uint32(t.src[4*(row*t.columns+column):]))
}

// span returns the range of a row, whose end is in a column.
func (t table) span(row, column int) (start, end int) {
	if row > 0 {
		start = t.at(row-1, column)
	}
	return start, t.at(row, column)
}

// fits reports whether the ends in a column grow from row to row by minGrowth or more, up to a
// length.
func (t table) fits(column, minGrowth, length int) bool {
	last := 0
	for row := range t.rows() {
		end := t.at(row, column)
		if end < last+minGrowth {
			return false
		}
		last = end
	}
	return last == length
}

// NewIndex splits documents into words. It panics if they need numbers of more than 32 bits.
func NewIndex(documents []Document) *Index {
	b := newIndexBuilder(documents)
	var labels []byte
	situations := 0
	for i := range documents {
		d := &documents[i]
		trigger := map[string]bool{}
		text.EachWord(d.Trigger, func(word []byte) { trigger[string(word)] = true })
		b.field(d.Trigger, 0, nil)
		b.field(d.Title, 1, trigger)
		b.field(d.Description, 0, nil)
		for _, s := range d.Situations {
			b.field(s, 0, nil)
		}
		situations += len(d.Situations)
		labels = append(labels, d.Label...)
		b.ends[i][shortEnd], b.ends[i][labelEnd] = len(b.short)/4, len(labels)
	}
	shortWords := len(b.known)
	for i := range documents {
		text.EachWord(documents[i].Body, func(word []byte) { b.body = appendNumbers(b.body, b.word(word)) })
		b.ends[i][bodyEnd] = len(b.body) / 4
	}
	src := append([]byte(indexFormat), 0, 0, 0, 0)
	src = appendNumbers(src, len(documents), situations, shortWords, len(b.known), len(b.short)/4, len(b.body)/4, len(b.texts), len(labels), 0)
	for _, ends := range b.ends {
		src = appendNumbers(src, ends[:]...)
	}
	for _, run := range [][]byte{b.words, b.short, b.body, b.texts, labels} {
		src = append(src, run...)
	}
	return sealed(src)
}

// sealed opens an index that has no checksum yet.
func sealed(src []byte) *Index {
	binary.LittleEndian.PutUint32(src[len(indexFormat):], checksum(src))
	x, err := OpenIndex(src)
	if err != nil {
		panic("rank: the documents are too long for an index")
	}
	return x
}

// indexBuilder holds the words of the documents read so far.
type indexBuilder struct {
	known                     map[string]int // the numbers of the words
	ends                      [][documentColumns]int
	words, short, body, texts []byte
}

// newIndexBuilder reserves memory for a word per six bytes of the documents, and a new word per
// fifty.
func newIndexBuilder(documents []Document) *indexBuilder {
	short, body := 0, 0
	for i := range documents {
		d := &documents[i]
		short += len(d.Trigger) + len(d.Title) + len(d.Description)
		for _, s := range d.Situations {
			short += len(s)
		}
		body += len(d.Body)
	}
	return &indexBuilder{
		known: make(map[string]int, (short+body)/50), ends: make([][documentColumns]int, len(documents)),
		short: make([]byte, 0, 4*short/6), body: make([]byte, 0, 4*body/6),
	}
}

// word returns the number of a word, and adds new words.
func (b *indexBuilder) word(text []byte) int {
	n, known := b.known[string(text)]
	if !known {
		n = len(b.known)
		b.known[string(text)] = n
		b.texts = append(b.texts, text...)
		b.words = appendNumbers(b.words, len(b.texts))
	}
	return n
}

// field adds a short field without its known words: most titles repeat the trigger. The title is 1,
// a phrase 0.
func (b *indexBuilder) field(s string, title int, known map[string]bool) {
	head, n := len(b.short), 0
	b.short = appendNumbers(b.short, 0)
	text.EachWord(s, func(word []byte) {
		if !known[string(word)] {
			b.short = appendNumbers(b.short, b.word(word))
			n++
		}
	})
	binary.LittleEndian.PutUint32(b.short[head:], uint32(2*n+title))
}

func appendNumbers(out []byte, numbers ...int) []byte {
	for _, n := range numbers {
		out = binary.LittleEndian.AppendUint32(out, uint32(n))
	}
	return out
}

func checksum(src []byte) uint32 {
	return crc32.Checksum(src[indexBegin:], crc32.MakeTable(crc32.Castagnoli))
}

// Encode returns the index for OpenIndex. The bytes must not be changed.
func (x *Index) Encode() []byte { return x.src }

// OpenIndex opens an index from Encode, which uses the bytes. Other bytes, and other formats, are
// ErrIndex.
func OpenIndex(src []byte) (*Index, error) {
	if len(src) < indexTables || string(src[:len(indexFormat)]) != indexFormat ||
		binary.LittleEndian.Uint32(src[len(indexFormat):]) != checksum(src) {
		return nil, ErrIndex
	}
	header, rest, whole := table{src[indexBegin:indexTables], 1}, src[indexTables:], true
	take := func(row, size int) []byte {
		n := uint64(uint32(header.at(row, 0))) * uint64(size)
		if n > uint64(len(rest)) {
			whole = false
			return nil
		}
		taken := rest[:n:n]
		rest = rest[n:]
		return taken
	}
	x := &Index{src: src, situations: header.at(1, 0), shortWords: header.at(2, 0)}
	x.documents = table{take(0, 4*documentColumns), documentColumns}
	x.words, x.short, x.body = table{take(3, 4), 1}, table{take(4, 4), 1}, table{take(5, 4), 1}
	x.texts, x.labels = take(6, 1), take(7, 1)
	if x.dimensions = header.at(8, 0); x.dimensions < 0 || x.dimensions > maxDimensions {
		return nil, ErrIndex
	} else if x.dimensions > 0 {
		x.latent = take(0, latentRowBytes(x.dimensions))
	}
	if !whole || len(rest) > 0 || x.shortWords < 0 || x.shortWords > x.words.rows() || !x.words.fits(0, minWordBytes, len(x.texts)) ||
		!x.documents.fits(shortEnd, 0, x.short.rows()) || !x.documents.fits(bodyEnd, 0, x.body.rows()) || !x.documents.fits(labelEnd, 0, len(x.labels)) {
		return nil, ErrIndex
	}
	return x, nil
}

// Label returns the label of a document.
func (x *Index) Label(document int) string {
	start, end := x.documents.span(document, labelEnd)
	return string(x.labels[start:end])
}

// Recall returns the documents that may apply to a text which names none of them: a prompt, a command
// with its error, the beginning of a file. Those that share a word with the text are scored. A score
// is the sum of three parts, with the weights in term_weights.go:
//
//	words    BM25 over the stems of the short fields: trigger, title, description and
//	         situations, which say when a decision applies
//	body     the same over the body of the section
//	grams    BM25 over the three-byte grams of the words of the short fields, a space
//	         on both sides of each word included
//
// Without situations, the body counts for more and the grams for less. Rarity replaces BM25's idf. It
// is how well a word distinguishes documents: 1 for a word that none has, near 0 for one that all have.
//
// If the index has latent semantics, similarityWeight times the similarity is added to the score,
// which is first divided by the best score. Some document always comes first, so the score does not
// say whether it applies. The gate estimates that, for the first candidates in this order: the
// probability of each, from the features of gate.go. The caller decides how much is enough.
//
// An example, which is a test. Of three entries, one is
//
//	/when retrying a call | Retries | attempts, jitter, upper bound
//	situations: the client hammers the server after a timeout
//
// and the text is "timeouts: our client retries forever". Its words are timeout, client, retri and
// forev, by their stems; "our" is a small word. A word in one of three documents (counted as one
// of 50) has a rarity of ln(1+49.5/1.5)/ln(1+50.5/0.5) = 0.76; forev is in none and has 1. The
// short fields have 12 words, a little more than the mean, so a word that occurs once counts 0.98:
// timeout and client add 0.75 each. Retri occurs twice and adds 1.07. Words are 2.56, grams 16.84, and
// the body has no word of the text. With one situation per document, grams have a weight of 0.2: the
// score is 2.56 + 0.2·16.84 = 5.93. Of the features, for example, the phrase share is 0.42: the
// situation has timeout and client, together 1.52, and three other words, counted as 0.7 each. The
// gate without latent semantics returns a probability of 0.62.
//
// Recall returns at most maxMatches documents, the best first, see Sort; equal ones keep their order.
// ErrIndex reports an index that is damaged but has the right checksum.
func (x *Index) Recall(text string, maxMatches int) ([]Match, error) {
	t := newQuery(text)
	if len(t.terms) == 0 || x.documents.rows() == 0 {
		return nil, nil
	}
	words, grams := x.inText(t)
	all := t.newCounts(x.documents.rows())
	valid := make([]bool, len(all))
	parallel.For(len(all), func(i int) { valid[i] = x.count(&all[i], i, words, grams) })
	if slices.Contains(valid, false) {
		return nil, ErrIndex
	}
	return newRanking(t, all, x.situations, x.similarities(t, all)).matches(maxMatches), nil
}

// indexWord describes a word for a recall.
type indexWord struct {
	term                  int32 // or -1
	small                 bool
	grams                 int32 // number of grams
	firstGram, afterGrams int32 // the grams in the text, in a list for all words
}

// inText looks up the words of the index in a text.
func (x *Index) inText(t *query) (words []indexWord, grams []uint16) {
	words = make([]indexWord, x.words.rows())
	end := 0
	for i := range words {
		w, start := &words[i], end
		end = x.words.at(i, 0)
		word := x.texts[start:end]
		w.term = -1
		if t.begin[beginning(word)] { // else it needs no stem
			if term, shared := t.known[text.StemOf(string(word))]; shared && !text.IsSmallWord(word) {
				w.term = int32(term)
			}
		}
		if i >= x.shortWords {
			continue
		}
		w.small = w.term < 0 && text.IsSmallWord(word)
		w.grams, w.firstGram = int32(len(word)), int32(len(grams))
		eachGram(word, func(gram uint32) {
			if n := t.grams.number(gram); n >= 0 {
				grams = append(grams, uint16(n))
			}
		})
		w.afterGrams = int32(len(grams))
	}
	return words, grams
}

// count counts the words of a document. It returns false if the document is damaged.
func (x *Index) count(n *counts, document int, words []indexWord, grams []uint16) bool {
	at, end := x.documents.span(document, shortEnd)
	for at < end {
		var p phrase
		field := uint32(x.short.at(at, 0))
		at++
		if uint64(field/2) > uint64(end-at) {
			return false
		}
		for range field / 2 {
			i := uint32(x.short.at(at, 0))
			at++
			if uint64(i) >= uint64(x.shortWords) {
				return false
			}
			w := &words[i]
			n.gramLen += int(w.grams)
			for _, gram := range grams[w.firstGram:w.afterGrams] {
				n.addGram(int(gram))
			}
			n.addShort(&p, int(w.term), w.small)
		}
		if len(p.shared) > 0 && field%2 == 0 {
			n.phrases = append(n.phrases, p)
		}
	}
	for at, end := x.documents.span(document, bodyEnd); at < end; at++ {
		i := uint32(x.body.at(at, 0))
		if uint64(i) >= uint64(len(words)) {
			return false
		}
		n.addBody(int(words[i].term))
	}
	return true
}

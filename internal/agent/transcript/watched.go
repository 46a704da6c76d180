package transcript

import (
	"hash/maphash"
	"io"
)

// Watched remembers what was read from a transcript, so that a change during the reading shows: an
// agent may rewrite it in place, and a line read meanwhile may be half old, half new.
type Watched struct {
	src   io.ReaderAt
	seed  maphash.Seed
	spans []span
}

type span struct {
	at  int64
	len int
	sum uint64
}

// Watch returns a transcript of which nothing has been read.
func Watch(src io.ReaderAt) *Watched { return &Watched{src: src, seed: maphash.MakeSeed()} }

// ReadAt reads, and remembers a hash of what it has read.
func (w *Watched) ReadAt(p []byte, at int64) (int, error) {
	n, err := w.src.ReadAt(p, at)
	w.spans = append(w.spans, span{at, n, maphash.Bytes(w.seed, p[:n])})
	return n, err
}

// Unchanged reads all of it again, and reports whether it is as it was.
func (w *Watched) Unchanged() bool {
	var buf []byte
	for _, s := range w.spans {
		buf = append(buf[:0], make([]byte, s.len)...)
		n, _ := w.src.ReadAt(buf, s.at) // an error leaves less than was read before
		if n != s.len || maphash.Bytes(w.seed, buf) != s.sum {
			return false
		}
	}
	return true
}

package transcript

import (
	"bytes"
	"errors"
	"io"
)

// MaxLineBytes limits the lines that are read. Longer ones, nearly always images, are skipped.
const MaxLineBytes = 8 << 20

// chunkBytes is the size of a read.
const chunkBytes = 256 << 10

// lines iterates over the lines of a transcript.
type lines struct {
	src  io.ReaderAt
	at   int64 // position of the next read
	size int64
	buf  []byte // read bytes
	used int    // returned bytes of buf

	line    []byte // with its line end; only its last bytes if it is too long
	end     int64  // of the line, in the transcript
	tooLong bool
	err     error // that ended the iteration early
}

func newLines(src io.ReaderAt, from, size int64) *lines {
	return &lines{src: src, at: from, end: from, size: size}
}

// next advances to the next complete line.
func (l *lines) next() bool {
	l.tooLong = false
	skipped := int64(0) // bytes of this line that are no longer in buf
	searched := 0       // bytes of buf without a line end
	for {
		rest := l.buf[l.used:]
		if i := bytes.IndexByte(rest[searched:], '\n'); i >= 0 {
			l.line = rest[:searched+i+1]
			l.used += len(l.line)
			l.end += skipped + int64(len(l.line))
			l.tooLong = l.tooLong || len(l.line) > MaxLineBytes
			return true
		}
		searched = len(rest)
		if searched > MaxLineBytes {
			drop := searched - maxHashedBytes
			l.used += drop
			skipped += int64(drop)
			searched -= drop
			l.tooLong = true
		}
		if !l.fill() {
			return false
		}
	}
}

// fill reads a chunk, in the place of returned bytes.
func (l *lines) fill() bool {
	if l.at >= l.size || l.err != nil {
		return false
	}
	n := copy(l.buf, l.buf[l.used:])
	l.buf, l.used = l.buf[:n], 0
	want := int(min(chunkBytes, l.size-l.at))
	if cap(l.buf)-n < want {
		l.buf = append(make([]byte, 0, max(n+want, min(2*cap(l.buf), MaxLineBytes+2*chunkBytes))), l.buf...)
	}
	got, err := l.src.ReadAt(l.buf[n:n+want], l.at)
	l.buf = l.buf[:n+got]
	l.at += int64(got)
	if err != nil && !errors.Is(err, io.EOF) {
		l.err = err
	}
	return got > 0
}

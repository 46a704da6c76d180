package transcript

import (
	"bytes"
	"errors"
	"io"
)

// LongestLine is how many bytes of a line are held. What is longer is nearly always an
// image; it is passed over.
const LongestLine = 8 << 20

// readAtOnce is how many bytes are read at once.
const readAtOnce = 256 << 10

// lines goes over the lines of a transcript.
type lines struct {
	src  io.ReaderAt
	at   int64 // where the next bytes are read
	size int64
	buf  []byte // read, and not handed out
	used int    // of buf: handed out

	line    []byte // with its end; only the end of it if it is too long
	end     int64  // of the line, in the transcript
	tooLong bool
	err     error // why there are no more lines, if not for want of them
}

func newLines(src io.ReaderAt, from, size int64) *lines {
	return &lines{src: src, at: from, end: from, size: size}
}

// next goes to the next line that is whole.
func (l *lines) next() bool {
	l.tooLong = false
	skipped := int64(0) // of this line, not in buf any more
	searched := 0       // of what is in buf, without an end
	for {
		rest := l.buf[l.used:]
		if i := bytes.IndexByte(rest[searched:], '\n'); i >= 0 {
			l.line = rest[:searched+i+1]
			l.used += len(l.line)
			l.end += skipped + int64(len(l.line))
			l.tooLong = l.tooLong || len(l.line) > LongestLine
			return true
		}
		searched = len(rest)
		if searched > LongestLine {
			drop := searched - hashedEnd
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

// fill reads on; what was handed out makes room.
func (l *lines) fill() bool {
	if l.at >= l.size || l.err != nil {
		return false
	}
	n := copy(l.buf, l.buf[l.used:])
	l.buf, l.used = l.buf[:n], 0
	want := int(min(readAtOnce, l.size-l.at))
	if cap(l.buf)-n < want {
		l.buf = append(make([]byte, 0, max(n+want, min(2*cap(l.buf), LongestLine+2*readAtOnce))), l.buf...)
	}
	got, err := l.src.ReadAt(l.buf[n:n+want], l.at)
	l.buf = l.buf[:n+got]
	l.at += int64(got)
	if err != nil && !errors.Is(err, io.EOF) {
		l.err = err
	}
	return got > 0
}

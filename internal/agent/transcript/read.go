package transcript

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// Read calls a function with each record after a cursor, and returns the cursor after the last
// one, and whether it has begun anew: at the beginning of a transcript that was rewritten without the last
// record that was read. Size is the current length of the transcript. If the function returns an error, Read
// returns it, with the cursor before that record.
func Read(src io.ReaderAt, size int64, from Cursor, take func(Record) error) (next Cursor, anew bool, err error) {
	current, err := from.isCurrent(src, size)
	if err == nil && !current {
		var found bool
		from, found, err = from.find(src, size)
		anew = !found
	}
	if err != nil {
		return from, anew, fmt.Errorf("read the transcript: %w", err)
	}
	format, c := beginning(src, min(size, from.Offset), size)
	if from.Told > 0 && from.Told < from.Offset {
		if told := newLines(src, from.Told, size); told.next() && !told.tooLong {
			format.parse(told.line, &c)
		}
	}
	c.Event = from.Event
	lines := newLines(src, from.Offset, size)
	var last []byte // the end of the line of the last record
	cursor := func() Cursor {
		if last != nil {
			from.Length, from.Hash = len(last), hashOf(last)
		}
		return from
	}
	for lines.next() {
		var records []Record
		before := c
		if !lines.tooLong {
			records = format.parse(lines.line, &c)
		}
		next := from.past(lines.end)
		next.Event, before.Event = c.Event, c.Event
		if c != before { // the line says where the session is from now on
			next.Told = from.Offset
		}
		for _, r := range records {
			if err := take(r); err != nil {
				return cursor(), anew, err
			}
			next.UUID = r.UUID
		}
		if len(records) > 0 {
			next.Passed, last = 0, append(last[:0], hashed(lines.line)...)
		}
		from = next
	}
	if lines.err != nil {
		return cursor(), anew, fmt.Errorf("read the transcript: %w", lines.err)
	}
	return cursor(), anew, nil
}

// maxHeadLines is the number of lines at the beginning of a transcript that say where it is from:
// Gemini CLI writes two, the others one.
const maxHeadLines = 3

// maxFirstBytes is how much of the first line tells the format. Codex writes it in 100 bytes, Gemini
// CLI in 200.
const maxFirstBytes = 1 << 10

// beginning returns the format of a transcript, and what lines after an offset take from its first
// ones.
func beginning(src io.ReaderAt, offset, size int64) (f format, c carried) {
	_, f = formatOf(firstOf(src, size))
	lines := newLines(src, 0, offset)
	for range maxHeadLines {
		if !lines.next() {
			break
		}
		if !lines.tooLong {
			f.parse(lines.line, &c)
		}
	}
	return f, c
}

// firstOf returns the beginning of the first line.
func firstOf(src io.ReaderAt, size int64) []byte {
	first := make([]byte, min(size, maxFirstBytes))
	n, _ := src.ReadAt(first, 0)
	line, _, _ := bytes.Cut(first[:n], []byte("\n"))
	return line
}

// MaxLineBytes limits the lines that are read. Longer ones, nearly always images, are skipped.
const MaxLineBytes = 8 << 20

// chunkBytes is the size of a read.
const chunkBytes = 256 << 10

// lines iterates over the complete lines of a transcript.
type lines struct {
	in *bufio.Reader

	line    []byte // with its line end; only its last bytes if it is too long
	end     int64  // of the line, in the transcript
	tooLong bool
	err     error // that ended the iteration early
}

func newLines(src io.ReaderAt, from, size int64) *lines {
	section := io.NewSectionReader(src, from, max(0, size-from))
	return &lines{in: bufio.NewReaderSize(section, int(min(chunkBytes, section.Size()))), end: from}
}

// next advances to the next complete line.
func (l *lines) next() bool {
	l.line, l.tooLong = l.line[:0], false
	for length := int64(0); ; {
		part, err := l.in.ReadSlice('\n')
		length += int64(len(part))
		l.line = append(l.line, part...)
		if len(l.line) > MaxLineBytes {
			l.line, l.tooLong = append(l.line[:0], hashed(l.line)...), true
		}
		if err == nil {
			l.end += length
			return true
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if !errors.Is(err, io.EOF) {
			l.err = err
		}
		return false
	}
}

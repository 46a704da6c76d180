package transcript

import (
	"bytes"
	"fmt"
	"io"
)

// Start is the position at which reading began.
type Start int

const (
	Onwards Start = iota // after what was read before, or at the beginning
	Found                // the transcript was rewritten: after the last record that was read
	Anew                 // the transcript was rewritten: at its beginning
)

// Read calls a function with each record after a cursor, and returns the cursor after the last
// one. Size is the current length of the transcript. If the function returns an error, Read
// returns it, with the cursor before that record.
func Read(src io.ReaderAt, size int64, from Cursor, take func(Record) error) (Cursor, Start, error) {
	start := Onwards
	current, err := from.isCurrent(src, size)
	if err == nil && !current {
		start = Anew
		var found bool
		if from, found, err = from.find(src, size); found {
			start = Found
		}
	}
	if err != nil {
		return from, start, fmt.Errorf("read the transcript: %w", err)
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
			records, _ = format.parse(lines.line, &c)
		}
		next := from.past(lines.end)
		next.Event, before.Event = c.Event, c.Event
		if c != before { // the line says where the session is from now on
			next.Told = from.Offset
		}
		for _, r := range records {
			if err := take(r); err != nil {
				return cursor(), start, err
			}
			next.UUID = r.UUID
		}
		if len(records) > 0 {
			next.Passed, last = 0, append(last[:0], hashed(lines.line)...)
		}
		from = next
	}
	if lines.err != nil {
		return cursor(), start, fmt.Errorf("read the transcript: %w", lines.err)
	}
	return cursor(), start, nil
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

package transcript

import (
	"bytes"
	"fmt"
	"io"
)

// Start is the position at which reading began.
type Start int

// The starts.
const (
	Onwards Start = iota // after what was read before, or at the beginning
	Found                // the transcript was rewritten: after the last record that was read
	Anew                 // the transcript was rewritten: at its beginning
)

// Stats counts what was read.
type Stats struct {
	Start   Start
	Lines   int
	Records int
	Broken  int   // lines that are not JSON
	Odd     int   // lines that are JSON, but not records
	Long    int   // lines that are longer than MaxLineBytes
	Waiting int64 // bytes of an incomplete last line
}

// Read calls a function with each record after a cursor, and returns the cursor after the last
// one. Size is the current length of the transcript. If the function returns an error, Read
// returns it, with the cursor before that record.
func Read(src io.ReaderAt, size int64, from Cursor, take func(Record) error) (Cursor, Stats, error) {
	var s Stats
	current, err := from.isCurrent(src, size)
	if err != nil {
		return from, s, fmt.Errorf("read the transcript: %w", err)
	}
	if !current {
		at, found, err := from.find(src, size)
		if err != nil {
			return from, s, fmt.Errorf("read the transcript: %w", err)
		}
		from, s.Start = at, Anew
		if found {
			s.Start = Found
		}
	}
	lines := newLines(src, from.Offset, size)
	for lines.next() {
		s.Lines++
		next := from.past(lines.end)
		switch {
		case lines.tooLong:
			s.Long++
		case len(bytes.TrimSpace(lines.line)) == 0:
		default:
			r, err := parse(lines.line)
			switch {
			case err == errBroken:
				s.Broken++
			case err == errOdd:
				s.Odd++
			default:
				if err := take(r); err != nil {
					return from, s, err
				}
				s.Records++
				next = from.after(lines.end, lines.line)
				next.UUID = r.UUID
			}
		}
		from = next
	}
	if lines.err != nil {
		return from, s, fmt.Errorf("read the transcript: %w", lines.err)
	}
	s.Waiting = size - from.Offset
	return from, s, nil
}

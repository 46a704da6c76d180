package transcript

import (
	"bytes"
	"fmt"
	"io"
)

// Start tells where reading began.
type Start int

// The starts.
const (
	Onwards Start = iota // behind what was read before, or at the front if nothing was
	Found                // the transcript was written anew, behind the last record that was read
	Anew                 // the transcript was written anew, at its front
)

// Stats tell what was read.
type Stats struct {
	Start   Start
	Lines   int
	Records int
	Broken  int   // lines that are no JSON
	Odd     int   // lines that are JSON, but no record
	Long    int   // lines that are longer than LongestLine
	Waiting int64 // bytes of a line at the end that has no end yet
}

// Read hands the records behind a cursor to a function and returns the cursor behind the
// last one. Size is how long the transcript is now. If the function returns an error, that
// is returned, and the cursor stands before its record.
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

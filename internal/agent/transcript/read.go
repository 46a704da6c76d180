package transcript

import (
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
	lines := newLines(src, from.Offset, size)
	for lines.next() {
		next := from.past(lines.end)
		if !lines.tooLong {
			if r, ok := parse(lines.line); ok {
				if err := take(r); err != nil {
					return from, start, err
				}
				next = from.after(lines.end, lines.line)
				next.UUID = r.UUID
			}
		}
		from = next
	}
	if lines.err != nil {
		return from, start, fmt.Errorf("read the transcript: %w", lines.err)
	}
	return from, start, nil
}

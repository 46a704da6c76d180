package transcript

import (
	"iter"

	"whence/internal/parallel"
)

// parsedLine is a line with its records.
type parsedLine struct {
	end     int64 // in the transcript
	records []Record
	tail    []byte // what is hashed of it, if it has records; valid until the next line
	tells   bool   // where the session is from now on
	event   string // of Codex: at which hooks inject something now
}

// How much is parsed at a time, and how many batches at most beside the one that is taken.
const (
	batchLines = 64
	batchBytes = 256 << 10
	maxAhead   = 2
)

// batch holds lines.
type batch struct {
	text  []byte // of all, one after the other
	ends  []int  // of each in text; nothing is kept of one that is too long
	lines []parsedLine
}

// parseAhead returns the lines, parsed in other goroutines: parsing takes longer than all that is done
// with records. They do not use the source. A panic of theirs is raised here, and when the loop ends,
// they have, too.
func (f format) parseAhead(lines *lines, c carried) iter.Seq[parsedLine] {
	most := maxAhead
	if f.carries {
		most = 1
	}
	return func(yield func(parsedLine) bool) {
		var started []func() *batch
		defer func() {
			for _, wait := range started {
				wait()
			}
		}()
		used := &batch{}
		start := func() (more bool) {
			b := used
			if used = nil; b == nil {
				b = &batch{}
			}
			if more = b.read(lines); more {
				started = append(started, parallel.Start(func() *batch {
					f.parseAll(b, &c)
					return b
				}))
			}
			return more
		}
		for {
			for len(started) < most && start() {
			}
			if len(started) == 0 {
				return
			}
			b := started[0]()
			started = started[1:]
			start()
			for _, line := range b.lines {
				if !yield(line) {
					return
				}
			}
			used = b
		}
	}
}

// read reads lines until the batch is full; it returns false if there are none.
func (b *batch) read(lines *lines) bool {
	*b = batch{text: b.text[:0], ends: b.ends[:0], lines: b.lines[:0]}
	for len(b.lines) < batchLines && len(b.text) < batchBytes && lines.next() {
		if !lines.tooLong {
			b.text = append(b.text, lines.line...)
		}
		b.ends, b.lines = append(b.ends, len(b.text)), append(b.lines, parsedLine{end: lines.end})
	}
	return len(b.lines) > 0
}

// parseAll parses the lines of a batch. It writes to c only if the format carries something.
func (f format) parseAll(b *batch, c *carried) {
	begin := 0
	for i := range b.lines {
		line, text := &b.lines[i], b.text[begin:b.ends[i]]
		begin = b.ends[i]
		before := *c
		line.records, _ = f.parse(text, c)
		line.tail = hashed(text)
		line.event, before.Event = c.Event, c.Event
		line.tells = *c != before
	}
}

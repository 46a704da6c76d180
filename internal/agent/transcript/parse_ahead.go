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

// How much is parsed before it is handed over. Two of it are in memory, beside what is being parsed.
const (
	batchLines = 64
	batchBytes = 256 << 10
)

// batch holds lines and their tails, one after the other.
type batch struct {
	lines []parsedLine
	ends  []int // of the tails
	tails []byte
	bytes int
}

// parseAhead returns the lines, parsed in another goroutine: parsing takes longer than all that is done
// with records. A panic of it is raised here. When the loop ends, the goroutine has, too.
func (f format) parseAhead(lines *lines, c carried) iter.Seq[parsedLine] {
	return func(yield func(parsedLine) bool) {
		parsed, used, stop := make(chan *batch), make(chan *batch, 1), make(chan struct{})
		var fault error
		go func() {
			defer close(parsed)
			defer func() {
				if p := recover(); p != nil {
					fault = parallel.Recovered(p)
				}
			}()
			spare := &batch{}
			for more := true; more; {
				b := &batch{}
				if spare != nil {
					b, spare = spare, nil
				}
				more = f.fill(b, lines, &c)
				select {
				case parsed <- b:
				case <-stop:
					return
				}
				select {
				case spare = <-used:
				default:
				}
			}
		}()
		defer func() {
			close(stop)
			for range parsed { // until it ends
			}
		}()
		for b := range parsed {
			begin := 0
			for i, line := range b.lines {
				line.tail, begin = b.tails[begin:b.ends[i]], b.ends[i]
				if !yield(line) {
					return
				}
			}
			select {
			case used <- b:
			default:
			}
		}
		if fault != nil {
			panic(fault)
		}
	}
}

// fill parses lines until the batch is full. It returns false after the last one.
func (f format) fill(b *batch, lines *lines, c *carried) (more bool) {
	*b = batch{lines: b.lines[:0], ends: b.ends[:0], tails: b.tails[:0]}
	for len(b.lines) < batchLines && b.bytes < batchBytes {
		if !lines.next() {
			return false
		}
		line := parsedLine{end: lines.end, event: c.Event}
		if !lines.tooLong {
			before := *c
			line.records, _ = f.parse(lines.line, c)
			line.event = c.Event
			before.Event = c.Event
			line.tells = *c != before
		}
		if len(line.records) > 0 {
			b.tails = append(b.tails, hashed(lines.line)...)
		}
		b.lines, b.ends, b.bytes = append(b.lines, line), append(b.ends, len(b.tails)), b.bytes+len(lines.line)
	}
	return true
}

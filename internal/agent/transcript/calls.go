package transcript

import (
	"bufio"
	"errors"
	"io"
)

// maxCountedBytes is the length of the end of a transcript in which calls are counted.
const maxCountedBytes = 1 << 20

// Calls counts the tool calls of a session's agent, without those of its subagents, in the lines of a transcript from
// an offset on. It returns the offset after the last complete line.
func Calls(src io.ReaderAt, size, from int64) (calls int, next int64, err error) {
	if from > size { // the transcript was rewritten
		from = size
	}
	next = max(from, size-maxCountedBytes) // maybe in the middle of a line, which is skipped
	_, format := formatOf(firstOf(src, size))
	in := bufio.NewReader(io.NewSectionReader(src, next, size-next))
	seen := map[string]bool{} // some agents repeat a message when it grows
	var line []byte
	for c := (carried{}); ; {
		length := int64(0)
		if line, length, err = readLine(in, line[:0]); err != nil {
			break
		}
		next += length
		for _, r := range format.parse(line, &c) {
			for _, b := range r.Blocks {
				if b.Kind == Use && !r.Sidechain && (b.Tool == "" || !seen[b.Tool]) {
					seen[b.Tool] = true
					calls++
				}
			}
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return calls, next, err
}

package transcript

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
)

// Cursor is a position in a transcript. The zero Cursor is its beginning.
type Cursor struct {
	Offset int64  `json:"offset"`         // after the last line
	Hash   string `json:"hash,omitempty"` // of the bytes before it
	Part   string `json:"part,omitempty"` // in OpenCode's database: the id of the last part
	carried
}

// carried has the values that later lines take from earlier ones.
type carried struct {
	Session   string `json:"session,omitempty"`
	Cwd       string `json:"cwd,omitempty"`
	Sidechain bool   `json:"sidechain,omitempty"` // the whole transcript belongs to a subagent
	Event     string `json:"event,omitempty"`     // of Codex: at which hooks inject something now
}

// maxHashedBytes limits the bytes before a cursor that are hashed.
const maxHashedBytes = 4 << 10

// Read calls a function with each record after a cursor, and returns the cursor after the last
// one, and whether it has begun anew: at the beginning, because the bytes before the cursor have changed.
// Size is the current length of the transcript. If the function returns an error, Read returns it, with the
// cursor before that record.
func Read(src io.ReaderAt, size int64, from Cursor, take func(Record) error) (next Cursor, anew bool, err error) {
	before, err := from.before(src, size)
	if err != nil {
		return from, false, fmt.Errorf("read the transcript: %w", err)
	}
	if from.Offset != 0 && (len(before) == 0 || hashOf(before) != from.Hash) {
		from, anew, before = Cursor{}, true, nil
	}
	_, format := formatOf(firstOf(src, size))
	lines := newLines(src, from.Offset, size)
	for err == nil && lines.next() {
		c := from.carried
		var records []Record
		if !lines.tooLong {
			records = format.parse(lines.line, &c)
		}
		for _, r := range records {
			if err = take(r); err != nil {
				break
			}
		}
		if err == nil {
			from = Cursor{Offset: lines.end, carried: c}
			before = lastBytes(append(before, lastBytes(lines.line)...))
		}
	}
	if from.Offset > 0 {
		from.Hash = hashOf(before)
	}
	if lines.err != nil {
		err = fmt.Errorf("read the transcript: %w", lines.err)
	}
	return from, anew, err
}

// before returns the bytes before a cursor that are hashed; none if it is not in the transcript.
func (c Cursor) before(src io.ReaderAt, size int64) ([]byte, error) {
	if c.Offset <= 0 || c.Offset > size {
		return nil, nil
	}
	bytes := make([]byte, min(c.Offset, maxHashedBytes))
	n, err := src.ReadAt(bytes, c.Offset-int64(len(bytes)))
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return bytes[:n], err
}

func lastBytes(src []byte) []byte { return src[max(0, len(src)-maxHashedBytes):] }

func hashOf(src []byte) string {
	sum := sha256.Sum256(src)
	return hex.EncodeToString(sum[:8])
}

// maxFirstBytes is how much of the first line tells the format. Codex writes it in 100 bytes, Gemini
// CLI in 200.
const maxFirstBytes = 1 << 10

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
			l.line, l.tooLong = append(l.line[:0], lastBytes(l.line)...), true
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

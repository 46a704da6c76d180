package transcript

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"strings"
)

// Cursor tells how far a transcript was read. The zero Cursor is the front.
type Cursor struct {
	Offset int64  `json:"offset"`           // behind the end of the last line
	UUID   string `json:"uuid,omitempty"`   // of the last record
	Length int    `json:"length,omitempty"` // in bytes, of the end of its line that Hash is made of
	Hash   string `json:"hash,omitempty"`

	// Passed is how many bytes are behind that line: lines that are no records, and may be
	// like each other.
	Passed int64 `json:"passed,omitempty"`
}

// hashedEnd is how much of a line is hashed: a long one by its end.
const hashedEnd = 64 << 10

// after is the cursor behind a line, of which the end is known.
func (c Cursor) after(offset int64, end []byte) Cursor {
	end = end[max(0, len(end)-hashedEnd):]
	c.Offset, c.Length, c.Hash, c.Passed = offset, len(end), hashOf(end), 0
	return c
}

// past is the cursor behind a line that is no record.
func (c Cursor) past(offset int64) Cursor {
	c.Passed += offset - c.Offset
	c.Offset = offset
	return c
}

func hashOf(line []byte) string {
	sum := sha256.Sum256(line)
	return hex.EncodeToString(sum[:8])
}

// isCurrent tells whether the last line is still where it was.
func (c Cursor) isCurrent(src io.ReaderAt, size int64) (bool, error) {
	if c.Offset == 0 {
		return true, nil
	}
	line := c.Offset - c.Passed // where its end is
	if c.Offset > size || c.Passed < 0 || line < 0 || c.Length < 0 || c.Length > hashedEnd || int64(c.Length) > line || c.Length == 0 && line > 0 {
		return false, nil
	}
	end := make([]byte, c.Length)
	if _, err := src.ReadAt(end, line-int64(c.Length)); err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	if c.Length > 0 && hashOf(end) != c.Hash {
		return false, nil
	}
	last := make([]byte, 1) // what was passed ends with a line's end, too
	if _, err := src.ReadAt(last, c.Offset-1); err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	return last[0] == '\n', nil
}

// find looks for the last record in a transcript that was written anew, and returns the
// cursor behind it; found is false if it is nowhere, or in more places than one. A record
// that has no UUID may be like others, so it is not looked for.
func (c Cursor) find(src io.ReaderAt, size int64) (at Cursor, found bool, err error) {
	if c.UUID == "" || strings.HasPrefix(c.UUID, madeUUID) {
		return Cursor{}, false, nil
	}
	lines := newLines(src, 0, size)
	uuid := []byte(c.UUID)
	for lines.next() {
		if lines.tooLong || !bytes.Contains(lines.line, uuid) {
			continue
		}
		if r, err := parse(lines.line); err != nil || r.UUID != c.UUID {
			continue
		}
		if found {
			return Cursor{}, false, nil
		}
		at, found = Cursor{UUID: c.UUID}.after(lines.end, lines.line), true
	}
	return at, found, lines.err
}

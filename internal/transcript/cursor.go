package transcript

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
)

// Cursor tells how far a transcript was read. The zero Cursor is the front.
type Cursor struct {
	Offset int64  `json:"offset"`           // behind the end of the last line
	UUID   string `json:"uuid,omitempty"`   // of the last record
	Length int    `json:"length,omitempty"` // in bytes, of the end of the last line that Hash is made of
	Hash   string `json:"hash,omitempty"`
}

// hashedEnd is how much of a line is hashed: a long one by its end.
const hashedEnd = 64 << 10

// after is the cursor behind a line, of which the end is known.
func (c Cursor) after(offset int64, end []byte) Cursor {
	end = end[max(0, len(end)-hashedEnd):]
	c.Offset, c.Length, c.Hash = offset, len(end), hashOf(end)
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
	if c.Offset < 0 || c.Offset > size || c.Length <= 0 || c.Length > hashedEnd || int64(c.Length) > c.Offset {
		return false, nil
	}
	end := make([]byte, c.Length)
	if _, err := src.ReadAt(end, c.Offset-int64(c.Length)); err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	return hashOf(end) == c.Hash, nil
}

// find looks for the last line in a transcript that was written anew, and returns the
// cursor behind it; found is false if it is nowhere.
func (c Cursor) find(src io.ReaderAt, size int64) (at Cursor, found bool, err error) {
	if c.UUID == "" && c.Hash == "" {
		return Cursor{}, false, nil
	}
	lines := newLines(src, 0, size)
	uuid := []byte(c.UUID)
	for lines.next() {
		line := lines.line
		is := c.Length > 0 && (len(line) == c.Length || len(line) > c.Length && c.Length == hashedEnd) && hashOf(line[len(line)-c.Length:]) == c.Hash
		if !is && len(uuid) > 0 && !lines.tooLong && bytes.Contains(line, uuid) {
			r, fault := parse(line)
			is = fault == nil && r.UUID == c.UUID
		}
		if is {
			at, found = Cursor{UUID: c.UUID}.after(lines.end, line), true
		}
	}
	return at, found, lines.err
}

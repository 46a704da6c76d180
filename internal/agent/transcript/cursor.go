package transcript

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"slices"
	"strings"
)

// Cursor is a position in a transcript. The zero Cursor is its beginning.
type Cursor struct {
	Offset int64  `json:"offset"`           // after the last line
	UUID   string `json:"uuid,omitempty"`   // of the last record
	Length int    `json:"length,omitempty"` // bytes at the end of its line that Hash is made of
	Hash   string `json:"hash,omitempty"`

	// Passed is the number of bytes after that line, of lines that are not records and need not
	// be unique.
	Passed int64 `json:"passed,omitempty"`

	// Told is the offset of the last line that tells where the session is from now on, after the first
	// ones.
	Told int64 `json:"told,omitempty"`

	// Event is the event at which hooks inject something now; Codex does not name it.
	Event string `json:"event,omitempty"`
}

// maxHashedBytes limits the end of a line that is hashed.
const maxHashedBytes = 64 << 10

// after returns the cursor after a line with a given end.
func (c Cursor) after(offset int64, end []byte) Cursor {
	end = hashed(end)
	c.Offset, c.Length, c.Hash, c.Passed = offset, len(end), hashOf(end), 0
	return c
}

// hashed returns the part of a line that is hashed.
func hashed(line []byte) []byte { return line[max(0, len(line)-maxHashedBytes):] }

// past returns the cursor after a line that is not a record.
func (c Cursor) past(offset int64) Cursor {
	c.Passed += offset - c.Offset
	c.Offset = offset
	return c
}

func hashOf(line []byte) string {
	sum := sha256.Sum256(line)
	return hex.EncodeToString(sum[:8])
}

// isCurrent reports whether the last line is still in its place.
func (c Cursor) isCurrent(src io.ReaderAt, size int64) (bool, error) {
	if c.Offset == 0 {
		return true, nil
	}
	line := c.Offset - c.Passed // its end
	if c.Offset > size || c.Passed < 0 || line < 0 || c.Length < 0 || c.Length > maxHashedBytes || int64(c.Length) > line || c.Length == 0 && line > 0 {
		return false, nil
	}
	end := make([]byte, c.Length)
	if _, err := src.ReadAt(end, line-int64(c.Length)); err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	if c.Length > 0 && hashOf(end) != c.Hash {
		return false, nil
	}
	last := make([]byte, 1) // skipped lines end with a line end, too
	if _, err := src.ReadAt(last, c.Offset-1); err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	return last[0] == '\n', nil
}

// find searches a rewritten transcript for the last record, and returns the cursor after it. It
// is not found if it occurs more than once, or has no UUID, as it may then equal others.
func (c Cursor) find(src io.ReaderAt, size int64) (at Cursor, found bool, err error) {
	if c.UUID == "" || strings.HasPrefix(c.UUID, madeUUID) {
		return Cursor{}, false, nil
	}
	lines := newLines(src, 0, size)
	format, carried := beginning(src, 0, size)
	uuid := []byte(c.UUID)
	for lines.next() {
		if lines.tooLong || !bytes.Contains(lines.line, uuid) {
			continue
		}
		records := format.parse(lines.line, &carried)
		if !slices.ContainsFunc(records, func(r Record) bool { return r.UUID == c.UUID }) {
			continue
		}
		if found {
			return Cursor{}, false, nil
		}
		at, found = Cursor{UUID: c.UUID}.after(lines.end, lines.line), true
	}
	return at, found, lines.err
}

package transcript

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
)

// Cursor is a position in a transcript. The zero Cursor is its beginning.
type Cursor struct {
	Offset int64  `json:"offset"`         // in bytes, after the last line
	Hash   string `json:"hash,omitempty"` // of the bytes before Offset
	Part   string `json:"part,omitempty"` // in OpenCode's database: the id of the last part
	carried
}

// carried holds the values that later lines take from earlier ones.
type carried struct {
	Session   string `json:"session,omitempty"`
	Cwd       string `json:"cwd,omitempty"`
	Sidechain bool   `json:"sidechain,omitempty"` // the whole transcript belongs to a subagent
}

// maxHashedBytes is the maximum number of bytes before a cursor that are hashed.
const maxHashedBytes = 4 << 10

// Read calls a function with each record after a cursor, and returns the cursor after the last one. It also reports
// whether it started anew, at the beginning, because the bytes before the cursor have changed. Size is the current
// length of the transcript. If the function returns an error, Read returns that error and the cursor before the line of
// the record.
func Read(src io.ReaderAt, size int64, from Cursor, take func(Record) error) (next Cursor, anew bool, err error) {
	if from.Offset != 0 {
		hash, err := hashBefore(src, min(from.Offset, size))
		if err != nil {
			return from, false, err
		}
		if from.Offset < 0 || from.Offset > size || hash != from.Hash {
			from, anew = Cursor{}, true
		}
	}
	_, format := formatOf(firstOf(src, size))
	section := io.NewSectionReader(src, from.Offset, size-from.Offset)
	in := bufio.NewReaderSize(section, int(min(chunkBytes, section.Size())))
	var line []byte
	for err == nil {
		length := int64(0)
		if line, length, err = readLine(in, line[:0]); err != nil {
			break
		}
		c := from.carried
		for _, r := range format.parse(line, &c) {
			r.Place = from.Offset
			if err = take(r); err != nil {
				break
			}
		}
		if err == nil {
			from.Offset, from.carried = from.Offset+length, c
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	if from.Offset > 0 {
		hash, unread := hashBefore(src, from.Offset)
		from.Hash, err = hash, cmp.Or(err, unread)
	}
	return from, anew, err
}

// hashBefore returns a hash of the bytes before an offset of the transcript.
func hashBefore(src io.ReaderAt, offset int64) (string, error) {
	before := make([]byte, max(0, min(offset, maxHashedBytes)))
	if n, err := src.ReadAt(before, max(0, offset-maxHashedBytes)); err != nil && n < len(before) {
		return "", fmt.Errorf("read the transcript: %w", err)
	}
	return hashOf(before), nil
}

func hashOf(src []byte) string {
	sum := sha256.Sum256(src)
	return hex.EncodeToString(sum[:8])
}

// maxFirstBytes is the number of bytes of the first line that show the format. Codex needs 100, Gemini CLI 200.
const maxFirstBytes = 1 << 10

// firstOf returns the beginning of the first line, at most maxFirstBytes.
func firstOf(src io.ReaderAt, size int64) []byte {
	first := make([]byte, min(size, maxFirstBytes))
	n, _ := src.ReadAt(first, 0)
	line, _, _ := bytes.Cut(first[:n], []byte("\n"))
	return line
}

// MaxLineBytes is the maximum length of a line that is read. Longer ones, nearly always images, are skipped.
const MaxLineBytes = 8 << 20

// chunkBytes is the size of a read.
const chunkBytes = 256 << 10

// readLine appends a line to a buffer, and returns the buffer and the length of the line. The buffer is empty if the
// line is longer than MaxLineBytes. The error is io.EOF if the line has no end yet.
func readLine(in *bufio.Reader, buffer []byte) (line []byte, length int64, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if length += int64(len(part)); length > MaxLineBytes {
			buffer = buffer[:0]
		} else {
			buffer = append(buffer, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil && !errors.Is(err, io.EOF) {
			err = fmt.Errorf("read the transcript: %w", err)
		}
		return buffer, length, err
	}
}

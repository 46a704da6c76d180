package repo

import (
	"bytes"
	"io"
)

// maxOutputBytes bounds the output of a git command, whatever a repository holds.
const maxOutputBytes = 64 << 20

// output keeps the output of a command. If there is more than maxOutputBytes, Write fails, which stops the command.
type output struct {
	kept bytes.Buffer
	full bool
}

func (o *output) Write(p []byte) (int, error) {
	if o.full = o.full || o.kept.Len()+len(p) > maxOutputBytes; o.full {
		return 0, io.ErrShortWrite
	}
	return o.kept.Write(p)
}

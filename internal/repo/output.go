package repo

import (
	"bytes"
	"io"
)

// maxOutputBytes bounds what is kept of what a git command prints, whatever a repository holds.
const maxOutputBytes = 64 << 20

// output keeps what a command prints. Beyond the bound, the command is stopped.
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

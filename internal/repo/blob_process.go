package repo

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"
)

// blobProcess is a git cat-file that prints one blob after the other.
type blobProcess struct {
	ask    io.WriteCloser
	answer *bufio.Reader
	stop   func() // kills it, once
}

// errLarge is returned for a blob that is not read because of its size.
var errLarge = errors.New("is too large")

// startBlobProcess starts a process that prints blobs of the repository.
func (r *Repository) startBlobProcess() (*blobProcess, error) {
	ctx, cancel := context.WithCancel(context.Background())
	cmd := command(ctx, r.top, r.env, slices.Concat(noHooks, []string{"cat-file", "--batch"}))
	ask, err := cmd.StdinPipe()
	if err != nil {
		cancel()
		return nil, err
	}
	answer, err := cmd.StdoutPipe()
	if err != nil {
		cancel()
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		cancel()
		return nil, err
	}
	return &blobProcess{ask, bufio.NewReader(answer), sync.OnceFunc(func() {
		cancel()
		_ = ask.Close()
		_ = cmd.Wait()
	})}, nil
}

// read returns the size of a blob and, unless it is larger than maxBytes, its content. After an
// error the process must be stopped: what it prints next belongs to this blob.
func (p *blobProcess) read(hash string, maxBytes int64) (content []byte, size int64, err error) {
	overdue := time.AfterFunc(maxCommandTime, p.stop)
	defer overdue.Stop()
	if _, err := io.WriteString(p.ask, hash+"\n"); err != nil {
		return nil, 0, err
	}
	line, err := p.answer.ReadString('\n')
	if err != nil {
		return nil, 0, err
	}
	var name, kind string
	if _, err := fmt.Sscanf(line, "%s %s %d\n", &name, &kind, &size); err != nil || name != hash || kind != "blob" {
		return nil, 0, fmt.Errorf("git cat-file: %s", strings.TrimSpace(line))
	}
	if size > maxBytes {
		return nil, size, errLarge
	}
	content = make([]byte, size+1) // and a line break
	_, err = io.ReadFull(p.answer, content)
	return content[:size], size, err
}

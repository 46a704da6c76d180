package repo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"sync"
)

// blobs reads and caches the contents of files in a repository. It is safe for concurrent
// use.
type blobs struct {
	repository *Repository
	mutex      sync.Mutex
	process    *blobProcess      // nil until a blob is read
	known      map[string][]byte // by hash
}

// maxCachedBytes is the maximum size of a blob that is read when only its size is needed:
// nearly all files whose size is needed are read next.
const maxCachedBytes = 1 << 20

// read returns the content of a blob, which must not be changed.
func (b *blobs) read(hash string) ([]byte, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	content, _, err := b.content(hash, math.MaxInt64)
	return content, err
}

// size returns the size of a blob.
func (b *blobs) size(hash string) (int64, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	_, size, err := b.content(hash, maxCachedBytes)
	return size, err
}

// content returns the size of a blob, and its content unless it is larger than maxBytes. The
// caller must hold the mutex.
func (b *blobs) content(hash string, maxBytes int64) (content []byte, size int64, err error) {
	if content, known := b.known[hash]; known {
		return content, int64(len(content)), nil
	}
	if b.process == nil {
		if b.process, err = b.repository.startBlobProcess(); err != nil {
			return nil, 0, err
		}
	}
	content, size, err = b.process.read(hash, maxBytes)
	if err != nil {
		b.stop()
	}
	if errors.Is(err, errLarge) {
		return nil, size, nil
	}
	if err != nil { // this command says why
		if content, err = b.repository.read(context.Background(), "cat-file", "blob", hash); err != nil {
			return nil, 0, b.repository.explainMissing(hash, err)
		}
	}
	b.known[hash] = content
	return content, int64(len(content)), nil
}

// close ends the process that reads blobs. The next read starts another.
func (b *blobs) close() {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.stop()
}

// stop is close for a caller that holds the mutex.
func (b *blobs) stop() {
	if b.process != nil {
		b.process.stop()
		b.process = nil
	}
}

// explainMissing adds, in a partial clone, how to fetch a missing blob: no command of this package
// opens a connection.
func (r *Repository) explainMissing(hash string, err error) error {
	config, readErr := os.ReadFile(filepath.Join(r.CommonDir, "config"))
	if config = bytes.ToLower(config); readErr != nil || !bytes.Contains(config, []byte("promisor")) && !bytes.Contains(config, []byte("partialclone")) {
		return err
	}
	return fmt.Errorf("%w; this may be missing from a partial clone: git cat-file -e %s fetches it", err, hash)
}

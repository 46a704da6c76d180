package repo

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"sync"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/storage/filesystem"
)

// blobs reads and caches the contents of files in a repository. It is safe for concurrent
// use.
type blobs struct {
	repository *Repository
	mutex      sync.Mutex
	storage    *filesystem.Storage
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
	object, err := b.object(hash)
	if err == nil && object.Size() > maxBytes {
		return nil, object.Size(), nil
	}
	if err == nil {
		content, err = readObject(object)
	}
	if err != nil {
		if content, err = b.repository.read(context.Background(), "cat-file", "blob", hash); err != nil {
			return nil, 0, b.repository.explainMissing(hash, err)
		}
	}
	b.known[hash] = content
	return content, int64(len(content)), nil
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

// object finds a blob with go-git.
func (b *blobs) object(hash string) (plumbing.EncodedObject, error) {
	if len(hash) != 2*len(plumbing.ZeroHash) {
		return nil, plumbing.ErrObjectNotFound
	}
	if b.storage == nil {
		b.storage = filesystem.NewStorageWithOptions(osfs.New(b.repository.CommonDir), cache.NewObjectLRU(cache.MiByte),
			filesystem.Options{AlternatesFS: osfs.New(string(filepath.Separator)), LargeObjectThreshold: maxCachedBytes})
	}
	return b.storage.EncodedObject(plumbing.BlobObject, plumbing.NewHash(hash))
}

func readObject(object plumbing.EncodedObject) ([]byte, error) {
	reader, err := object.Reader()
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	return io.ReadAll(reader)
}

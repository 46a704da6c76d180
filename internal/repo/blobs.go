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

// blobs reads the contents of files out of a repository, each once. Several
// goroutines may use it.
type blobs struct {
	repository *Repository
	mutex      sync.Mutex
	storage    *filesystem.Storage
	known      map[string][]byte // by hash
}

// large is the size in bytes above which a blob is read only for its content, not for its
// size: files are first asked how large they are, and then nearly all of them are read.
const large = 1 << 20

// read returns the content of a blob, which is not to be changed.
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
	_, size, err := b.content(hash, large)
	return size, err
}

// content returns a blob: its size, and its content if it is not larger than asked for, or
// is known. The mutex is held.
func (b *blobs) content(hash string, most int64) (content []byte, size int64, err error) {
	if content, known := b.known[hash]; known {
		return content, int64(len(content)), nil
	}
	object, err := b.object(plumbing.BlobObject, hash)
	if err == nil && object.Size() > most {
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

// explainMissing says what helps where a partial clone does not have a blob: git would fetch
// it, but nothing here opens a connection.
func (r *Repository) explainMissing(hash string, err error) error {
	config, readErr := os.ReadFile(filepath.Join(r.CommonDir, "config"))
	if config = bytes.ToLower(config); readErr != nil || !bytes.Contains(config, []byte("promisor")) && !bytes.Contains(config, []byte("partialclone")) {
		return err
	}
	return fmt.Errorf("%w; a partial clone may lack this object: git cat-file -e %s fetches it", err, hash)
}

// decode reads an object by go-git.
func (b *blobs) decode(kind plumbing.ObjectType, hash string) ([]byte, error) {
	object, err := b.object(kind, hash)
	if err != nil {
		return nil, err
	}
	return readObject(object)
}

// object finds an object by go-git.
func (b *blobs) object(kind plumbing.ObjectType, hash string) (plumbing.EncodedObject, error) {
	if len(hash) != 2*len(plumbing.ZeroHash) {
		return nil, plumbing.ErrObjectNotFound
	}
	if b.storage == nil {
		b.storage = filesystem.NewStorageWithOptions(osfs.New(b.repository.CommonDir), cache.NewObjectLRU(cache.MiByte),
			filesystem.Options{AlternatesFS: osfs.New(string(filepath.Separator)), LargeObjectThreshold: large})
	}
	return b.storage.EncodedObject(kind, plumbing.NewHash(hash))
}

func readObject(object plumbing.EncodedObject) ([]byte, error) {
	reader, err := object.Reader()
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	return io.ReadAll(reader)
}

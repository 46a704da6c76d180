package repo

import (
	"io"
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

// read returns the content of a blob, which is not to be changed.
func (b *blobs) read(hash string) ([]byte, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if content, known := b.known[hash]; known {
		return content, nil
	}
	content, err := b.decode(plumbing.BlobObject, hash)
	if err != nil {
		if content, err = b.repository.git(nil, "cat-file", "blob", hash); err != nil {
			return nil, err
		}
	}
	b.known[hash] = content
	return content, nil
}

// decode reads an object by go-git.
func (b *blobs) decode(kind plumbing.ObjectType, hash string) ([]byte, error) {
	if len(hash) != 2*len(plumbing.ZeroHash) {
		return nil, plumbing.ErrObjectNotFound
	}
	if b.storage == nil {
		b.storage = filesystem.NewStorageWithOptions(osfs.New(b.repository.CommonDir), cache.NewObjectLRU(cache.MiByte),
			filesystem.Options{AlternatesFS: osfs.New(string(filepath.Separator))})
	}
	object, err := b.storage.EncodedObject(kind, plumbing.NewHash(hash))
	if err != nil {
		return nil, err
	}
	reader, err := object.Reader()
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	return io.ReadAll(reader)
}

package repo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"
)

// objects reads and keeps the contents of files in a repository: with go-git or, if that fails, with
// git. It is safe for concurrent use.
type objects struct {
	repository *Repository
	mutex      sync.Mutex
	opened     bool
	library    *filesystem.Storage // of go-git; nil until it is opened, and if only git can read the repository
	known      map[string][]byte   // contents by hash
}

const (
	// maxIndexBytes is the size of an index, or of the indexes of all packs, above which git reads: go-git
	// copies the whole of them.
	maxIndexBytes = 8 << 20
	// maxKeptBytes is the maximum size of a file that is read when only its size is needed: nearly all
	// files whose size is needed are read next.
	maxKeptBytes = 1 << 20
	// maxBatch is the number of files that one git command reads.
	maxBatch = 500
)

// errGitAlone is returned for what only git can read.
var errGitAlone = errors.New("only git can read this repository")

// storage returns go-git's reader. The caller must hold the mutex.
func (o *objects) storage() (*filesystem.Storage, error) {
	if !o.opened {
		o.opened = true
		o.library = o.open()
	}
	if o.library == nil {
		return nil, errGitAlone
	}
	return o.library, nil
}

func (o *objects) open() *filesystem.Storage {
	r := o.repository
	if r.isExtended() || slices.ContainsFunc(r.env, func(v string) bool {
		return strings.HasPrefix(v, "GIT_OBJECT_DIRECTORY=") || strings.HasPrefix(v, "GIT_ALTERNATE_OBJECT_DIRECTORIES=")
	}) {
		return nil
	}
	packs, err := os.ReadDir(filepath.Join(r.CommonDir, "objects", "pack"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	total := int64(0)
	for _, pack := range packs {
		info, err := pack.Info()
		if err == nil && filepath.Ext(pack.Name()) == ".idx" {
			total += info.Size()
		}
	}
	if total > maxIndexBytes {
		return nil
	}
	place := dotgit.NewRepositoryFilesystem(osfs.New(r.GitDir), osfs.New(r.CommonDir))
	return filesystem.NewStorageWithOptions(place, cache.NewObjectLRU(8*cache.MiByte), filesystem.Options{
		AlternatesFS: osfs.New(string(filepath.Separator)), LargeObjectThreshold: maxKeptBytes,
	})
}

// isExtended reports whether the repository has an extension of git's formats: SHA-256, reftable, partial
// clones, settings for each worktree.
func (r *Repository) isExtended() bool {
	return r.settings == nil || len(r.settings.Section("extensions").Options) > 0
}

// read returns the content of a blob, which must not be changed. Beside returns other blobs that are likely
// to be read next.
func (o *objects) read(hash string, beside func() []string) ([]byte, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	content, _, err := o.content(hash, beside, math.MaxInt64)
	return content, err
}

// size returns the size of a blob.
func (o *objects) size(hash string, beside func() []string) (int64, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	_, size, err := o.content(hash, beside, maxKeptBytes)
	return size, err
}

// content returns the size of a blob, and its content unless go-git can tell that it is larger than
// maxBytes. The caller must hold the mutex.
func (o *objects) content(hash string, beside func() []string, maxBytes int64) (content []byte, size int64, err error) {
	if content, known := o.known[hash]; known {
		return content, int64(len(content)), nil
	}
	if o.known == nil {
		o.known = map[string][]byte{}
	}
	content, size, err = o.contentOfLibrary(hash, maxBytes)
	if err == nil && size > maxBytes {
		return nil, size, nil
	}
	if err == nil {
		o.known[hash] = content
		return content, size, nil
	}
	if err := o.askGit(hash, beside); err != nil {
		return nil, 0, o.repository.explainMissing(hash, err)
	}
	return o.known[hash], int64(len(o.known[hash])), nil
}

// contentOfLibrary is content with go-git alone.
func (o *objects) contentOfLibrary(hash string, maxBytes int64) (content []byte, size int64, err error) {
	defer recovered(&err)
	storage, err := o.storage()
	if err != nil {
		return nil, 0, err
	}
	object, err := storage.EncodedObject(plumbing.BlobObject, plumbing.NewHash(hash))
	if err != nil {
		return nil, 0, err
	}
	if object.Size() > maxBytes {
		return nil, object.Size(), nil
	}
	reader, err := object.Reader()
	if err != nil {
		return nil, 0, err
	}
	defer reader.Close()
	content, err = io.ReadAll(reader)
	if err == nil && int64(len(content)) != object.Size() {
		err = io.ErrUnexpectedEOF
	}
	return content, object.Size(), err
}

// askGit has git read a blob, and with it those beside: each command takes milliseconds.
func (o *objects) askGit(hash string, beside func() []string) error {
	names := hash + "\n"
	others := beside()
	for _, other := range others[:min(len(others), maxBatch)] {
		if _, known := o.known[other]; !known && other != hash {
			names += other + "\n"
		}
	}
	out, err := o.repository.answer(context.Background(), []byte(names), "cat-file", "--batch")
	if err == nil {
		o.keep(out)
	}
	if _, known := o.known[hash]; known {
		return nil
	}
	content, err := o.repository.read(context.Background(), "cat-file", "blob", hash) // says why
	if err == nil {
		o.known[hash] = content
	}
	return err
}

// keep keeps the blobs that git cat-file --batch has printed.
func (o *objects) keep(out []byte) {
	for len(out) > 0 {
		line, rest, _ := bytes.Cut(out, []byte("\n"))
		var hash, kind string
		var size int
		if _, err := fmt.Sscanf(string(line), "%s %s %d", &hash, &kind, &size); err != nil { // it is missing
			out = rest
			continue
		}
		if len(rest) <= size {
			return
		}
		if kind == "blob" {
			o.known[hash] = rest[:size:size]
		}
		out = rest[size+1:]
	}
}

// isPartialClone reports whether objects may be missing until git needs them.
func (r *Repository) isPartialClone() bool {
	config, err := os.ReadFile(filepath.Join(r.CommonDir, "config"))
	config = bytes.ToLower(config)
	return err == nil && (bytes.Contains(config, []byte("promisor")) || bytes.Contains(config, []byte("partialclone")))
}

// explainMissing adds, in a partial clone, how to fetch a missing blob.
func (r *Repository) explainMissing(hash string, err error) error {
	if !r.isPartialClone() {
		return err
	}
	return fmt.Errorf("%w; this may be missing from a partial clone: git cat-file -e %s fetches it", err, hash)
}

package repo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"

	"whence/internal/text"
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

// maxIndexBytes is the size of an index, or of the indexes of all packs, above which git reads: go-git
// copies the whole of them.
const maxIndexBytes = 8 << 20

// errGitAlone is returned for what only git can read.
var errGitAlone = errors.New("only git can read this repository")

func (o *objects) open() *filesystem.Storage {
	r := o.repository
	if r.isExtended() {
		return nil
	}
	packs := os.DirFS(filepath.Join(r.CommonDir, "objects", "pack"))
	indexes, _ := fs.Glob(packs, "*.idx")
	total := int64(0)
	for _, name := range indexes {
		if info, err := fs.Stat(packs, name); err == nil {
			total += info.Size()
		}
	}
	if total > maxIndexBytes {
		return nil
	}
	place := dotgit.NewRepositoryFilesystem(newRegularFiles(r.GitDir), newRegularFiles(r.CommonDir))
	return filesystem.NewStorageWithOptions(place, cache.NewObjectLRU(8*cache.MiByte), filesystem.Options{
		AlternatesFS: newRegularFiles(string(filepath.Separator)),
	})
}

// isExtended reports whether the repository has an extension of git's formats: SHA-256, reftable, partial
// clones, settings for each worktree.
func (r *Repository) isExtended() bool {
	return r.settings == nil || len(r.settings.Section("extensions").Options) > 0
}

// read returns the content of a blob, which must not be changed.
func (o *objects) read(hash string) ([]byte, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if content, known := o.known[hash]; known {
		return content, nil
	}
	if err := refusePipe(filepath.Join(o.repository.CommonDir, "objects", hash[:2], hash[2:])); err != nil {
		return nil, err
	}
	content, err := o.readWithLibrary(hash)
	if err != nil {
		content, err = o.repository.read(context.Background(), "cat-file", "blob", hash)
	}
	if err != nil {
		return nil, err
	}
	o.known[hash] = content
	return content, nil
}

// readWithLibrary is read with go-git alone.
func (o *objects) readWithLibrary(hash string) (content []byte, err error) {
	defer recovered(&err)
	if !o.opened {
		o.opened, o.library = true, o.open()
	}
	if o.library == nil {
		return nil, errGitAlone
	}
	object, err := o.library.EncodedObject(plumbing.BlobObject, plumbing.NewHash(hash))
	if err != nil {
		return nil, err
	}
	reader, err := object.Reader()
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	content, err = io.ReadAll(reader)
	if err == nil && int64(len(content)) != object.Size() {
		err = io.ErrUnexpectedEOF
	}
	return content, err
}

// UnfetchedError reports that a partial clone has not fetched all of some files. No command of this
// package opens a connection.
type UnfetchedError struct {
	Command string // fetches what is missing
}

func (e *UnfetchedError) Error() string {
	return fmt.Sprintf("this partial clone has not fetched all of it: run \"%s\", which does", e.Command)
}

// Load returns an [UnfetchedError] if a partial clone lacks one of some files that will be opened.
func (t *Tree) Load(paths []string) error {
	r := t.objects.repository
	if !r.isPartialClone() {
		return nil
	}
	for _, p := range paths {
		at, found := t.find(p)
		if !found {
			continue
		}
		if _, err := t.objects.read(t.entries[at].hash); err != nil {
			// In one go all that differs from an empty tree, as it is typed in any folder of the repository.
			command := "git diff --cached --numstat " + r.emptyTree() + " --"
			for _, place := range foldersOf(paths) {
				command += " " + text.ShellQuote(":/"+place)
			}
			return &UnfetchedError{command}
		}
	}
	return nil
}

// isPartialClone reports whether objects may be missing until git needs them.
func (r *Repository) isPartialClone() bool {
	config, err := readRegular(filepath.Join(r.CommonDir, "config"))
	config = bytes.ToLower(config)
	return err == nil && (bytes.Contains(config, []byte("promisor")) || bytes.Contains(config, []byte("partialclone")))
}

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
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"

	"whence/internal/shell"
	"whence/internal/worktree"
)

// objects reads and caches the contents of files in a repository, with go-git or, if that fails, with git. It is safe
// for concurrent use.
type objects struct {
	repository *Repository
	mutex      sync.Mutex
	opened     bool
	library    *filesystem.Storage // go-git's; nil before it is opened, and if only git can read the repository
	known      map[string][]byte   // contents by hash
	sizes      map[string]int64    // sizes by hash, of contents that only git can read
}

// maxIndexBytes is the size of an index, or of the indexes of all packs together, above which git is used: go-git would
// copy them whole.
const maxIndexBytes = 8 << 20

// errGitAlone is returned if only git can read a repository.
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

// isExtended reports whether the repository uses extensions of git's formats, such as SHA-256, reftable, partial clones
// or settings for each worktree, or its settings cannot be read.
func (r *Repository) isExtended() bool {
	return r.settings == nil || len(r.settings.Section("extensions").Options) > 0
}

// read returns the content of a blob. Callers must not change it.
func (o *objects) read(hash string) ([]byte, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if content, known := o.known[hash]; known {
		return content, nil
	}
	if err := refusePipe(filepath.Join(o.repository.CommonDir, "objects", hash[:2], hash[2:])); err != nil {
		return nil, err
	}
	if size, err := o.size(hash); err == nil && size > worktree.MaxTextBytes {
		return nil, fmt.Errorf("is larger than %d MB: split it", worktree.MaxTextBytes>>20)
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

// size returns the size of a blob without reading its content.
func (o *objects) size(hash string) (int64, error) {
	if size, known := o.sizes[hash]; known {
		return size, nil
	}
	size, err := o.sizeWithLibrary(hash)
	if err != nil {
		err = o.measure([]string{hash})
		size = o.sizes[hash]
	}
	return size, err
}

// sizeWithLibrary is size with go-git alone.
func (o *objects) sizeWithLibrary(hash string) (size int64, err error) {
	defer recovered(&err)
	if o.opensLibrary() == nil {
		return 0, errGitAlone
	}
	return o.library.EncodedObjectSize(plumbing.NewHash(hash))
}

// measure asks git for the sizes of blobs, and stores them. A missing blob is an error.
func (o *objects) measure(hashes []string) error {
	out, err := o.repository.answer(context.Background(), []byte(strings.Join(hashes, "\n")+"\n"), "cat-file", "--batch-check=%(objectname) %(objectsize)")
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(out)) {
		hash, size, _ := strings.Cut(strings.TrimSpace(line), " ")
		n, err := strconv.ParseInt(size, 10, 64)
		if err != nil {
			return fmt.Errorf("git cat-file: %s %s", hash, size)
		}
		o.sizes[hash] = n
	}
	return nil
}

// opensLibrary opens the repository with go-git, once. It returns nil if only git can read it.
func (o *objects) opensLibrary() *filesystem.Storage {
	if !o.opened {
		o.opened, o.library = true, o.open()
	}
	return o.library
}

// readWithLibrary is read with go-git alone.
func (o *objects) readWithLibrary(hash string) (content []byte, err error) {
	defer recovered(&err)
	if o.opensLibrary() == nil {
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

// UnfetchedError reports that a partial clone has not fetched some files. This package does not fetch them, since none
// of its commands opens a connection.
type UnfetchedError struct {
	Command string // fetches what is missing
}

func (e *UnfetchedError) Error() string {
	return fmt.Sprintf("this partial clone has not fetched all of it: run \"%s\", which does", e.Command)
}

// Load prepares some files to be described and opened. It returns an [UnfetchedError] if one of them is missing from a
// partial clone.
func (t *Tree) Load(paths []string) error {
	r := t.objects.repository
	var hashes []string
	for _, p := range paths {
		if at, found := t.find(p); found && t.entries[at].mode != modeSubmodule && !t.entries[at].conflict {
			hashes = append(hashes, t.entries[at].hash)
		}
	}
	if !t.objects.lacksOneOf(hashes) || !r.isPartialClone() {
		return nil
	}
	// Fetches, in one go, everything that differs from an empty tree. It can be typed in any folder of the repository.
	command := "git diff --cached --numstat " + r.emptyTree() + " --"
	for _, place := range foldersOf(paths) {
		command += " " + shell.Quote(":/"+place)
	}
	return &UnfetchedError{command}
}

// lacksOneOf looks up the sizes of blobs, and reports whether a blob is missing.
func (o *objects) lacksOneOf(hashes []string) bool {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.opensLibrary() == nil && len(hashes) > 0 {
		return o.measure(hashes) != nil
	}
	return slices.ContainsFunc(hashes, func(hash string) bool { _, err := o.size(hash); return err != nil })
}

// isPartialClone reports whether objects may be missing until git needs them.
func (r *Repository) isPartialClone() bool {
	config, err := readRegular(filepath.Join(r.CommonDir, "config"))
	config = bytes.ToLower(config)
	return err == nil && (bytes.Contains(config, []byte("promisor")) || bytes.Contains(config, []byte("partialclone")))
}

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

// maxIndexBytes is the size of an index, or of the indexes of all packs, above which git reads: go-git
// copies the whole of them.
const maxIndexBytes = 8 << 20

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
		AlternatesFS: osfs.New(string(filepath.Separator)),
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
	storage, err := o.storage()
	if err != nil {
		return nil, err
	}
	object, err := storage.EncodedObject(plumbing.BlobObject, plumbing.NewHash(hash))
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

// Load reads files that will be opened in one git command, where go-git cannot read them: each takes
// milliseconds. It returns an [UnfetchedError] if a partial clone lacks one of them.
func (t *Tree) Load(paths []string) error {
	o := t.objects
	o.mutex.Lock()
	defer o.mutex.Unlock()
	isPartial := o.repository.isPartialClone()
	if _, err := o.storage(); err == nil && !isPartial {
		return nil
	}
	var hashes []string
	for _, p := range paths {
		if at, found := t.find(p); found {
			hashes = append(hashes, t.entries[at].hash)
		}
	}
	out, err := o.repository.answer(context.Background(), []byte(strings.Join(hashes, "\n")+"\n"), "cat-file", "--batch")
	if err == nil { // git before 2.44 fails if a file is missing from a partial clone
		o.keep(out)
	}
	isUnknown := func(hash string) bool { _, known := o.known[hash]; return !known }
	if isPartial && slices.ContainsFunc(hashes, isUnknown) {
		return o.repository.errUnfetched(paths)
	}
	return nil
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

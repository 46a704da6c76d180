package repo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/storer"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"
)

// Head returns the tree of the last commit. Before the first one it is empty.
func (r *Repository) Head() (*Tree, error) {
	b := &blobs{repository: r, known: map[string][]byte{}}
	entries, err := r.decodeHead(b)
	if err != nil {
		if entries, err = r.listHead(); err != nil {
			return nil, fmt.Errorf("read the last commit: %w", err)
		}
	}
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.path, b.path) })
	return &Tree{entries: entries, blobs: b}, nil
}

// decodeHead reads the tree of the last commit with go-git.
func (r *Repository) decodeHead(b *blobs) ([]entry, error) {
	if r.sha256() {
		return nil, errors.New("hashes are longer than go-git reads")
	}
	folder := dotgit.NewRepositoryFilesystem(osfs.New(r.GitDir), osfs.New(r.CommonDir))
	head, err := storer.ResolveReference(filesystem.NewStorage(folder, cache.NewObjectLRU(cache.KiByte)), plumbing.HEAD)
	if err != nil {
		return nil, err
	}
	commit, err := b.decode(plumbing.CommitObject, head.Hash().String())
	if err != nil {
		return nil, err
	}
	line, _, _ := bytes.Cut(commit, []byte("\n"))
	return b.list(nil, "", strings.TrimPrefix(string(line), "tree "))
}

// list adds the files of a tree object and of those below it to a list.
func (b *blobs) list(entries []entry, prefix, hash string) ([]entry, error) {
	rest, err := b.decode(plumbing.TreeObject, hash)
	if err != nil {
		return nil, err
	}
	for len(rest) > 0 { // mode, name, and the bytes of the hash
		head, tail, found := bytes.Cut(rest, []byte{0})
		octal, name, named := strings.Cut(string(head), " ")
		mode, err := strconv.ParseUint(octal, 8, 32)
		if !found || !named || err != nil || len(tail) < len(plumbing.ZeroHash) {
			return nil, errors.New("not a tree object")
		}
		e := entry{path: prefix + name, hash: fmt.Sprintf("%x", tail[:len(plumbing.ZeroHash)]), mode: canonical(mode)}
		rest = tail[len(plumbing.ZeroHash):]
		if e.mode != uint32(filemode.Dir) {
			entries = append(entries, e)
		} else if entries, err = b.list(entries, e.path+"/", e.hash); err != nil {
			return nil, err
		}
	}
	return entries, nil
}

// listHead reads the tree of the last commit with the git command.
func (r *Repository) listHead() ([]entry, error) {
	ctx := context.Background()
	var failed *commandError
	switch _, err := r.read(ctx, "rev-parse", "--quiet", "--verify", "HEAD"); {
	case errors.As(err, &failed) && failed.status == 1:
		return nil, nil // nothing has been committed yet
	case err != nil:
		return nil, err
	}
	out, err := r.read(ctx, "ls-tree", "-r", "-z", "--full-tree", "HEAD")
	if err != nil {
		return nil, err
	}
	var entries []entry
	for fields, path := range listed(out) { // mode, type, hash
		mode, err := strconv.ParseUint(fields[0], 8, 32)
		if err != nil {
			return nil, fmt.Errorf("git ls-tree: mode %s of %s", fields[0], path)
		}
		entries = append(entries, entry{path: path, hash: fields[2], mode: canonical(mode)})
	}
	return entries, nil
}

// canonical returns the mode that a file has in the index: old commits have others.
func canonical(mode uint64) uint32 {
	if mode>>12 != uint64(filemode.Regular)>>12 {
		return uint32(mode)
	}
	if mode&0o100 != 0 {
		return uint32(filemode.Executable)
	}
	return uint32(filemode.Regular)
}

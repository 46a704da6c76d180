package repo

import (
	"context"
	"fmt"
	"path"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/plumbing/storer"
)

// Head returns the tree of the last commit. Before the first commit it is empty.
func (r *Repository) Head() (*Tree, error) {
	entries, err := r.objects.headEntries()
	if err != nil {
		entries, err = r.listHead()
	}
	if err != nil {
		return nil, fmt.Errorf("read the last commit: %w", err)
	}
	return r.newTree(entries), nil
}

// headEntries reads the last commit with go-git.
func (o *objects) headEntries() (entries []entry, err error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	defer recovered(&err)
	commit, err := o.headCommit()
	if err != nil {
		return nil, err
	}
	var add func(folder string, hash plumbing.Hash) error
	add = func(folder string, hash plumbing.Hash) error {
		tree, err := object.GetTree(o.library, hash)
		if err != nil {
			return err
		}
		for _, e := range tree.Entries {
			name := path.Join(folder, e.Name)
			if e.Mode != filemode.Dir {
				entries = append(entries, entry{path: name, hash: e.Hash.String(), mode: canonical(e.Mode)})
			} else if err := add(name, e.Hash); err != nil {
				return err
			}
		}
		return nil
	}
	return entries, add("", commit.TreeHash)
}

// headCommit returns the last commit. The caller must hold the mutex.
func (o *objects) headCommit() (*object.Commit, error) {
	storage, err := o.storage()
	if err != nil {
		return nil, err
	}
	head, err := storer.ResolveReference(storage, plumbing.HEAD)
	if err != nil {
		return nil, err
	}
	return object.GetCommit(storage, head.Hash())
}

// listHead reads the last commit with git.
func (r *Repository) listHead() ([]entry, error) {
	entries, err := r.compareWithNothing("diff-tree", r.emptyTree(), "HEAD")
	if err != nil {
		if _, unborn := r.read(context.Background(), "rev-parse", "--quiet", "--verify", "HEAD"); exitedWith(unborn, 1) {
			return nil, nil
		}
	}
	return entries, err
}

// canonical returns the mode that a file has in the index: old commits have others.
func canonical(mode filemode.FileMode) uint32 {
	if mode == filemode.Deprecated {
		return modeFile
	}
	return uint32(mode)
}

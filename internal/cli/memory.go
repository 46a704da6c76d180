package cli

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"time"

	"whence/internal/config"
	"whence/internal/memory"
	"whence/internal/repo"
	"whence/internal/worktree"
)

// Memory opens the memory in an open folder. If git tracks a memory of which no file is checked out, the error is a
// [memory.Problem].
func Memory(env Env, tree *worktree.Tree, c config.Config) (*memory.Source, error) {
	source, err := c.Memory(tree, env.Getenv, true, time.Now(), 0)
	if err != nil {
		return nil, err
	}
	source.AdviseIn(env.Dir, env.Getenv)
	if source.IsEmpty() {
		if r, absent := source.NotCheckedOut(); absent {
			return nil, r
		}
	}
	return source, nil
}

// CommitMemory is Memory, except that in a git hook it has only staged files: an untracked file, or one that is only
// announced (git add -N), never stops a commit. If git has not checked out all of the memory, it is read from the
// index.
func CommitMemory(env Env, tree *worktree.Tree, c config.Config) (*memory.Source, error) {
	source, err := Memory(env, tree, c)
	absent := memory.Problem{}
	isAbsent := errors.As(err, &absent)
	if err != nil && !isAbsent || !repo.InHook(env.Getenv) {
		return source, err
	}
	r, err := repo.Open(tree.Dir, env.Dir, env.Getenv)
	if errors.Is(err, repo.ErrNoRepository) {
		return source, nil
	}
	if err != nil {
		return nil, err
	}
	below, err := r.Rel(tree.Dir)
	if err != nil {
		return nil, err
	}
	staged, err := r.Staged()
	if err != nil {
		return nil, err
	}
	if !isAbsent {
		absent, isAbsent = source.NotCheckedOut()
	}
	if isAbsent {
		source, err := memory.OpenCommit(staged, below, c.Layout(), c.Typed)
		if errors.As(err, new(*repo.UnfetchedError)) {
			err = absent
		}
		return source, err
	}
	return source.Only(func(name string) bool { return staged.Has(path.Join(below, name)) }), nil
}

// Parent is a parent of the next commit.
type Parent struct {
	Memory *memory.Source
	Files  fs.FS // all files of the repository
}

// Parents returns the parents of the commit that git is making: the last commit, and those that are merged. Their
// memories are read with the current settings. It returns none if git is not making a commit, or if they cannot be
// read.
func Parents(env Env, tree *worktree.Tree, c config.Config) (parents []Parent) {
	if env.Getenv("GIT_INDEX_FILE") == "" {
		return nil
	}
	r, err := repo.Open(tree.Dir, env.Dir, env.Getenv)
	if err != nil {
		return nil
	}
	below, err := r.Rel(tree.Dir)
	if err != nil {
		return nil
	}
	trees, err := r.Parents(os.Environ())
	if err != nil {
		return nil
	}
	for _, files := range trees {
		if source, err := memory.OpenCommit(files, below, c.Layout(), c.Typed); err == nil {
			parents = append(parents, Parent{source, files})
		}
	}
	return parents
}

// Package repo reads a git repository, and adds fixes to what is about to be committed.
//
// The git command reads what is staged and committed, and writes the index. Where the repository
// is, and what its settings say about that, is read without a process.
//
// In a hook, git says in the environment which index the commit is made from, and where
// objects are: GIT_INDEX_FILE, GIT_OBJECT_DIRECTORY and GIT_ALTERNATE_OBJECT_DIRECTORIES are
// honoured, as are GIT_DIR and GIT_WORK_TREE. Git commands get only those that the caller has.
//
// Someone else may have written the repository. One that git itself refuses is an
// [UntrustedError], and no command executes what a repository names, see command.go.
package repo

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"whence/internal/files"
)

// ErrNoRepository is returned for a folder outside of any repository.
var ErrNoRepository = errors.New("not a git repository")

// Repository is a repository with a worktree.
type Repository struct {
	Root      string // of the worktree
	GitDir    string // .git, or that of a linked worktree or submodule
	CommonDir string // where the objects are: GitDir, except in a linked worktree
	IndexFile string // what is staged

	top   string   // where git commands run: the folder that holds .git
	env   []string // of git commands
	named bool     // by the caller's GIT_DIR
}

// Open finds the repository that holds a folder. getenv returns the variables that git sets for a
// hook, or the user for git. As in git they override what is found on disk, but only if cwd, the
// folder in which the program was started, is in the same repository as the folder, or if both
// are in none. For a repository that git would refuse, Open returns an [UntrustedError].
func Open(dir, cwd string, getenv func(string) string) (*Repository, error) {
	return open(dir, cwd, getenv, errBare)
}

// OpenFile finds the repository whose work tree holds a file, as Open does for its folder. A
// bare repository around the file, which git would use, is ignored: it may have been committed
// into the work tree, with settings.
func OpenFile(path, cwd string, getenv func(string) string) (*Repository, error) {
	return open(filepath.Dir(path), cwd, getenv, func(string) error { return nil })
}

// open implements Open. bare is called for a bare repository on the way up, and returns nil to
// ignore it.
func open(dir, cwd string, getenv func(string) string, bare func(gitDir string) error) (*Repository, error) {
	top, gitDir, err := find(dir, bare)
	caller := func(string) string { return "" } // the variables that count
	if here, _, _ := find(cwd, bare); here == top {
		caller = getenv
	}
	root, named := top, false
	if name := caller("GIT_DIR"); name != "" {
		found := gitDir
		root, gitDir, err = byName(absolute(cwd, name), cwd, top, found)
		named = gitDir != found
	}
	if err != nil {
		return nil, err
	}
	if !named { // by the caller, which git trusts too
		if err := checkOwner(top, gitDir, getenv); err != nil {
			return nil, err
		}
	}
	r := &Repository{GitDir: gitDir, CommonDir: commonDir(gitDir), IndexFile: filepath.Join(gitDir, "index"), top: top}
	tree := caller("GIT_WORK_TREE")
	switch configured, noTree := r.worktree(); {
	case tree != "":
		tree = absolute(cwd, tree)
		root = tree
	case configured != "":
		root = absolute(gitDir, configured)
	case noTree:
		return nil, errBare(gitDir)
	}
	if r.Root, err = filepath.EvalSymlinks(root); err != nil {
		return nil, fmt.Errorf("worktree of %s: %w", gitDir, err)
	}
	if index := caller("GIT_INDEX_FILE"); index != "" {
		r.IndexFile = absolute(r.Root, index)
	}
	var inherited []string
	if r.named = named; named {
		r.top = r.Root
		inherited = append(inherited, "GIT_DIR="+gitDir)
	}
	if tree != "" {
		inherited = append(inherited, "GIT_WORK_TREE="+tree)
	}
	for _, name := range []string{"GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES"} {
		if value := caller(name); value != "" {
			inherited = append(inherited, name+"="+value)
		}
	}
	r.env = environment(r.top, inherited)
	return r, nil
}

// find looks for .git from a folder upwards; bare is as for open.
func find(dir string, bare func(gitDir string) error) (root, gitDir string, err error) {
	if dir, err = filepath.Abs(dir); err != nil {
		return "", "", err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return "", "", err
	}
	for at := dir; ; at = filepath.Dir(at) {
		if gitDir, err = resolveGitDir(filepath.Join(at, ".git")); gitDir != "" || err != nil {
			return at, gitDir, err
		}
		if filepath.Base(at) != ".git" && isGitDir(at) {
			if err := bare(at); err != nil {
				return "", "", err
			}
		}
		if filepath.Dir(at) == at {
			return "", "", fmt.Errorf("%s is %w", dir, ErrNoRepository)
		}
	}
}

func errBare(gitDir string) error {
	return fmt.Errorf("%s is a bare repository, without a worktree: run in a clone of it, or in a worktree made by git worktree add", gitDir)
}

// byName returns the repository that GIT_DIR names. If it is the one that was found on disk, its
// root is the one that was found: a hook manager may have changed the working folder. Otherwise
// the root is cwd, in which git starts hooks.
func byName(name, cwd, foundRoot, found string) (root, gitDir string, err error) {
	gitDir, err = resolveGitDir(name)
	if err != nil {
		return "", "", err
	}
	if gitDir == "" || !isGitDir(gitDir) {
		return "", "", fmt.Errorf("GIT_DIR=%s is %w", name, ErrNoRepository)
	}
	if found != "" && files.Same(gitDir, found) {
		return foundRoot, found, nil
	}
	return cwd, gitDir, nil
}

// exists reports whether a folder has a file, under a name with slashes.
func exists(dir, name string) bool {
	_, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name)))
	return err == nil
}

func absolute(base, name string) string {
	if name = filepath.FromSlash(name); !filepath.IsAbs(name) {
		name = filepath.Join(base, name)
	}
	return filepath.Clean(name)
}

// Rel returns a path on disk relative to the root, with slashes.
func (r *Repository) Rel(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(r.Root, path)
	if err != nil || rel != "." && !filepath.IsLocal(rel) {
		return "", fmt.Errorf("%s is outside the worktree %s", path, r.Root)
	}
	return filepath.ToSlash(rel), nil
}

// names iterates over the lines that a git command prints with -z.
func names(out []byte) iter.Seq[string] {
	return func(yield func(string) bool) {
		for len(out) > 0 {
			var line []byte
			if line, out, _ = bytes.Cut(out, []byte{0}); !yield(string(line)) {
				return
			}
		}
	}
}

// listed iterates over the files that git lists with three fields before each.
func listed(out []byte) iter.Seq2[[]string, string] {
	return func(yield func(fields []string, path string) bool) {
		for line := range names(out) {
			head, path, found := strings.Cut(line, "\t")
			if fields := strings.Fields(head); found && len(fields) == 3 && !yield(fields, path) {
				return
			}
		}
	}
}

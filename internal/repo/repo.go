// Package repo reads a git repository, and puts fixes into what is about to be
// committed.
//
// What is staged is read without a process: the index is decoded and its blobs are
// read by go-git's storage packages, which know less than git. Where they give up, at a
// split or sparse index, at sha256, at an object that lies elsewhere, the git command
// is asked instead. The index is written by the git command alone.
//
// Inside of a hook git says by the environment which index the commit is made from:
// GIT_INDEX_FILE is honoured, as are GIT_DIR and GIT_WORK_TREE.
package repo

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// ErrNoRepository is returned for a folder outside of any repository.
var ErrNoRepository = errors.New("not a git repository")

// Repository is a repository with a worktree.
type Repository struct {
	Root      string // of the worktree
	GitDir    string // .git, or that of a linked worktree or submodule
	CommonDir string // where the objects lie: GitDir, but for a linked worktree
	IndexFile string // what is staged

	env []string // of git commands
}

// Open finds the repository that holds a folder. Getenv gives the variables that git
// sets for a hook, or the user for git. As in git they go before what is found on disk;
// but they count only if cwd, the folder the program was started in, belongs to the
// same repository as the folder, or neither belongs to any.
func Open(dir, cwd string, getenv func(string) string) (*Repository, error) {
	root, gitDir, err := find(dir)
	tree, index := "", ""
	if getenv("GIT_DIR")+getenv("GIT_WORK_TREE")+getenv("GIT_INDEX_FILE") != "" {
		if here, _, _ := find(cwd); here == root {
			tree, index = getenv("GIT_WORK_TREE"), getenv("GIT_INDEX_FILE")
			if named := getenv("GIT_DIR"); named != "" {
				root, gitDir, err = byName(absolute(cwd, named), cwd, root, gitDir)
			}
		}
	}
	if err != nil {
		return nil, err
	}
	r := &Repository{GitDir: gitDir, CommonDir: gitDir, IndexFile: filepath.Join(gitDir, "index")}
	if common, err := os.ReadFile(filepath.Join(gitDir, "commondir")); err == nil {
		r.CommonDir = absolute(gitDir, strings.TrimSpace(string(common)))
	}
	switch configured, bare := r.worktree(); {
	case tree != "":
		root = absolute(cwd, tree)
	case configured != "":
		root = absolute(gitDir, configured)
	case bare:
		return nil, errBare(gitDir)
	}
	if r.Root, err = filepath.EvalSymlinks(root); err != nil {
		return nil, fmt.Errorf("worktree of %s: %w", gitDir, err)
	}
	if index != "" {
		r.IndexFile = absolute(r.Root, index)
	}
	r.env = environment(r)
	return r, nil
}

// find looks for .git from a folder upwards.
func find(dir string) (root, gitDir string, err error) {
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
			return "", "", errBare(at)
		}
		if filepath.Dir(at) == at {
			return "", "", fmt.Errorf("%s is %w", dir, ErrNoRepository)
		}
	}
}

// resolveGitDir is the folder that a .git stands for: itself, or what it names if it is
// a file. It is empty if it is neither.
func resolveGitDir(name string) (string, error) {
	info, err := os.Stat(name)
	if err != nil {
		return "", nil
	}
	if info.IsDir() {
		return name, nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	target, found := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir:")
	if !found {
		return "", nil
	}
	return absolute(filepath.Dir(name), strings.TrimSpace(target)), nil
}

// isGitDir tells whether a folder looks as git lays out its own.
func isGitDir(dir string) bool {
	for _, name := range []string{"HEAD", "objects", "refs"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			return false
		}
	}
	return true
}

func errBare(gitDir string) error {
	return fmt.Errorf("%s is a bare repository, without a worktree: run in a clone of it, or in a worktree that git worktree add makes", gitDir)
}

// byName is the repository that GIT_DIR names. Its worktree is the folder that git
// starts hooks in, or, if this repository is also the one found on disk, the folder
// found: a hook manager may have gone to another one.
func byName(name, cwd, foundRoot, found string) (root, gitDir string, err error) {
	gitDir, err = resolveGitDir(name)
	if err != nil {
		return "", "", err
	}
	if gitDir == "" || !isGitDir(gitDir) && !isLinked(gitDir) {
		return "", "", fmt.Errorf("GIT_DIR=%s is %w", name, ErrNoRepository)
	}
	if a, err := os.Stat(gitDir); err == nil && found != "" {
		if b, err := os.Stat(found); err == nil && os.SameFile(a, b) {
			return foundRoot, found, nil
		}
	}
	return cwd, gitDir, nil
}

// isLinked tells whether a folder is that of a linked worktree.
func isLinked(gitDir string) bool {
	_, err := os.Stat(filepath.Join(gitDir, "commondir"))
	return err == nil
}

func absolute(base, name string) string {
	if name = filepath.FromSlash(name); !filepath.IsAbs(name) {
		name = filepath.Join(base, name)
	}
	return filepath.Clean(name)
}

// environment is that of git commands for a repository: nothing of another one's.
func environment(r *Repository) []string {
	var env []string
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		switch name {
		case "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "LC_ALL":
		default:
			env = append(env, v)
		}
	}
	return append(env, "GIT_DIR="+r.GitDir, "GIT_WORK_TREE="+r.Root, "GIT_INDEX_FILE="+r.IndexFile, "LC_ALL=C")
}

// PartialCommit tells whether a hook runs for "git commit -- PATH" (or --only): that
// commit is made from a temporary index, and what a hook stages there is missing from
// the index of the repository afterwards.
func (r *Repository) PartialCommit() bool {
	return strings.HasPrefix(filepath.Base(r.IndexFile), "next-index-")
}

// Replaying tells whether git makes commits one after the other: in a rebase, or a
// series of cherry-picks or reverts. It stops if a hook changes the index in between.
func (r *Repository) Replaying() bool {
	for _, name := range []string{"rebase-merge", "rebase-apply", "sequencer"} {
		if _, err := os.Stat(filepath.Join(r.GitDir, name)); err == nil {
			return true
		}
	}
	return false
}

// Rel is the name, with slashes, that a path on disk has from the root.
func (r *Repository) Rel(path string) (string, error) {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(r.Root, path)
	if err != nil || rel != "." && !filepath.IsLocal(rel) {
		return "", fmt.Errorf("%s lies outside of the worktree %s", path, r.Root)
	}
	return filepath.ToSlash(rel), nil
}

// git runs a git command at the root and returns what it prints.
func (r *Repository) git(input []byte, args ...string) ([]byte, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = r.Root
	cmd.Env = r.env
	cmd.Stdin = bytes.NewReader(input)
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return nil, fmt.Errorf("git %s: %s", subcommand(args), strings.TrimSpace(string(exit.Stderr)))
	}
	if err != nil {
		return nil, fmt.Errorf("git %s: %w", subcommand(args), err)
	}
	return out, nil
}

// names are the lines of what a git command prints with -z.
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

// listed are the files that git lists with three fields in front of each.
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

// subcommand is the word of a git command line behind git's own options.
func subcommand(args []string) string {
	for len(args) > 1 && strings.HasPrefix(args[0], "-") {
		if args[0] == "-c" { // its value follows
			args = args[1:]
		}
		args = args[1:]
	}
	return args[0]
}

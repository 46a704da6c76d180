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
// has set for a hook; they count only if the hook runs for this repository, that is,
// if cwd, the folder the program was started in, lies in it.
func Open(dir, cwd string, getenv func(string) string) (*Repository, error) {
	root, gitDir, err := find(dir)
	if err != nil && getenv("GIT_DIR") != "" {
		root, gitDir, err = fromEnvironment(cwd, getenv)
	}
	if err != nil {
		return nil, err
	}
	r := &Repository{Root: root, GitDir: gitDir, CommonDir: gitDir, IndexFile: filepath.Join(gitDir, "index")}
	if common, err := os.ReadFile(filepath.Join(gitDir, "commondir")); err == nil {
		r.CommonDir = absolute(gitDir, strings.TrimSpace(string(common)))
	}
	index := getenv("GIT_INDEX_FILE")
	if here, _, err := find(cwd); index != "" && (err != nil || here == root) {
		r.IndexFile = absolute(root, index)
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
		name := filepath.Join(at, ".git")
		switch info, err := os.Stat(name); {
		case err == nil && info.IsDir():
			return at, name, nil
		case err == nil:
			text, err := os.ReadFile(name)
			if err != nil {
				return "", "", err
			}
			if target, found := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir:"); found {
				return at, absolute(at, strings.TrimSpace(target)), nil
			}
		}
		if filepath.Dir(at) == at {
			return "", "", fmt.Errorf("%s is %w", dir, ErrNoRepository)
		}
	}
}

// fromEnvironment is the repository that git has named: its worktree is GIT_WORK_TREE,
// or the folder that git starts hooks in.
func fromEnvironment(cwd string, getenv func(string) string) (root, gitDir string, err error) {
	root = cwd
	if tree := getenv("GIT_WORK_TREE"); tree != "" {
		root = absolute(cwd, tree)
	}
	gitDir = absolute(cwd, getenv("GIT_DIR"))
	if info, err := os.Stat(gitDir); err != nil || !info.IsDir() {
		return "", "", fmt.Errorf("GIT_DIR=%s is %w", gitDir, ErrNoRepository)
	}
	root, err = filepath.EvalSymlinks(root)
	return root, gitDir, err
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

// Rel is the name, with slashes, that a path on disk has from the root.
func (r *Repository) Rel(path string) (string, error) {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(r.Root, path)
	if err != nil || rel != "." && !filepath.IsLocal(rel) {
		return "", fmt.Errorf("%s lies outside of the repository %s", path, r.Root)
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
		return nil, fmt.Errorf("git %s: %s", args[0], strings.TrimSpace(string(exit.Stderr)))
	}
	if err != nil {
		return nil, fmt.Errorf("git %s: %w", args[0], err)
	}
	return out, nil
}

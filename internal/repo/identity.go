package repo

import (
	"os"
	"path/filepath"
	"strings"
)

// Identity returns the path by which a repository is known: the git directory that its work trees
// share, without links. A .git that is a file or a link, or that names a common directory, counts
// for that directory only if it points back to this work tree, as git makes it do: anyone can
// write a .git that names a repository of the user's. Otherwise the repository is known by its own
// .git.
func (r *Repository) Identity() string {
	at := r.CommonDir
	if !r.isOwn() {
		at = filepath.Join(r.top, ".git")
		if real, err := filepath.EvalSymlinks(r.top); err == nil {
			return filepath.Join(real, ".git")
		}
		return at
	}
	if real, err := filepath.EvalSymlinks(at); err == nil {
		return real
	}
	return at
}

// isOwn reports whether the git directory belongs to the work tree: it lies in it, the caller has
// named it, or it points back.
func (r *Repository) isOwn() bool {
	if r.top == "" || r.named {
		return true
	}
	dotGit := filepath.Join(r.top, ".git")
	info, err := os.Lstat(dotGit)
	if err != nil {
		return false
	}
	if info.IsDir() {
		return r.CommonDir == r.GitDir
	}
	if r.CommonDir != r.GitDir { // a linked worktree
		back, err := os.ReadFile(filepath.Join(r.GitDir, "gitdir"))
		return err == nil && same(filepath.Dir(r.GitDir), filepath.Join(r.CommonDir, "worktrees")) &&
			same(absolute(r.GitDir, strings.TrimSpace(string(back))), dotGit)
	}
	configured, _ := r.worktree() // of a submodule
	return configured != "" && same(absolute(r.GitDir, configured), r.top)
}

// same reports whether two paths are one file or folder.
func same(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// IsRoot reports whether a folder is the root of the work tree.
func (r *Repository) IsRoot(dir string) bool { return same(dir, r.Root) }

// Owned reports whether a file belongs to the user, as git decides it. On Windows all do.
func Owned(path string) bool { return owned(path, os.Getenv) }

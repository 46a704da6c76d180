package repo

import (
	"os"
	"path/filepath"
	"strings"

	"whence/internal/worktree"
)

// Identity returns the path that identifies a repository: the git directory that its worktrees share, with links
// resolved. Since anyone can write a .git that names a repository of the user, a .git that is a file or a link, or that
// names a common directory, counts only if that directory points back to this worktree, as git makes it do. Otherwise
// Identity returns the path of .git itself.
func (r *Repository) Identity() string {
	dir, name := r.CommonDir, ""
	if !r.isOwn() {
		dir, name = r.top, ".git"
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	return filepath.Join(dir, name)
}

// isOwn reports whether the git directory belongs to the worktree: it is in the worktree, or points back to it.
func (r *Repository) isOwn() bool {
	dotGit := filepath.Join(r.top, ".git")
	info, err := os.Lstat(dotGit)
	if err != nil {
		return false
	}
	if info.IsDir() {
		return r.CommonDir == r.GitDir
	}
	if r.CommonDir != r.GitDir { // a linked worktree
		back, err := readRegular(filepath.Join(r.GitDir, "gitdir"))
		return err == nil && worktree.Same(filepath.Dir(r.GitDir), filepath.Join(r.CommonDir, "worktrees")) &&
			worktree.Same(worktree.Absolute(r.GitDir, strings.TrimSpace(string(back))), dotGit)
	}
	if r.settings == nil {
		return false
	}
	configured := r.settings.Section("core").Option("worktree") // of a submodule
	return configured != "" && worktree.Same(worktree.Absolute(r.GitDir, configured), r.top)
}

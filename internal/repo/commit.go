package repo

import (
	"path/filepath"
	"slices"
	"strings"
)

// InHook reports whether a program runs for a commit. Git names the index to its hooks, and so to the programs that
// hook managers run; pre-commit and prek set PRE_COMMIT.
func InHook(getenv func(string) string) bool {
	return getenv("GIT_INDEX_FILE") != "" || getenv("PRE_COMMIT") == "1"
}

// Rewording reports whether a rebase is changing the message of the commit. If a hook stops the commit, git loses the
// new message.
func Rewording(getenv func(string) string) bool {
	return strings.HasSuffix(getenv("GIT_REFLOG_ACTION"), "(reword)")
}

// Rebasing reports whether a hook runs for the commit with which a stopped rebase continues.
func Rebasing(getenv func(string) string) bool {
	return strings.HasSuffix(getenv("GIT_REFLOG_ACTION"), "(continue)")
}

// StartedIn returns the folder in which the user ran the command that started this program in cwd. Git starts hooks at
// the root, and passes that folder in a variable.
func (r *Repository) StartedIn(cwd string, getenv func(string) string) string {
	if prefix := getenv("GIT_PREFIX"); prefix != "" && InHook(getenv) {
		return filepath.Join(r.Root, filepath.FromSlash(prefix))
	}
	return cwd
}

// PartialCommit reports whether a hook runs for "git commit -- PATH" (or --only). Such a commit is made from a
// temporary index: what a hook stages there is missing from the index of the repository afterwards.
func (r *Repository) PartialCommit() bool {
	return strings.HasPrefix(filepath.Base(r.IndexFile), "next-index-")
}

// Below returns a path relative to a folder, and whether it is inside. Both are given from the root of the repository.
func Below(folder, path string) (name string, inside bool) {
	if folder == "." {
		return path, true
	}
	return strings.CutPrefix(path, folder+"/")
}

// LefthookHides reports whether a hook runs while lefthook has hidden the changes that are not staged. It restores them
// afterwards.
func (r *Repository) LefthookHides() bool {
	const patch = "info/lefthook-unstaged.patch"
	return exists(r.GitDir, patch) || exists(r.CommonDir, patch)
}

// CommitsWorktree reports whether a hook runs for "git commit -a" (or -i, -p). If such a commit is stopped, what it
// took from the worktree is no longer staged.
func (r *Repository) CommitsWorktree() bool { return filepath.Base(r.IndexFile) == "index.lock" }

// Merging reports whether the next commit is a merge, by MERGE_HEAD or by the environment of a hook.
func (r *Repository) Merging(environ []string) bool {
	return exists(r.GitDir, "MERGE_HEAD") || slices.ContainsFunc(environ, func(v string) bool { return strings.HasPrefix(v, mergedVariable) })
}

// Replaying reports whether git is making a series of commits, in a rebase or with several cherry-picks or reverts. Git
// stops if a hook changes the index in between.
func (r *Repository) Replaying() bool {
	for _, name := range []string{"rebase-merge", "rebase-apply", "sequencer"} {
		if exists(r.GitDir, name) {
			return true
		}
	}
	return false
}

package repo

import (
	"path/filepath"
	"slices"
	"strings"
)

// InHook reports whether a program runs for a commit: git names the index to its hooks, and so
// to what hook managers run; pre-commit and prek set PRE_COMMIT.
func InHook(getenv func(string) string) bool {
	return getenv("GIT_INDEX_FILE") != "" || getenv("PRE_COMMIT") == "1"
}

// Rewording reports whether a rebase is changing the message of the commit. Git drops the new
// message if a hook stops the commit.
func Rewording(getenv func(string) string) bool {
	return strings.HasSuffix(getenv("GIT_REFLOG_ACTION"), "(reword)")
}

// Rebasing reports whether a hook runs for the commit with which a stopped rebase continues.
func Rebasing(getenv func(string) string) bool {
	return strings.HasSuffix(getenv("GIT_REFLOG_ACTION"), "(continue)")
}

// StartedIn returns the folder in which the user ran the command that started this program in cwd:
// git starts hooks at the root, and passes that folder on.
func (r *Repository) StartedIn(cwd string, getenv func(string) string) string {
	if prefix := getenv("GIT_PREFIX"); prefix != "" && InHook(getenv) {
		return filepath.Join(r.Root, filepath.FromSlash(prefix))
	}
	return cwd
}

// PartialCommit reports whether a hook runs for "git commit -- PATH" (or --only): that
// commit is made from a temporary index, and what a hook stages there is missing from
// the index of the repository afterwards.
func (r *Repository) PartialCommit() bool {
	return strings.HasPrefix(filepath.Base(r.IndexFile), "next-index-")
}

// Below returns a path from a folder of the repository, by its path from the root; inside reports whether it is
// in that folder.
func Below(folder, path string) (name string, inside bool) {
	if folder == "." {
		return path, true
	}
	return strings.CutPrefix(path, folder+"/")
}

// LefthookHides reports whether a hook runs while lefthook has hidden what is not staged, which it restores
// afterwards.
func (r *Repository) LefthookHides() bool {
	const patch = "info/lefthook-unstaged.patch"
	return exists(r.GitDir, patch) || exists(r.CommonDir, patch)
}

// CommitsWorktree reports whether a hook runs for "git commit -a" (or -i, -p): what that commit takes from
// the worktree is no longer staged once it has been stopped.
func (r *Repository) CommitsWorktree() bool { return filepath.Base(r.IndexFile) == "index.lock" }

// Merging reports whether the next commit is a merge, also by the environment of a hook.
func (r *Repository) Merging(environ []string) bool {
	return exists(r.GitDir, "MERGE_HEAD") || slices.ContainsFunc(environ, func(v string) bool { return strings.HasPrefix(v, mergedVariable) })
}

// Replaying reports whether git makes commits one after the other: in a rebase, or a
// series of cherry-picks or reverts. It stops if a hook changes the index in between.
func (r *Repository) Replaying() bool {
	for _, name := range []string{"rebase-merge", "rebase-apply", "sequencer"} {
		if exists(r.GitDir, name) {
			return true
		}
	}
	return false
}

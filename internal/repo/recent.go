package repo

import (
	"context"
	"os"
	"path/filepath"
	"strings"
)

// Recent returns the current branch, if any, and at most maxFiles files that were changed in the
// worktree or by the last three commits. It omits what it cannot read. A file that was only
// touched counts as changed until git refreshes its index.
func (r *Repository) Recent(ctx context.Context, maxFiles int) (branch string, files []string) {
	head, err := os.ReadFile(filepath.Join(r.GitDir, "HEAD"))
	if err != nil {
		return "", nil
	}
	branch, _ = strings.CutPrefix(strings.TrimSpace(string(head)), "ref: refs/heads/")
	if strings.TrimSpace(string(head)) == branch {
		branch = "" // a commit, not a branch
	}
	for _, since := range []string{"HEAD~3", "HEAD"} {
		out, err := r.compareQuickly(ctx, "diff-index", "--name-only", "--no-renames", "--ignore-submodules=all", "-z", since)
		if err != nil {
			continue // there are fewer commits
		}
		for name := range names(out) {
			if len(files) < maxFiles {
				files = append(files, name)
			}
		}
		break
	}
	return branch, files
}

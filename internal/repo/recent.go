package repo

import (
	"os"
	"path/filepath"
	"strings"
)

// Recent is the branch that is checked out, "" for none, and at most so many files that
// were changed last: in the worktree, or by the last three commits. What cannot be told is
// empty.
func (r *Repository) Recent(most int) (branch string, files []string) {
	head, err := os.ReadFile(filepath.Join(r.GitDir, "HEAD"))
	if err == nil {
		branch, _ = strings.CutPrefix(strings.TrimSpace(string(head)), "ref: refs/heads/")
		if strings.TrimSpace(string(head)) == branch {
			branch = "" // a commit, not a branch
		}
	}
	for _, since := range []string{"HEAD~3", "HEAD"} {
		out, err := r.git(nil, "diff", "--name-only", "--no-renames", "-z", since)
		if err != nil {
			continue // there are fewer commits
		}
		for name := range names(out) {
			if len(files) < most {
				files = append(files, name)
			}
		}
		break
	}
	return branch, files
}

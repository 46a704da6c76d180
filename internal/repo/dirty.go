package repo

import (
	"context"
	"fmt"
	"strings"
)

// Dirty reports whether a file, named by its path on disk with all links resolved, has changes that
// git could not restore: it is tracked, and differs from the last commit. Without git it returns
// false.
func (r *Repository) Dirty(ctx context.Context, path string) (bool, error) {
	name, err := r.Rel(path)
	if err != nil {
		return false, err
	}
	out, err := r.compare(ctx, "status", "--porcelain", "-z", "--untracked-files=no", "--no-renames", "--ignore-submodules=all", "--", fromTop(name))
	switch {
	case noGit(err):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("%s: %w", name, err)
	}
	// "A ": staged as new, and unchanged in the worktree since
	return len(out) > 0 && !strings.HasPrefix(string(out), "A "), nil
}

// fromTop returns the argument that names a file from the root, whatever characters it has.
func fromTop(path string) string { return ":(top,literal)" + path }

package repo

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Dirty tells whether a file, named by its path on disk with all links followed, has
// changes that git could not give back: it is known to git, and differs from what is
// committed. A file that git does not know, a folder that is no repository, or a
// machine without git have nothing to compare with: false.
func Dirty(path string) (bool, error) {
	dir, name := filepath.Split(path)
	cmd := exec.Command("git", "-C", dir, "status", "--porcelain", "-z", "--untracked-files=no", "--", name)
	cmd.Env = append(os.Environ(), "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C")
	out, err := cmd.Output()
	var exit *exec.ExitError
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return false, nil
	case errors.As(err, &exit) && strings.Contains(string(exit.Stderr), "not a git repository"):
		return false, nil
	case errors.As(err, &exit):
		return false, fmt.Errorf("git status %s: %s", name, strings.TrimSpace(string(exit.Stderr)))
	case err != nil:
		return false, fmt.Errorf("git status %s: %w", name, err)
	}
	// "A ": staged as new, and the working tree has nothing more
	return len(out) > 0 && !strings.HasPrefix(string(out), "A "), nil
}

package repo

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"whence/internal/shell"
	"whence/internal/worktree"
)

// ErrNoRepository is returned for a folder outside any repository.
var ErrNoRepository = errors.New("not a git repository")

// RefusedError reports a repository that git refuses to work in.
type RefusedError struct {
	Dir string // the folder that holds .git
	Err error  // the reason, and what to do
}

func (e *RefusedError) Error() string { return e.Err.Error() }

func (e *RefusedError) Unwrap() error { return e.Err }

func errUntrusted(dir string) error {
	return &RefusedError{dir, fmt.Errorf("git does not trust the repository %s, which belongs to another user: if you do, run git config --global --add safe.directory %s",
		dir, shell.Quote(filepath.ToSlash(dir)))}
}

func errBare(gitDir string) error {
	return fmt.Errorf("%s is a bare repository, without a worktree: run in a clone of it, or in a worktree made by git worktree add", gitDir)
}

// find looks for .git in a folder and those above it. It ignores bare repositories on the way: one may have been
// committed into the work tree, with settings.
func find(dir string) (top, gitDir string, err error) {
	if dir, err = filepath.Abs(dir); err != nil {
		return "", "", err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return "", "", err
	}
	for at := dir; ; at = filepath.Dir(at) {
		if gitDir, err = resolveGitDir(at); gitDir != "" || err != nil {
			return at, gitDir, err
		}
		if filepath.Dir(at) == at {
			break
		}
	}
	if isGitDir(dir) {
		return "", "", errBare(dir)
	}
	return "", "", fmt.Errorf("%s is %w", dir, ErrNoRepository)
}

// resolveGitDir returns the git directory of a folder: its .git, or the one that a file .git names; "" if there is
// neither. As in git, a folder .git counts only if it is a git directory: sandboxes of agents leave an empty one
// behind.
func resolveGitDir(dir string) (string, error) {
	name := filepath.Join(dir, ".git")
	if isGitDir(name) {
		return name, nil
	}
	target := worktree.GitDir(dir)
	if target == name {
		return "", nil
	}
	if isGitDir(target) {
		return target, nil
	}
	here := shell.Word(filepath.ToSlash(dir))
	return "", &RefusedError{dir, fmt.Errorf("%s names the git directory %s, which is missing or damaged: if the repository was moved, run git worktree repair %s in its new place; else move %s away, recreate it there (git worktree add %s, or git submodule update --init %s), and copy your changes back",
		name, target, here, dir, here, here)}
}

// minHashDigits is the length of a SHA-1 hash. SHA-256 hashes are longer.
const minHashDigits = 40

// isGitDir reports whether a folder is a git directory by git's rules: it has objects, refs, and a HEAD that names a
// branch or a commit.
func isGitDir(dir string) bool {
	head := worktree.ReadBeginning(os.DirFS(dir), "HEAD", worktree.MaxGitPathBytes)
	branch, isBranch := strings.CutPrefix(head, "ref:")
	if isBranch && !strings.HasPrefix(strings.TrimSpace(branch), "refs/") {
		return false
	}
	if !isBranch && (len(head) < minHashDigits || strings.Trim(head[:minHashDigits], "0123456789abcdefABCDEF") != "") {
		return false
	}
	common := worktree.CommonDir(dir)
	return exists(common, "objects") && exists(common, "refs")
}

// exists reports whether a folder has a file with a name, which has slashes.
func exists(dir, name string) bool {
	_, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name)))
	return err == nil
}

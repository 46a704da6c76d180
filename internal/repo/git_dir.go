package repo

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"whence/internal/files"
)

// maxGitFileBytes is the maximum size of a .git file, as in git.
const maxGitFileBytes = 1 << 20

// resolveGitDir returns the git directory of a .git: the folder itself, or the one that a file
// names. It is empty if there is neither. As in git a folder counts only if it is a git directory:
// sandboxes of agents leave an empty .git behind.
func resolveGitDir(name string) (string, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return "", nil
	case info.IsDir() && isGitDir(name):
		return name, nil
	case !info.Mode().IsRegular(): // to open a pipe would wait for a writer
		return "", nil
	case info.Size() > maxGitFileBytes:
		return "", fmt.Errorf("%s is larger than git reads such a file", name)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	target, found := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir:")
	if !found {
		return "", nil
	}
	return absolute(filepath.Dir(name), strings.TrimSpace(target)), nil
}

// isGitDir reports whether a folder is a git directory by git's rules: it has a valid HEAD, objects
// and refs.
func isGitDir(dir string) bool {
	if !hasHead(dir) {
		return false
	}
	common := commonDir(dir)
	return exists(common, "objects") && exists(common, "refs")
}

// commonDir returns the folder with the objects and refs of a git directory: itself, or the one that
// the commondir of a linked worktree names.
func commonDir(gitDir string) string {
	if text := strings.TrimSpace(files.ReadBeginning(os.DirFS(gitDir), "commondir", maxPathBytes)); text != "" {
		return absolute(gitDir, text)
	}
	return gitDir
}

// minHashDigits is the length of a SHA-1 hash in hexadecimal; one of SHA-256 is longer.
const minHashDigits = 40

// hasHead reports whether a folder has a HEAD that names a branch or a commit.
func hasHead(dir string) bool {
	if target, err := os.Readlink(filepath.Join(dir, "HEAD")); err == nil { // old versions of git made a link
		return strings.HasPrefix(target, "refs/")
	}
	text := files.ReadBeginning(os.DirFS(dir), "HEAD", maxPathBytes)
	if target, found := strings.CutPrefix(text, "ref:"); found {
		return strings.HasPrefix(strings.TrimLeft(target, " \t\n\r"), "refs/")
	}
	return len(text) >= minHashDigits && strings.Trim(text[:minHashDigits], "0123456789abcdefABCDEF") == ""
}

// maxPathBytes is the maximum length of a path on Linux.
const maxPathBytes = 4096

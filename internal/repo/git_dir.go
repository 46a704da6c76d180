package repo

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
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
	common := commonDir(dir)
	return isHead(filepath.Join(dir, "HEAD")) && exists(common, "objects") && exists(common, "refs")
}

// commonDir returns the folder with the objects and refs of a git directory: itself, or the one that
// the commondir of a linked worktree names.
func commonDir(gitDir string) string {
	if text := strings.TrimSpace(beginningOf(filepath.Join(gitDir, "commondir"))); text != "" {
		return absolute(gitDir, text)
	}
	return gitDir
}

// minHashDigits is the length of a SHA-1 hash in hexadecimal; one of SHA-256 is longer.
const minHashDigits = 40

// isHead reports whether a file names a branch or a commit.
func isHead(name string) bool {
	if target, err := os.Readlink(name); err == nil { // old versions of git made a link
		return strings.HasPrefix(target, "refs/")
	}
	text := beginningOf(name)
	if target, found := strings.CutPrefix(text, "ref:"); found {
		return strings.HasPrefix(strings.TrimLeft(target, " \t\n\r"), "refs/")
	}
	return len(text) >= minHashDigits && strings.Trim(text[:minHashDigits], "0123456789abcdefABCDEF") == ""
}

// maxPathBytes is the maximum length of a path on Linux.
const maxPathBytes = 4096

// beginningOf returns the first bytes of a regular file, at most maxPathBytes; "" if it cannot be read.
func beginningOf(name string) string {
	info, err := os.Stat(name) // before opening: a pipe would block
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	file, err := os.Open(name)
	if err != nil {
		return ""
	}
	defer file.Close()
	text, _ := io.ReadAll(io.LimitReader(file, maxPathBytes))
	return string(text)
}

package worktree

import (
	"os"
	"path/filepath"
	"strings"
)

// MaxGitPathBytes bounds what is read of a file in which git keeps a path.
const MaxGitPathBytes = 4096

// GitDir returns the path of a folder's git directory, which need not exist: its .git, or the one that a file .git names.
func GitDir(dir string) string {
	content := ReadBeginning(os.DirFS(dir), ".git", MaxGitPathBytes)
	if target, found := strings.CutPrefix(strings.TrimSpace(content), "gitdir:"); found {
		return Absolute(dir, strings.TrimSpace(target))
	}
	return filepath.Join(dir, ".git")
}

// CommonDir returns the folder with the objects and refs of a git directory: itself, or the one that the commondir of a
// linked worktree names.
func CommonDir(gitDir string) string {
	if path := strings.TrimSpace(ReadBeginning(os.DirFS(gitDir), "commondir", MaxGitPathBytes)); path != "" {
		return Absolute(gitDir, path)
	}
	return gitDir
}

// Siblings returns the folders of a work tree's repository by the files that git keeps: its git directories, the main
// worktree and all linked ones. They need not exist.
func Siblings(dir string) (folders []string) {
	gitDir := GitDir(dir)
	common := CommonDir(gitDir)
	folders = []string{gitDir, common}
	if filepath.Base(common) == ".git" {
		folders = append(folders, filepath.Dir(common))
	}
	linked, _ := os.ReadDir(filepath.Join(common, "worktrees"))
	for _, entry := range linked {
		private := filepath.Join(common, "worktrees", entry.Name())
		back := strings.TrimSpace(ReadBeginning(os.DirFS(private), "gitdir", MaxGitPathBytes))
		if back != "" {
			folders = append(folders, filepath.Dir(Absolute(private, back)))
		}
	}
	return folders
}

// Absolute returns a path, which git may have written with slashes, from the root: a relative one starts at base.
func Absolute(base, name string) string {
	if name = filepath.FromSlash(name); !filepath.IsAbs(name) {
		name = filepath.Join(base, name)
	}
	return filepath.Clean(name)
}

// TreesAround returns the work trees that hold a folder, which need not exist, with links resolved: the innermost first.
func TreesAround(dir string) (trees []string) {
	for at := Resolved(dir); ; at = filepath.Dir(at) {
		if IsRoot(at) {
			trees = append(trees, at)
		}
		if filepath.Dir(at) == at {
			return trees
		}
	}
}

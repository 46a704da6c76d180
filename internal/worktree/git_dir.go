package worktree

import (
	"os"
	"path/filepath"
	"strings"
)

// MaxGitPathBytes is the number of bytes that are read of a file in which git keeps a path.
const MaxGitPathBytes = 4096

// GitDir returns the path of a folder's git directory, which need not exist: its .git, or the one that a file .git
// names.
func GitDir(dir string) string {
	content := ReadBeginning(os.DirFS(dir), ".git", MaxGitPathBytes)
	if target, found := strings.CutPrefix(strings.TrimSpace(content), "gitdir:"); found {
		return Absolute(dir, strings.TrimSpace(target))
	}
	return filepath.Join(dir, ".git")
}

// CommonDir returns the folder with the objects and refs of a git directory: the git directory itself or, for a linked
// worktree, the folder that its file commondir names.
func CommonDir(gitDir string) string {
	if path := strings.TrimSpace(ReadBeginning(os.DirFS(gitDir), "commondir", MaxGitPathBytes)); path != "" {
		return Absolute(gitDir, path)
	}
	return gitDir
}

// Siblings returns the folders of a work tree's repository: its git directories, the main worktree and all linked ones.
// It takes them from the files of git, so they need not exist.
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

// Absolute returns a path as an absolute one. A relative path starts at base; the path may have slashes, as git writes
// it.
func Absolute(base, name string) string {
	if name = filepath.FromSlash(name); !filepath.IsAbs(name) {
		name = filepath.Join(base, name)
	}
	return filepath.Clean(name)
}

// TreesAround returns the work trees that hold a folder, with links resolved, the innermost first. The folder need not
// exist.
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

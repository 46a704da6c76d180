package repo

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/go-git/go-billy/v5"
	"github.com/go-git/go-billy/v5/osfs"

	"whence/internal/inert"
	"whence/internal/worktree"
)

// An archive may contain a pipe with the name of a file that git reads. This process, go-git and git itself would wait
// for it forever, so this file keeps them from opening one.

// readRegular reads a file that is neither a pipe nor a device.
func readRegular(name string) ([]byte, error) {
	if err := refusePipe(name); err != nil {
		return nil, err
	}
	return os.ReadFile(name)
}

// refusePipe returns an error for a pipe or a device. It need not refuse sockets, such as that of git's file system
// monitor: they cannot be opened.
func refusePipe(name string) error {
	info, err := os.Stat(name)
	if err == nil && info.Mode()&(fs.ModeNamedPipe|fs.ModeDevice) != 0 {
		return fmt.Errorf("%s is a pipe or a device, for which git would wait: remove it", inert.Printable(name))
	}
	return nil
}

// refusePatterns is refusePipe for a file of patterns. It also refuses a large file, since git needs many times its
// size in memory.
func refusePatterns(name string) error {
	if info, err := os.Stat(name); err == nil && info.Size() > worktree.MaxTextBytes {
		return fmt.Errorf("%s is larger than %d MB: shorten it", inert.Printable(name), worktree.MaxTextBytes>>20)
	}
	return refusePipe(name)
}

// regularFiles is a folder for go-git in which pipes and devices cannot be opened.
type regularFiles struct{ billy.Filesystem }

func newRegularFiles(dir string) billy.Filesystem { return regularFiles{osfs.New(dir)} }

func (f regularFiles) Open(name string) (billy.File, error) { return f.OpenFile(name, os.O_RDONLY, 0) }

func (f regularFiles) OpenFile(name string, flag int, perm fs.FileMode) (billy.File, error) {
	if err := refusePipe(f.Join(f.Root(), name)); err != nil {
		return nil, err
	}
	return f.Filesystem.OpenFile(name, flag, perm)
}

// checkFiles returns an error if one of the files that git reads for most commands would block it or take too much
// memory.
func (r *Repository) checkFiles() error {
	files := []string{r.IndexFile, filepath.Join(r.Root, ".git"), filepath.Join(r.Root, ".gitmodules")}
	for _, name := range []string{filepath.Join(r.Root, ".gitattributes"), filepath.Join(r.Root, ".gitignore"), filepath.Join(r.CommonDir, "info", "exclude")} {
		if err := refusePatterns(name); err != nil {
			return err
		}
	}
	for _, dir := range []string{r.GitDir, r.CommonDir, filepath.Join(r.CommonDir, "info"), filepath.Join(r.CommonDir, "objects", "info"), filepath.Join(r.CommonDir, "objects", "pack")} {
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			if !e.Type().IsRegular() && !e.IsDir() {
				files = append(files, filepath.Join(dir, e.Name()))
			}
		}
	}
	head := worktree.ReadBeginning(os.DirFS(r.GitDir), "HEAD", worktree.MaxGitPathBytes)
	if branch, found := strings.CutPrefix(head, "ref:"); found {
		files = append(files, filepath.Join(r.CommonDir, filepath.FromSlash(path.Clean(strings.TrimSpace(branch)))))
	}
	for _, name := range files {
		if err := refusePipe(name); err != nil {
			return err
		}
	}
	return nil
}

// checkIgnoreFiles is checkFiles for the files of patterns in some folders, and in the folders between them and the
// root.
func (r *Repository) checkIgnoreFiles(paths []string) error {
	seen := map[string]bool{".": true}
	for _, at := range paths {
		for ; !seen[at] && at != "/"; at = path.Dir(at) {
			seen[at] = true
			for _, name := range []string{".gitattributes", ".gitignore"} {
				if err := refusePatterns(filepath.Join(r.Root, filepath.FromSlash(at), name)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

package validate

import (
	"io/fs"
	"path"
	"sync"

	"whence/internal/cli"
	"whence/internal/repo"
	"whence/internal/worktree"
)

// historyTree is a tree that asks git what its headings were called, and what was before a
// merge. Git is asked only when that matters; outside of a repository nothing is known.
type historyTree struct {
	fs.FS
	place  func() (gitPlace, error)
	mutex  sync.Mutex
	titles map[string]map[string]string // by path
}

// gitPlace is the folder of a tree in its repository.
type gitPlace struct {
	repository *repo.Repository
	below      string // from the root, with slashes
}

// WithHistory is a tree of files that knows what their headings were called: headings
// that were renamed beyond recognition are known by git then. Files may be those of the
// worktree, or staged ones.
func WithHistory(files fs.FS, tree *worktree.Tree, env cli.Env) fs.FS {
	place := sync.OnceValues(func() (gitPlace, error) {
		r, err := repo.Open(tree.Dir, env.Dir, env.Getenv)
		if err != nil {
			return gitPlace{}, err
		}
		below, err := r.Rel(tree.Dir)
		return gitPlace{r, below}, err
	})
	return &historyTree{FS: files, place: place, titles: map[string]map[string]string{}}
}

// Stat describes a file without opening it, where the tree can.
func (h *historyTree) Stat(name string) (fs.FileInfo, error) { return fs.Stat(h.FS, name) }

// ReadLink reads a symbolic link.
func (h *historyTree) ReadLink(name string) (string, error) { return fs.ReadLink(h.FS, name) }

// Lstat describes a file, or a symbolic link itself.
func (h *historyTree) Lstat(name string) (fs.FileInfo, error) { return fs.Lstat(h.FS, name) }

// ReadDir lists a folder.
func (h *historyTree) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(h.FS, name) }

// RenamedHeadings implements memory.HistoryFS.
func (h *historyTree) RenamedHeadings(name string) map[string]string {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	titles, known := h.titles[name]
	if !known {
		titles = h.ask(name)
		h.titles[name] = titles
	}
	return titles
}

// MergeBase implements memory.MergeFS.
func (h *historyTree) MergeBase(name string) (src []byte, known bool) {
	at, err := h.place()
	if err != nil {
		return nil, false
	}
	src, err = at.repository.MergeBase(path.Join(at.below, name))
	return src, err == nil
}

// ask asks git. An answer is a help, not a need: without one nothing is known.
func (h *historyTree) ask(name string) map[string]string {
	at, err := h.place()
	if err != nil {
		return nil
	}
	titles, err := at.repository.RenamedHeadings(path.Join(at.below, name))
	if err != nil {
		return nil
	}
	return titles
}

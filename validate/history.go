package validate

import (
	"io/fs"
	"path"
	"sync"

	"whence/internal/cli"
	"whence/internal/corpus"
	"whence/internal/repo"
	"whence/internal/worktree"
)

// historyTree is a tree that knows from git what its headings were called, and what its files
// were before a merge. It runs git on demand; outside of a repository nothing is known.
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

// WithHistory returns files, of the worktree or staged, as a tree that finds renamed headings
// and merge bases through git.
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

// WhyNot, Refusals and Exists implement corpus.RefusingFS.
func (h *historyTree) WhyNot(name string) (corpus.Refusal, bool) { return corpus.WhyNot(h.FS, name) }

func (h *historyTree) Refusals() []corpus.Refusal {
	if memory, is := h.FS.(corpus.RefusingFS); is {
		return memory.Refusals()
	}
	return nil
}

func (h *historyTree) Exists(name string) bool {
	if memory, is := h.FS.(corpus.RefusingFS); is {
		return memory.Exists(name)
	}
	_, err := fs.Stat(h.FS, name)
	return err == nil
}

// ReadDir lists a folder.
func (h *historyTree) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(h.FS, name) }

// RenamedHeadings implements corpus.HistoryFS. Without an answer from git, nothing is known.
func (h *historyTree) RenamedHeadings(name string) map[string]string {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	titles, known := h.titles[name]
	if !known {
		if at, err := h.place(); err == nil {
			titles, _ = at.repository.RenamedHeadings(path.Join(at.below, name))
		}
		h.titles[name] = titles
	}
	return titles
}

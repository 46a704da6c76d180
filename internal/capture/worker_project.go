package capture

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"whence/internal/cli"
	"whence/internal/home"
	"whence/internal/store"
)

// projectsFor returns a function that returns what the turns of a folder belong to, in a transcript:
// the repository of the folder, or the folder itself. If it is gone, as a worktree may be, they belong
// to what the session is known to belong to.
//
// So do all turns of other repositories if the transcript is in a work tree: a repository may have
// brought it, as agents can be made to keep transcripts there, and speaks for itself alone.
func (w *worker) projectsFor(t store.Transcript) func(cwd string) (string, error) {
	tree := home.OuterTree(filepath.Dir(t.Path))
	return func(cwd string) (string, error) {
		if cwd == "" || tree != "" && home.OuterTree(cwd) != tree {
			return t.Project, nil
		}
		project, known := w.projects[cwd]
		if !known {
			scope, err := cli.ScopeOf(cwd, cwd)
			if err != nil && !isGone(err) { // unknown for now: no turn is stored
				return "", fmt.Errorf("find the repository of %s: %w", cwd, err)
			}
			project = scope.Turns
			w.projects[cwd] = project
		}
		if project == "" {
			return t.Project, nil
		}
		return project, nil
	}
}

func isGone(err error) bool { return errors.Is(err, fs.ErrNotExist) }

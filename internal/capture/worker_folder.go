package capture

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/home"
	"whence/internal/store"
	"whence/internal/worktree"
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

// captures reports whether what is new in a transcript is captured. The user may have switched it off since
// the last event. If the settings cannot be read, the transcript waits until they can.
func (w *worker) captures(t store.Transcript) (bool, error) {
	if !t.Capture {
		return false, nil
	}
	tree, err := worktree.Open(cli.Root(t.Cwd))
	if err != nil && !isGone(err) {
		return false, err
	}
	if tree != nil {
		defer tree.Close()
	}
	c, err := config.Load(tree, w.variable)
	if wrong := (*config.Error)(nil); errors.As(err, &wrong) && wrong.Capture {
		return false, err
	}
	return c.TurnCapture, nil
}

// variable returns a variable of the environment for the settings of any session. An agent has started the
// worker, which reads transcripts of others too: its choices do not count.
func (w *worker) variable(name string) string {
	if name == "WHENCE_HOME" {
		return w.home
	}
	if strings.HasPrefix(name, "WHENCE_") || strings.HasPrefix(name, "GIT_") {
		return ""
	}
	return w.getenv(name)
}

package turns

import (
	"errors"
	"io/fs"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/team"
	"whence/internal/worktree"
)

// withSettings applies the settings to a raw job, for which its event had no time. If its folder
// is gone, the environment and the defaults apply. It fails if it cannot read a setting that
// decides whether or where turns are captured; then the job waits.
func (w *worker) withSettings(j Job) (Job, error) {
	getenv := w.withStore(j.EnvStore)
	root := cli.Root(j.Cwd)
	c, err := settingsOf(root, getenv)
	if errors.Is(err, fs.ErrNotExist) {
		c, err = config.Load(nil, getenv)
	}
	var wrong *config.Error
	isOther := errors.As(err, &wrong) && !wrong.Capture
	if err != nil && !isOther {
		return j, err
	}
	scope, err := team.ScopeWith(c, root, root, getenv)
	if errors.Is(err, fs.ErrNotExist) {
		scope, err = team.ScopeWith(c, w.home, w.home, getenv)
		if err == nil {
			scope.Turns = "" // the worker finds it
		}
	}
	if err != nil {
		return j, err
	}
	return j.WithSettings(c, scope), nil
}

// settingsOf reads the settings of a folder.
func settingsOf(root string, getenv func(string) string) (config.Config, error) {
	tree, err := worktree.Open(root)
	if err != nil {
		return config.Config{}, err
	}
	defer tree.Close()
	return config.Load(tree, getenv)
}

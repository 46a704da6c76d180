package turns

import (
	"errors"
	"io/fs"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/team"
	"whence/internal/worktree"
)

// settled returns a raw job as the settings want it. The event that left the job has had no
// time for them. Where its folder is gone, those of the environment and the defaults count: a
// job in a folder that does not want it is replaced at the event, if there is time.
func (w *worker) settled(j Job) (Job, error) {
	getenv := w.withStore(j.EnvStore)
	root := cli.Root(j.Cwd)
	c, err := settingsOf(root, getenv)
	if err != nil {
		return j, err
	}
	scope, err := team.ScopeWith(c, root, root, getenv)
	if errors.Is(err, fs.ErrNotExist) {
		scope, err = team.ScopeWith(c, w.home, w.home, getenv)
		if err == nil {
			scope.Turns = "" // to be found out as far as it can be
		}
	}
	if err != nil {
		return j, err
	}
	return j.Settled(c, scope), nil
}

// settingsOf reads the settings that hold in a folder; without one, those of the user. It fails if
// a setting that may say whether, or where, something is captured cannot be read: the job waits
// until it can.
func settingsOf(root string, getenv func(string) string) (config.Config, error) {
	tree, err := worktree.Open(root)
	if errors.Is(err, fs.ErrNotExist) {
		return known(config.Load(nil, getenv))
	}
	if err != nil {
		return config.Config{}, err
	}
	defer tree.Close()
	return known(config.Load(tree, getenv))
}

// known drops an error about settings that do not say whether, or where, something is captured.
func known(c config.Config, err error) (config.Config, error) {
	var wrong *config.Error
	if errors.As(err, &wrong) && !wrong.Capture {
		err = nil
	}
	return c, err
}

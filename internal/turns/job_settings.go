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
// is gone, the environment and the defaults apply.
func (w *worker) withSettings(j Job) (Job, error) {
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
			scope.Turns = "" // the worker finds it
		}
	}
	if err != nil {
		return j, err
	}
	return j.WithSettings(c, scope), nil
}

// settingsOf reads the settings of a folder, or those of the user if it is gone. It fails if it
// cannot read a setting that decides whether or where turns are captured; then the job waits.
func settingsOf(root string, getenv func(string) string) (config.Config, error) {
	tree, err := worktree.Open(root)
	if errors.Is(err, fs.ErrNotExist) {
		return onlyCaptureErrors(config.Load(nil, getenv))
	}
	if err != nil {
		return config.Config{}, err
	}
	defer tree.Close()
	return onlyCaptureErrors(config.Load(tree, getenv))
}

// onlyCaptureErrors drops an error in settings that do not decide whether or where turns are
// captured.
func onlyCaptureErrors(c config.Config, err error) (config.Config, error) {
	var wrong *config.Error
	if errors.As(err, &wrong) && !wrong.Capture {
		err = nil
	}
	return c, err
}

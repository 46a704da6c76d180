package cli

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/worktree"
)

// CheckEach runs a check before each action of a program.
func CheckEach(app *urfave.App, check func(*urfave.Context) error) {
	checked := func(run urfave.ActionFunc) urfave.ActionFunc {
		if run == nil {
			return nil
		}
		return func(cmd *urfave.Context) error {
			if err := check(cmd); err != nil {
				return err
			}
			return run(cmd)
		}
	}
	app.Action = checked(app.Action)
	each(app.Commands, func(command *urfave.Command) { command.Action = checked(command.Action) })
}

// CheckInside returns a UsageError if a path that a command line names leads out of the repository of
// the working folder or into a git directory, by links too. It does not say whether the file exists.
func (e Env) CheckInside(what, name string) error {
	tree, err := worktree.Open(worktree.Find(e.Dir, ".git"))
	if err != nil {
		return err
	}
	defer tree.Close()
	below, inside := worktree.Name(tree.Dir, e.Path(name))
	if inside {
		below, err = tree.Real(below)
		inside = err == nil && !holdsRepository(tree.Dir, below) || errors.Is(err, fs.ErrNotExist)
	}
	if !inside {
		return Usagef("%s: agents may read the repository in which they work, and no other: run this in a terminal of your own", what)
	}
	return nil
}

// holdsRepository reports whether a path below a folder is, or lies in, another repository.
func holdsRepository(dir, below string) bool {
	for at := below; at != "."; at = path.Dir(at) {
		if _, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(at), ".git")); err == nil {
			return true
		}
	}
	return false
}

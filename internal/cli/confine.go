package cli

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	urfave "github.com/urfave/cli/v3"

	"whence/internal/worktree"
)

// CheckEach runs a check before each command of a program, those added later included.
func CheckEach(app *urfave.Command, check func(*urfave.Command) error) {
	_ = app.Walk(func(command *urfave.Command) error {
		run := command.Action
		if run == nil {
			return nil
		}
		command.Action = func(ctx context.Context, cmd *urfave.Command) error {
			if err := check(cmd); err != nil {
				return err
			}
			return run(ctx, cmd)
		}
		return nil
	})
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

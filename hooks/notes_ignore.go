package hooks

import (
	"fmt"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/notes"
)

// notesIgnoreCommand has git ignore the notes.
func notesIgnoreCommand(env cli.Env) *urfave.Command {
	var dir string
	return &urfave.Command{
		Name: "ignore", Usage: "add .memory/ to .gitignore", Flags: notesFlags(&dir),
		Action: func(ctx *urfave.Context) error {
			if err := noArguments(ctx); err != nil {
				return err
			}
			return ignoreNotes(env, notesRoot(env, dir))
		},
	}
}

// ignoreNotes adds the line, and says so.
func ignoreNotes(env cli.Env, root string) error {
	done, err := notes.Ignore(root)
	if err != nil {
		return err
	}
	if !done {
		fmt.Fprintf(env.Stdout, "git already ignores %s/\n", notes.Folder)
		return nil
	}
	fmt.Fprintf(env.Stdout, "added %s/ to .gitignore\n", notes.Folder)
	return nil
}

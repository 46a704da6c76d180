package hooks

import (
	"errors"
	"fmt"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/notes"
	"whence/internal/worktree"
)

// notesCommand switches the notes in .memory/ on and off.
func notesCommand(env cli.Env) *urfave.Command {
	return &urfave.Command{
		Name: "notes", Usage: "switch the notes of a project, in .memory/, on or off",
		Subcommands: []*urfave.Command{
			notesSubcommand(env, "enable", "switch notes on, in "+config.ProjectFile, enableNotes),
			notesSubcommand(env, "disable", "switch notes off; existing notes stay", disableNotes),
		},
		Action: func(cmd *urfave.Context) error {
			if word := cmd.Args().First(); word != "" {
				return cli.Usagef("unknown command %q: use notes enable or disable", "notes "+word)
			}
			return cli.Usagef("notes needs a command: enable or disable")
		},
	}
}

// notesSubcommand returns a command about the notes of a project.
func notesSubcommand(env cli.Env, name, usage string, run func(env cli.Env, root string) error) *urfave.Command {
	var dir string
	return &urfave.Command{
		Name: name, Usage: usage, Flags: []urfave.Flag{repoFlag(&dir)},
		Action: func(*urfave.Context) error {
			root := cli.Root(env.Dir) // where events write
			if dir != "" {
				root = env.Path(dir)
			}
			return run(env, root)
		},
	}
}

// enableNotes switches notes on.
func enableNotes(env cli.Env, root string) error {
	dir, err := env.Home()
	if err == nil { // the user has just asked for it
		err = config.AllowSetting(dir, config.RepositoryOf(root), config.NotesOn)
	}
	if err != nil {
		return err
	}
	if err := switchNotes(env, root, true); err != nil {
		return err
	}
	fmt.Fprintf(env.Stdout, "to keep them out of git: add %s/ to .gitignore\n", notes.Folder)
	return nil
}

// disableNotes switches notes off.
func disableNotes(env cli.Env, root string) error { return switchNotes(env, root, false) }

// switchNotes writes the setting and reports it. If another process changes the file, it starts again.
func switchNotes(env cli.Env, root string, on bool) (err error) {
	tree, err := worktree.Open(root)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tree.Close()) }()
	changed := false
	err = tree.Update(config.ProjectFile, func(before []byte) ([]byte, error) {
		if before == nil && !on {
			return nil, nil
		}
		after, err := config.SetNotes(before, on)
		changed = string(after) != string(before)
		return after, err
	})
	if err != nil {
		return cli.SettingsError(err)
	}
	state := "off"
	if on {
		state = "on"
	}
	if !changed {
		fmt.Fprintf(env.Stdout, "notes are already %s (%s)\n", state, config.ProjectFile)
		return nil
	}
	fmt.Fprintf(env.Stdout, "notes are %s (%s) from the next session\n", state, config.ProjectFile)
	c, err := config.Load(tree, env.Getenv)
	if err == nil && c.Notes != on {
		fmt.Fprintf(env.Stdout, "but %s sets memory_notes_enabled too, and that counts for you\n", config.LocalFile)
	}
	return cli.SettingsError(err)
}

package hooks

import (
	"fmt"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/notes"
)

// notesCommand is about the notes in .memory/.
func notesCommand(env cli.Env) *urfave.Command {
	var yes bool
	return &urfave.Command{
		Name: "notes", Usage: "manage the notes of a project, in .memory/",
		Subcommands: []*urfave.Command{
			notesSubcommand(env, "enable", "switch notes on, in "+config.ProjectFile, func(root string) error { return enableNotes(env, root) }),
			notesSubcommand(env, "disable", "switch notes off; existing notes stay", func(root string) error { return switchNotes(env, root, false) }),
			notesShowCommand(env),
			notesSubcommand(env, "clean", "remove the notes", func(root string) error { return cleanNotes(env, root, yes) }, boolFlag("yes", "do not ask", &yes)),
		},
		Action: func(cmd *urfave.Context) error {
			if word := cmd.Args().First(); word != "" {
				return cli.Usagef("unknown command %q: use notes enable, disable, show or clean", "notes "+word)
			}
			return cli.Usagef("notes needs a command: enable, disable, show or clean")
		},
	}
}

func notesShowCommand(env cli.Env) *urfave.Command {
	var dir string
	return &urfave.Command{
		Name: "show", Usage: "print the notes, or only KIND: context, findings, decisions, errors", ArgsUsage: "[KIND]",
		Flags: []urfave.Flag{repoFlag(&dir)},
		Action: func(cmd *urfave.Context) error {
			return showNotes(env, notesRoot(env, dir), cmd.Args().Slice())
		},
	}
}

// notesSubcommand returns a command without arguments, about the notes of a project.
func notesSubcommand(env cli.Env, name, usage string, run func(root string) error, flags ...urfave.Flag) *urfave.Command {
	var dir string
	return &urfave.Command{
		Name: name, Usage: usage, Flags: append([]urfave.Flag{repoFlag(&dir)}, flags...),
		Action: func(*urfave.Context) error { return run(notesRoot(env, dir)) },
	}
}

// notesRoot returns the folder of the notes, to which events write too.
func notesRoot(env cli.Env, dir string) string {
	if dir != "" {
		return env.Path(dir)
	}
	return cli.Root(env.Dir)
}

// showNotes prints the notes of the kinds named; of all kinds if none is.
func showNotes(env cli.Env, root string, kinds []string) error {
	if len(kinds) > 1 {
		return cli.Usagef("unexpected argument %q", kinds[1])
	}
	if len(kinds) == 1 && !slices.Contains(notes.Kinds, kinds[0]) {
		return cli.Usagef("unknown kind of notes %q: use %s", kinds[0], strings.Join(notes.Kinds, ", "))
	}
	if len(kinds) == 0 {
		kinds = notes.Kinds
	}
	var texts []string
	for _, kind := range kinds {
		text, err := notes.Show(root, kind)
		if err != nil {
			return err
		}
		if text != "" {
			texts = append(texts, text+"\n")
		}
	}
	if len(texts) == 0 {
		return printNoNotes(env, root)
	}
	_, err := fmt.Fprint(env.Stdout, strings.Join(texts, "\n"))
	return err
}

// printNoNotes prints why there are no notes.
func printNoNotes(env cli.Env, root string) error {
	c, err := projectSettings(env, root)
	if err != nil {
		return cli.SettingsError(err)
	}
	if c.Notes {
		fmt.Fprintf(env.Stdout, "no notes yet: they are on, and begin with the next session of an agent that runs %s (%[1]s doctor lists them)\n", programName)
	} else {
		fmt.Fprintf(env.Stdout, "no notes: they are off; to switch them on: %s notes enable\n", programName)
	}
	return cli.ErrFound
}

// cleanNotes prints which files it would remove, asks, and removes them.
func cleanNotes(env cli.Env, root string, yes bool) error {
	paths, err := notes.Clean(root, true)
	if err != nil {
		return err
	}
	if len(paths) == 0 {
		fmt.Fprintln(env.Stdout, "nothing to remove")
		return nil
	}
	fmt.Fprintf(env.Stdout, "  %s\n", strings.Join(paths, "\n  "))
	if !agrees(env, yes, "Remove this?", "nothing was removed") {
		return cli.ErrFound
	}
	if _, err := notes.Clean(root, false); err != nil {
		return err
	}
	fmt.Fprintln(env.Stdout, "removed")
	return nil
}

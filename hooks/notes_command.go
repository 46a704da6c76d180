package hooks

import (
	"context"

	urfave "github.com/urfave/cli/v3"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/notes"
)

// notesCommand is about the notes in .memory/.
func notesCommand(env cli.Env) *urfave.Command {
	return &urfave.Command{
		Name: "notes", Usage: "manage the notes of a project, in .memory/",
		Commands: []*urfave.Command{
			notesEnableCommand(env),
			notesSubcommand(env, "disable", "switch notes off; existing notes stay", func(root string) error { return switchNotes(env, root, false) }),
			notesSubcommand(env, "ignore", "add .memory/ to .gitignore", func(root string) error { return ignoreNotes(env, root) }),
			notesShowCommand(env),
			notesSubcommand(env, "summary", "print recent notes, unresolved errors, and counts", func(root string) error { return printSummary(env, root) }),
			notesCleanCommand(env),
		},
		Action: func(_ context.Context, cmd *urfave.Command) error {
			if word := cmd.Args().First(); word != "" {
				return cli.Usagef("unknown command %q: use notes enable, disable, ignore, show, summary or clean", "notes "+word)
			}
			return cli.Usagef("notes needs a command: enable, disable, ignore, show, summary or clean")
		},
	}
}

func notesEnableCommand(env cli.Env) *urfave.Command {
	var gitignore bool
	return notesSubcommand(env, "enable", "switch notes on, in "+config.ProjectFile,
		func(root string) error { return enableNotes(env, root, gitignore) },
		boolFlag("gitignore", "also add .memory/ to .gitignore", &gitignore))
}

func notesCleanCommand(env cli.Env) *urfave.Command {
	var olderThan string
	var yes bool
	return notesSubcommand(env, "clean", "remove the notes; the last ones removed stay in "+notes.Attic,
		func(root string) error { return cleanNotes(env, root, olderThan, yes) },
		boolFlag("yes", "do not ask", &yes),
		&urfave.StringFlag{Name: "older-than", Usage: "remove only dated notes older than `DAYS`, such as 30d", Destination: &olderThan})
}

func notesShowCommand(env cli.Env) *urfave.Command {
	var dir string
	return &urfave.Command{
		Name: "show", Usage: "print the notes, or only KIND: context, findings, decisions, errors", ArgsUsage: "[KIND]",
		Flags: []urfave.Flag{repoFlag(&dir)},
		Action: func(_ context.Context, cmd *urfave.Command) error {
			return showNotes(env, notesRoot(env, dir), cmd.Args().Slice())
		},
	}
}

// notesSubcommand returns a command without arguments, about the notes of a project.
func notesSubcommand(env cli.Env, name, usage string, run func(root string) error, flags ...urfave.Flag) *urfave.Command {
	var dir string
	return &urfave.Command{
		Name: name, Usage: usage, Flags: append([]urfave.Flag{repoFlag(&dir)}, flags...),
		Action: func(context.Context, *urfave.Command) error { return run(notesRoot(env, dir)) },
	}
}

// notesRoot returns the folder of the notes, to which events write too.
func notesRoot(env cli.Env, dir string) string {
	if dir != "" {
		return env.Path(dir)
	}
	return cli.Root(env.Dir)
}

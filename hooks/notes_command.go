package hooks

import (
	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
)

// notesCommand is about the notes in .memory/.
func notesCommand(env cli.Env) *urfave.Command {
	return &urfave.Command{
		Name: "notes", Usage: "manage the notes of a project, in .memory/",
		Subcommands: []*urfave.Command{
			notesEnableCommand(env), notesDisableCommand(env), notesIgnoreCommand(env),
			notesShowCommand(env), notesSummaryCommand(env), notesCleanCommand(env),
		},
		Action: func(ctx *urfave.Context) error {
			if word := ctx.Args().First(); word != "" {
				return cli.Usagef("unknown command %q: use notes enable, disable, ignore, show, summary or clean", "notes "+word)
			}
			return cli.Usagef("notes needs a command: enable, disable, ignore, show, summary or clean")
		},
	}
}

// notesFlags are those that all commands about notes have.
func notesFlags(dir *string, more ...urfave.Flag) []urfave.Flag {
	return append([]urfave.Flag{&urfave.StringFlag{Name: "repo", Usage: "the project is in `DIR`", Destination: dir}}, more...)
}

// notesRoot returns the folder whose notes are meant: the one that events write to.
func notesRoot(env cli.Env, dir string) string {
	if dir != "" {
		return env.Path(dir)
	}
	return cli.Root(env.Dir)
}

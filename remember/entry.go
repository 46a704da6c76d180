package remember

import (
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/worktree"
	"whence/validate"
)

// entryCommand groups the commands that edit the entries of the index.
func entryCommand(env cli.Env) *urfave.Command {
	var o options
	return &urfave.Command{
		Name: "entry", Usage: "edit the entries of the memory index", Flags: o.readFlags(),
		Action: func(ctx *urfave.Context) error {
			return unknownCommand(ctx, "the commands of entry are add, rm, rename, draft and situations")
		},
		Subcommands: []*urfave.Command{addCommand(env), rmCommand(env), renameCommand(env), draftCommand(env), situationsCommand(env)},
	}
}

// options are the flags that the commands have in common.
type options struct {
	format              string
	quiet, dryRun, diff bool
	creates             bool // the command makes the index if there is none
	repository          cli.Repository
}

// readFlags returns the flags of a command that only reads.
func (o *options) readFlags() []urfave.Flag {
	return append([]urfave.Flag{
		&urfave.StringFlag{Name: "format", Usage: "print as `FORMAT`: text or json", Value: "text", Destination: &o.format},
		&urfave.BoolFlag{Name: "quiet", Usage: "print only results and errors", Destination: &o.quiet, DisableDefaultText: true},
	}, o.repository.Flags()...)
}

// writeFlags returns the flags of a command that writes, after its own.
func (o *options) writeFlags(own ...urfave.Flag) []urfave.Flag {
	return append(append(own,
		&urfave.BoolFlag{Name: "dry-run", Usage: "print what would be done, write nothing", Destination: &o.dryRun, DisableDefaultText: true},
		&urfave.BoolFlag{Name: "diff", Usage: "print the changes as a patch, write nothing", Destination: &o.diff, DisableDefaultText: true},
	), o.readFlags()...)
}

// open verifies the common flags and opens the repository.
func (o *options) open(env cli.Env, ctx *urfave.Context) (*worktree.Tree, config.Config, error) {
	if err := cli.Format(o.format, "text", "json"); err != nil {
		return nil, config.Config{}, err
	}
	if o.diff && o.format != "text" {
		return nil, config.Config{}, cli.Usagef("--diff prints a patch: leave --format out")
	}
	return o.repository.Open(env, ctx)
}

// edit opens the repository, computes an edit, and writes it.
func (o *options) edit(env cli.Env, ctx *urfave.Context, work func(*entryEditor) (editResult, error)) error {
	tree, c, err := o.open(env, ctx)
	if err != nil {
		return err
	}
	defer tree.Close()
	result, err := update(&entryEditor{env: env, tree: tree, config: c, creates: o.creates}, !o.dryRun && !o.diff, work)
	if err != nil {
		return cli.SettingsError(err)
	}
	return o.report(env, result)
}

// entryEditor edits an opened repository. Each attempt has a new validate.Editor.
type entryEditor struct {
	*validate.Editor
	env     cli.Env
	tree    *worktree.Tree
	config  config.Config
	creates bool // the command makes the index if there is none
}

// field checks a field of an entry from the command line: one line of text.
func field(flag, text string) (string, error) {
	trimmed := strings.TrimSpace(text)
	switch {
	case trimmed == "":
		return "", cli.Usagef("%s is empty: an entry has a trigger, a header title and a description", flag)
	case !printable(trimmed):
		return "", cli.Usagef("%s %q has a line break or another control character, or is not UTF-8: write it on one line", flag, trimmed)
	}
	return trimmed, nil
}

// oneArgument returns the trigger argument of a command.
func oneArgument(ctx *urfave.Context) (string, error) {
	switch ctx.NArg() {
	case 0:
		return "", cli.Usagef("name the entry by its trigger")
	case 1:
		return ctx.Args().First(), nil
	}
	return "", cli.Usagef("unexpected argument %q: put quotes around the trigger", ctx.Args().Get(1))
}

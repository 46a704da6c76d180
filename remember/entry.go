package remember

import (
	"fmt"
	"slices"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/worktree"
	"whence/validate"
)

func entryCommand(env cli.Env) *urfave.Command {
	var o options
	return &urfave.Command{
		Name: "entry", Usage: "edit the entries of the memory index", Flags: o.flags(),
		Action: func(cmd *urfave.Context) error {
			const commands = "the commands of entry are add, rm, rename, draft and set"
			if cmd.Args().Present() {
				word := cmd.Args().First()
				return cli.Usagef("unknown command %q (%s).%s", word, commands, cli.DidYouMean(cmd.Command.Subcommands, word))
			}
			return cli.Usagef("nothing to do: %s (see --help)", commands)
		},
		Subcommands: []*urfave.Command{addCommand(env), rmCommand(env), renameCommand(env), draftCommand(env), setCommand(env)},
	}
}

// options are the flags that the commands on entries have in common.
type options struct {
	quiet, dryRun bool
	repository    cli.MemoryFlags
	begins        bool // the command begins a memory if there is none
}

// flags returns the common flags, after a command's own.
func (o *options) flags(own ...urfave.Flag) []urfave.Flag {
	return slices.Concat(own, []urfave.Flag{cli.QuietFlag(&o.quiet)}, o.repository.Flags())
}

// writeFlags returns the flags of a command that writes, after its own.
func (o *options) writeFlags(own ...urfave.Flag) []urfave.Flag {
	return o.flags(append(own, &urfave.BoolFlag{Name: "dry-run", Usage: "print what would be done, write nothing", Destination: &o.dryRun})...)
}

// open opens the repository. The caller closes its tree.
func (o *options) open(env cli.Env, cmd *urfave.Context) (*entryRepository, error) {
	tree, c, err := o.repository.Open(env, cmd)
	return &entryRepository{env: env, begins: o.begins, tree: tree, config: c}, err
}

// edit computes an edit of the memory, writes it unless it is a preview, and reports it.
func (o *options) edit(env cli.Env, cmd *urfave.Context, work func(*attempt) (editResult, error)) error {
	r, err := o.open(env, cmd)
	if err != nil {
		return err
	}
	defer r.tree.Close()
	result, err := r.update(!o.dryRun, work)
	return r.report(result, err, o.quiet)
}

// entryRepository is a repository whose entries a command edits.
type entryRepository struct {
	env    cli.Env
	begins bool
	tree   *worktree.Tree
	config config.Config
}

// attempt edits the memory as it was read at one time. It is repeated if another process changes a file meanwhile.
type attempt struct {
	*entryRepository
	*validate.Editor
}

// load reads the memory for an attempt.
func (r *entryRepository) load() (*attempt, error) {
	source, err := cli.Memory(r.env, r.tree, r.config)
	if err != nil {
		return nil, err
	}
	load := validate.Load
	if r.begins {
		load = validate.Begin
	}
	m, err := load(source, r.config)
	if err != nil {
		return nil, err
	}
	return &attempt{r, validate.NewEditor(m, r.config)}, nil
}

// checkIndex returns an error if the index is missing, or has a conflict and so no entries.
func (a *attempt) checkIndex() error {
	if a.IndexMissing {
		return fmt.Errorf("there is no memory index %s: run \"%s\", which makes it from the decision files; --index names another file", a.config.Typed.Path(a.config.Index), a.typed("memory-remember entry draft --write"))
	}
	return a.Conflict()
}

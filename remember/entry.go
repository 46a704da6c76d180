package remember

import (
	"fmt"
	"slices"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/memory"
	"whence/internal/worktree"
	"whence/validate"
)

func entryCommand(env cli.Env) *urfave.Command {
	var o options
	return &urfave.Command{
		Name: "entry", Usage: "edit the entries of the memory index", Flags: o.flags(),
		Action: func(cmd *urfave.Context) error {
			const commands = "the commands of entry are add, rm, rename, draft, drafts and set"
			if cmd.Args().Present() {
				word := cmd.Args().First()
				return cli.Usagef("unknown command %q (%s).%s", word, commands, cli.DidYouMean(cmd.Command.Subcommands, word))
			}
			return cli.Usagef("nothing to do: %s (see --help)", commands)
		},
		Subcommands: []*urfave.Command{addCommand(env), rmCommand(env), renameCommand(env), draftCommand(env), draftsCommand(env), setCommand(env)},
	}
}

// options are the flags that the commands on entries have in common.
type options struct {
	quiet, dryRun bool
	repository    cli.Repository
	own           []urfave.Flag // of one command
}

// flags returns the common flags, after a command's own.
func (o *options) flags(own ...urfave.Flag) []urfave.Flag {
	o.own = own
	return slices.Concat(own, []urfave.Flag{cli.QuietFlag(&o.quiet)}, o.repository.Flags())
}

// writeFlags returns the flags of a command that writes, after its own.
func (o *options) writeFlags(own ...urfave.Flag) []urfave.Flag {
	return o.flags(append(own, &urfave.BoolFlag{Name: "dry-run", Usage: "print what would be done, write nothing", Destination: &o.dryRun})...)
}

// open opens the repository, whose tree the caller closes.
func (o *options) open(env cli.Env, cmd *urfave.Context) (*entryEditor, error) {
	tree, c, err := o.repository.Open(env, cmd)
	return &entryEditor{env: env, cmd: cmd, own: o.own, tree: tree, config: c}, err
}

// edit computes an edit of the memory, writes it unless it is a preview, and reports it.
func (o *options) edit(env cli.Env, cmd *urfave.Context, work func(*entryEditor) (editResult, error)) error {
	s, err := o.open(env, cmd)
	if err != nil {
		return err
	}
	defer s.tree.Close()
	result, err := s.update(!o.dryRun, work)
	return s.report(result, err, o.quiet)
}

// entryEditor edits an opened repository. Each attempt has a new validate.Editor.
type entryEditor struct {
	*validate.Editor
	env    cli.Env
	cmd    *urfave.Context
	own    []urfave.Flag // of the command
	tree   *worktree.Tree
	config config.Config
}

func (s *entryEditor) load() (*memory.Memory, error) {
	source, err := cli.Memory(s.env, s.tree, s.config)
	if err != nil {
		return nil, err
	}
	m, err := validate.Load(source, s.config)
	if err != nil {
		return nil, err
	}
	s.Editor = validate.NewEditor(m, s.config)
	return m, nil
}

// checkIndex returns an error if the index is missing, or has a conflict and so no entries.
func (s *entryEditor) checkIndex() error {
	if s.IndexMissing {
		return fmt.Errorf("there is no memory index %s: run \"%s\", which makes it from the decision files; --index names another file", s.config.Typed.Path(s.config.Index), s.typed("memory-remember entry draft --write"))
	}
	return s.Conflict()
}

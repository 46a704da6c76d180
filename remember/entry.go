package remember

import (
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/corpus"
	"whence/internal/index"
	"whence/internal/shell"
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
				return cli.Usagef("unknown command %q: %s", cmd.Args().First(), commands)
			}
			return cli.Usagef("nothing to do: %s (see --help)", commands)
		},
		Subcommands: []*urfave.Command{addCommand(env), rmCommand(env), renameCommand(env), draftCommand(env), draftsCommand(env), setCommand(env)},
	}
}

// options are the flags that the commands have in common.
type options struct {
	quiet, dryRun bool
	creates       bool // the command makes the index if there is none
	repository    cli.Repository

	typed shell.Typed // what is printed for the user
}

// flags returns the common flags, after a command's own.
func (o *options) flags(own ...urfave.Flag) []urfave.Flag {
	return append(append(own, cli.QuietFlag(&o.quiet)), o.repository.Flags()...)
}

// writeFlags returns the flags of a command that writes, after its own.
func (o *options) writeFlags(own ...urfave.Flag) []urfave.Flag {
	return o.flags(append(own, &urfave.BoolFlag{Name: "dry-run", Usage: "print what would be done, write nothing", Destination: &o.dryRun})...)
}

// open opens the repository, whose tree the caller closes.
func (o *options) open(env cli.Env, cmd *urfave.Context) (*entryEditor, error) {
	tree, c, err := o.repository.Open(env, cmd)
	o.typed = c.Typed
	return &entryEditor{env: env, tree: tree, config: c, creates: o.creates}, err
}

// edit opens the repository and updates it.
func (o *options) edit(env cli.Env, cmd *urfave.Context, work func(*entryEditor) (editResult, error)) error {
	s, err := o.open(env, cmd)
	if err != nil {
		return err
	}
	defer s.tree.Close()
	return o.update(s, work)
}

// update computes an edit, writes it unless it is a preview, and reports it.
func (o *options) update(s *entryEditor, work func(*entryEditor) (editResult, error)) error {
	result, err := s.update(!o.dryRun, work)
	if err != nil {
		return cli.SettingsError(err)
	}
	return o.report(s.env, result)
}

// entryEditor edits an opened repository. Each attempt has a new validate.Editor.
type entryEditor struct {
	*validate.Editor
	corpus  *corpus.Corpus
	env     cli.Env
	tree    *worktree.Tree
	config  config.Config
	creates bool // the command makes the index if there is none
}

// entryFields are the fields of an entry on the command line.
type entryFields struct{ file, header, trigger, description string }

func (e *entryFields) flags() []urfave.Flag {
	return []urfave.Flag{
		&urfave.StringFlag{Name: "header", Usage: "the `TITLE` of the heading that holds the decision", Destination: &e.header},
		&urfave.StringFlag{Name: "trigger", Usage: "what an agent is doing when it applies: two to five `WORDS`", Destination: &e.trigger},
		&urfave.StringFlag{Name: "description", Usage: "further `WORDS` by which to find it", Destination: &e.description},
		&urfave.StringFlag{Name: "file", Usage: "the decision `FILE` of the heading, if several have it", Destination: &e.file},
	}
}

// words returns the fields as flags of a command line.
func (e *entryFields) words() (words []string) {
	for _, f := range []struct{ flag, value string }{
		{"--header", e.header}, {"--trigger", e.trigger}, {"--description", e.description}, {"--file", e.file},
	} {
		if f.value != "" {
			words = append(words, f.flag, shell.Word(f.value))
		}
	}
	return words
}

// normalize trims the fields, which are one line each, and normalizes the trigger. Fields that are
// not on the command line may be empty, unless all are required.
func (e *entryFields) normalize(cmd *urfave.Context, required bool) error {
	for _, f := range []struct {
		flag string
		now  *string
	}{{"header", &e.header}, {"trigger", &e.trigger}, {"description", &e.description}} {
		*f.now = strings.TrimSpace(*f.now)
		if !required && !cmd.IsSet(f.flag) {
			continue
		}
		if *f.now == "" {
			return cli.Usagef("--%s is empty: an entry has a trigger, a header title and a description", f.flag)
		}
		if err := checkUTF8("--"+f.flag, *f.now); err != nil {
			return err
		}
		if err := cli.RefusePlaceholder("--"+f.flag+" ", *f.now, "words of your own: write those"); err != nil {
			return err
		}
		if !isLine(*f.now) {
			return cli.Usagef("--%s %q has a line break or another control character: write it on one line", f.flag, *f.now)
		}
	}
	e.trigger = index.NormalizeTrigger(e.trigger)
	return nil
}

func oneArgument(cmd *urfave.Context) (string, error) {
	switch cmd.NArg() {
	case 0:
		return "", cli.Usagef("name the entry by its trigger")
	case 1:
		return cmd.Args().First(), nil
	}
	return "", cli.Usagef("unexpected argument %q: put quotes around the trigger", cmd.Args().Get(1))
}

package migrate

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/corpus"
	"whence/internal/dispatch"
	"whence/internal/repo"
	"whence/internal/shell"
	"whence/internal/text"
	"whence/internal/worktree"
	"whence/validate"
)

//go:embed doc.go
var docGo string

// Main runs memory-migrate and returns its exit status.
func Main(env cli.Env) int {
	if dispatch.RunHook(env, Hooks()) {
		return cli.OK
	}
	env = cli.InShellTool(env)
	var o options
	return cli.Main(env, &urfave.App{
		Name:   "memory-migrate",
		Flags:  append(o.flags(o.writeFlag("index"), o.diffFlag("print the change as a patch, write nothing (the default)")), o.boldFlags()...),
		Action: o.action(env, o.migrate),
		Commands: []*urfave.Command{
			{Name: "plan", Usage: "print the plan, a table to edit", Flags: o.flags(), Action: o.action(env, o.plan)},
			{Name: "apply", Usage: "change the index by an edited plan", ArgsUsage: "--plan FILE", Flags: append(o.flags(
				&urfave.StringFlag{Name: "plan", Usage: "the plan is `FILE`, - is standard input", Destination: &o.planFile},
				o.diffFlag("print the change as a patch, write nothing"),
			), o.boldFlags()...), Action: o.action(env, o.apply)},
			{Name: "adopt", Usage: "use the decisions that a repository already has, where they are", ArgsUsage: "[--write]", Flags: o.flags(
				o.writeFlag("settings and index"), o.diffFlag("print the change as a patch, write nothing"),
			), Action: o.action(env, o.adopt)},
			dispatch.Command(Hooks()),
		},
	}, docGo)
}

// options are the flags of the command line.
type options struct {
	write, diff, partial, force, quiet bool
	planFile                           string
	repository                         cli.Repository

	typed shell.Typed // what is printed for the user
}

func (o *options) flags(own ...urfave.Flag) []urfave.Flag {
	return append(append(own, cli.QuietFlag(&o.quiet)), o.repository.Flags()...)
}

func (o *options) writeFlag(what string) urfave.Flag {
	return &urfave.BoolFlag{Name: "write", Usage: "write " + what, Destination: &o.write}
}

func (o *options) diffFlag(usage string) urfave.Flag {
	return &urfave.BoolFlag{Name: "diff", Usage: usage, Destination: &o.diff}
}

// boldFlags are the flags that write in spite of a refusal.
func (o *options) boldFlags() []urfave.Flag {
	return []urfave.Flag{
		&urfave.BoolFlag{Name: "partial", Usage: "write even if memory-validate would reject the result", Destination: &o.partial},
		&urfave.BoolFlag{Name: "force", Usage: "write even if a file to be changed has uncommitted changes", Destination: &o.force},
	}
}

// action wraps a command: it opens the repository, and closes it.
func (o *options) action(env cli.Env, run func(cli.Env, *worktree.Tree, config.Config) error) urfave.ActionFunc {
	return func(cmd *urfave.Context) error {
		if cmd.Args().Present() {
			return cli.Usagef("unexpected argument %q: the commands are plan, apply and adopt", cmd.Args().First())
		}
		if o.write && o.diff {
			return cli.Usagef("--diff writes nothing: leave it out, or --write")
		}
		tree, c, err := o.repository.Open(env, cmd)
		if err != nil {
			return err
		}
		defer tree.Close()
		o.typed = c.Typed
		return cli.SettingsError(run(env, tree, c))
	}
}

// plan prints the table.
func (o *options) plan(env cli.Env, tree *worktree.Tree, c config.Config) error {
	memory, err := cli.Memory(env, tree, c)
	if err != nil {
		return err
	}
	m, err := validate.Load(memory, c)
	if err != nil {
		return err
	}
	outcome := Outcome{Plan: plan(m, c), missing: m.IndexMissing}
	outcome.leaving = countLeaving(m.Index, outcome.Plan)
	if err := cli.PrintExact(env, string(outcome.Plan.Table())); err != nil {
		return err
	}
	o.summarize(env, c.Index, outcome, false)
	return nil
}

// migrate plans and applies in one go; without --write it shows the change.
func (o *options) migrate(env cli.Env, tree *worktree.Tree, c config.Config) error {
	memory, err := cli.CommitMemory(env, tree, c)
	var outcome Outcome
	if err == nil {
		outcome, err = Run(memory, c)
	}
	hasNothing := errors.Is(err, corpus.ErrNoMemory) && !o.write
	if errors.As(err, new(corpus.Refusal)) {
		hasNothing = repo.InHook(env.Getenv)
	}
	if hasNothing { // hook managers don't always say that they run a program, so not only in a hook
		fmt.Fprintf(env.Stderr, "memory-migrate: nothing to migrate: %s\n", text.Printable(err.Error()))
		return nil
	}
	if err != nil {
		return err
	}
	return o.finish(env, tree, c, outcome)
}

// apply works a table out; with --diff it shows the change.
func (o *options) apply(env cli.Env, tree *worktree.Tree, c config.Config) error {
	src, err := o.readPlan(env)
	if err != nil {
		return err
	}
	memory, err := cli.Memory(env, tree, c)
	if err != nil {
		return err
	}
	outcome, err := Apply(memory, c, o.planFile, src)
	if err != nil {
		return err
	}
	return o.finish(env, tree, c, outcome)
}

func (o *options) readPlan(env cli.Env) (src []byte, err error) {
	switch o.planFile {
	case "":
		return nil, cli.Usagef("name the edited table of memory-migrate plan: --plan FILE, or --plan - for standard input")
	case "-":
		src, err = io.ReadAll(env.Stdin)
		if err == nil {
			err = text.CheckUTF8("-: standard input", string(src))
		}
		if err != nil {
			return nil, cli.Usagef("--plan %v", err)
		}
		return src, nil
	}
	name := env.Path(o.planFile)
	if src, err = worktree.ReadText(os.DirFS(filepath.Dir(name)), filepath.Base(name)); err != nil {
		return nil, cli.Usagef("--plan: %v", err)
	}
	return src, nil
}

// finish writes the outcome, or shows it.
func (o *options) finish(env cli.Env, tree *worktree.Tree, c config.Config, outcome Outcome) error {
	refused := o.writes() && outcome.changed() && len(outcome.Left) > 0 && !o.partial
	written := o.writes() && outcome.changed() && !refused
	if written {
		if err := o.save(env, tree, c, outcome); err != nil {
			return err
		}
	}
	if err := o.report(env, c.Index, outcome); err != nil {
		return err
	}
	o.summarize(env, c.Index, outcome, written)
	if refused {
		fmt.Fprintf(env.Stderr, "nothing is written, since memory-validate would reject the result; \"%s\" writes it all the same\n", o.writing("--partial"))
		return cli.ErrFound
	}
	isDue := len(outcome.Plan.Rows) > 0 || outcome.changed()
	if isDue && (len(outcome.Left) > 0 || !o.writes()) {
		return cli.ErrFound
	}
	return nil
}

// save writes first the table, if it holds what the index no longer does, then the index, so that a run
// that is killed can be repeated.
func (o *options) save(env cli.Env, tree *worktree.Tree, c config.Config, outcome Outcome) error {
	if err := o.checkCommitted(env, tree, c.Index); err != nil {
		return err
	}
	if outcome.leaving > 0 && !o.hasPlanFile() {
		kept := planBeside(c.Index)
		err := keep(tree.Strict(), kept, outcome.Plan.Table())
		if errors.Is(err, worktree.ErrChanged) {
			return fmt.Errorf("%s exists: move it away", o.typed.Path(kept))
		}
		if err != nil {
			return err
		}
		o.note(env, "the entries that are no longer in the index are in %s: record what you need of them, then delete it", o.typed.Path(kept))
	}
	return tree.Strict().Replace(c.Index, outcome.Before, outcome.After)
}

// hasPlanFile reports whether a file holds the plan that is applied.
func (o *options) hasPlanFile() bool { return o.planFile != "" && o.planFile != "-" }

// planBeside returns the file that keeps the plan for an index.
func planBeside(index string) string {
	return strings.TrimSuffix(index, path.Ext(index)) + ".plan.tsv"
}

// keep writes a plan to a new file. One that holds the same may be there.
func keep(tree *worktree.Tree, name string, table []byte) error {
	if kept, err := worktree.ReadText(tree.FS(), name); err == nil && bytes.Equal(kept, table) {
		return nil
	}
	return tree.Replace(name, nil, table)
}

// note prints a line on standard error.
func (o *options) note(env cli.Env, format string, args ...any) {
	if !o.quiet {
		fmt.Fprintf(env.Stderr, format+"\n", args...)
	}
}

// checkCommitted refuses a file that git could not give back, unless --force is set.
func (o *options) checkCommitted(env cli.Env, tree *worktree.Tree, name string) error {
	if o.force {
		return nil
	}
	place, err := tree.Real(name)
	if err != nil {
		return err
	}
	place = filepath.Join(tree.Dir, filepath.FromSlash(place))
	r, err := repo.Open(filepath.Dir(place), env.Dir, env.Getenv)
	if errors.Is(err, repo.ErrNoRepository) {
		return nil
	}
	isDirty := false
	if err == nil {
		isDirty, err = r.Dirty(place)
	}
	if err != nil {
		return fmt.Errorf("%w; \"%s\" does not ask git", err, o.writing("--force"))
	}
	if isDirty {
		return fmt.Errorf("%s has changes that are neither committed nor staged: run \"%s\" first, or \"%s\"", o.typed.Path(name), o.typed.Git("add", name), o.writing("--force"))
	}
	return nil
}

// writes reports whether the command is to change the index.
func (o *options) writes() bool { return o.write || o.planFile != "" && !o.diff }

// writing returns the command that makes the change which this one shows or refuses, with more flags.
func (o *options) writing(flags ...string) string {
	words := []string{"memory-migrate", "--write"}
	if o.planFile != "" {
		words = []string{"memory-migrate", "apply", "--plan", shell.Word(o.planFile)}
	}
	if o.partial {
		words = append(words, "--partial")
	}
	if o.force {
		words = append(words, "--force")
	}
	return o.typed.Command(strings.Join(append(words, flags...), " "))
}

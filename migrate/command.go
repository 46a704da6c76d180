package migrate

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
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
		Flags:  o.flags(""),
		Action: o.action(env, o.migrate),
		Commands: []*urfave.Command{
			{Name: "plan", Usage: "print the plan, a table to edit", Flags: o.flags("plan"), Action: o.action(env, o.plan)},
			{Name: "apply", Usage: "change the index by an edited plan", ArgsUsage: "--plan FILE", Flags: o.flags("apply"), Action: o.action(env, o.apply)},
			adoptCommand(env),
			dispatch.Command(Hooks()),
		},
	}, docGo)
}

// options are the flags of the command line.
type options struct {
	write, diff, partial, force, quiet bool
	format, planFile                   string
	repository                         cli.Repository

	typed shell.Typed // what is printed for the user
	name  string      // of the command, as in "memory-migrate apply"
}

// flags returns the flags. The help of a command leaves out those that it refuses or does not need.
func (o *options) flags(command string) []urfave.Flag {
	diff, plan := "print the change as a patch, write nothing (the default)", "with --write, keep the plan in `FILE` if entries are removed"
	if command == "apply" {
		diff, plan = "print the change as a patch, write nothing", "the plan is `FILE`, - is standard input"
	}
	isPlan := command == "plan"
	return append([]urfave.Flag{
		&urfave.BoolFlag{Name: "write", Usage: "change the index", Destination: &o.write, Hidden: command != ""},
		&urfave.BoolFlag{Name: "diff", Usage: diff, Destination: &o.diff, Hidden: isPlan},
		&urfave.BoolFlag{Name: "partial", Usage: "write even if memory-validate would reject the result", Destination: &o.partial, Hidden: isPlan},
		&urfave.BoolFlag{Name: "force", Usage: "write even if a file to be changed has uncommitted changes", Destination: &o.force, Hidden: isPlan},
		&urfave.StringFlag{Name: "plan", Usage: plan, Destination: &o.planFile, Hidden: isPlan},
		&urfave.StringFlag{Name: "format", Usage: "print as `FORMAT`: text or json", Value: "text", Destination: &o.format},
		cli.QuietFlag(&o.quiet),
	}, o.repository.Flags()...)
}

// action wraps a command: it verifies the flags, opens the repository, and closes it.
func (o *options) action(env cli.Env, run func(cli.Env, *worktree.Tree, config.Config) error) urfave.ActionFunc {
	return func(cmd *urfave.Context) error {
		if err := cli.Format(o.format, "text", "json"); err != nil {
			return err
		}
		switch {
		case cmd.Args().Present():
			return cli.Usagef("unexpected argument %q: the commands are plan, apply and adopt", cmd.Args().First())
		case o.write && o.diff:
			return cli.Usagef("--diff writes nothing: leave it out, or --write")
		}
		tree, c, err := o.repository.Open(env, cmd)
		if err != nil {
			return err
		}
		defer tree.Close()
		o.typed, o.name = c.Typed, strings.TrimSpace(cmd.App.Name+" "+strings.TrimPrefix(cmd.Command.FullName(), cmd.App.Name))
		err = run(env, tree, c)
		hasNothing := errors.Is(err, corpus.ErrNoMemory) && !o.write && cmd.Command.Name != "plan" && cmd.Command.Name != "apply"
		if errors.As(err, new(corpus.Refusal)) {
			hasNothing = repo.InHook(env.Getenv)
		}
		if hasNothing { // hook managers don't always say that they run a program, so not only in a hook
			fmt.Fprintf(env.Stderr, "memory-migrate: nothing to migrate: %s\n", text.Printable(err.Error()))
			return nil
		}
		return cli.SettingsError(err)
	}
}

// plan prints the table.
func (o *options) plan(env cli.Env, tree *worktree.Tree, c config.Config) error {
	if o.write || o.diff || o.planFile != "" {
		return cli.Usagef("plan prints the table and changes nothing: leave --write, --diff and --plan out")
	}
	memory, err := cli.Memory(env, tree, c)
	if err != nil {
		return err
	}
	m, err := validate.Load(memory, c)
	if err != nil {
		return err
	}
	outcome := Outcome{Plan: plan(m, c, cli.Progress(env, "planning"))}
	outcome.leaving, outcome.missing = countLeaving(m.Index, outcome.Plan), m.IndexMissing
	if o.format == "json" {
		return o.report(env, outcome, false, false)
	}
	if err := cli.PrintExact(env, string(outcome.Plan.Table())); err != nil {
		return err
	}
	o.summarize(env, c.Index, outcome, false)
	return nil
}

// migrate plans and applies in one go; without --write it shows the change.
func (o *options) migrate(env cli.Env, tree *worktree.Tree, c config.Config) error {
	if o.planFile != "" && !o.write {
		return cli.Usagef("--plan without apply is where --write keeps the table: add --write")
	}
	memory, err := cli.CommitMemory(env, tree, c)
	if err != nil {
		return err
	}
	outcome, err := Run(memory, c, cli.Progress(env, "planning"))
	if err != nil {
		return err
	}
	return o.finish(env, tree, c, outcome, o.write)
}

// apply works a table out; with --diff it shows the change.
func (o *options) apply(env cli.Env, tree *worktree.Tree, c config.Config) error {
	if o.planFile == "" {
		return cli.Usagef("name the edited table of memory-migrate plan: --plan FILE, or --plan - for standard input")
	}
	src, err := o.readPlan(env, tree, c)
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
	return o.finish(env, tree, c, outcome, o.writes())
}

func (o *options) readPlan(env cli.Env, tree *worktree.Tree, c config.Config) ([]byte, error) {
	if o.planFile == "-" {
		src, err := io.ReadAll(env.Stdin)
		if err != nil {
			return nil, err
		}
		if err := text.CheckUTF8("--plan -: standard input", string(src)); err != nil {
			return nil, cli.Usagef("%v", err)
		}
		return src, nil
	}
	src, err := o.keptAt(env, tree, c).read()
	if err != nil {
		return nil, cli.Usagef("--plan: %v", err)
	}
	return src, nil
}

// finish writes the outcome, or shows it.
func (o *options) finish(env cli.Env, tree *worktree.Tree, c config.Config, outcome Outcome, write bool) error {
	refused := ""
	switch {
	case !write:
	case !outcome.changed():
	case len(outcome.Left) > 0 && !o.partial:
		refused = fmt.Sprintf("nothing is written, since memory-validate would reject the result; \"%s\" writes it all the same", o.again("--partial"))
	default:
		if err := o.save(env, tree, c, outcome); err != nil {
			return err
		}
	}
	written := write && refused == "" && outcome.changed()
	if err := o.report(env, outcome, write, written); err != nil {
		return err
	}
	o.summarize(env, c.Index, outcome, written)
	if refused != "" {
		fmt.Fprintln(env.Stderr, refused)
		return cli.ErrFound
	}
	due := len(outcome.Plan.Rows) > 0 || outcome.changed()
	if due && (len(outcome.Left) > 0 || !write) {
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
	if outcome.leaving > 0 && (!outcome.edited || o.planFile == "-") {
		file := o.keptAt(env, tree, c)
		if err := file.keep(outcome.Plan); err != nil {
			return err
		}
		o.note(env, "the entries that are no longer in the index are in %s: record what you need of them, then delete it", file.name())
	}
	return tree.Strict().Replace(c.Index, outcome.Before, outcome.After)
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
	dirty, err := uncommitted(env, filepath.Join(tree.Dir, filepath.FromSlash(place)))
	if err != nil {
		return fmt.Errorf("%w; \"%s\" does not ask git", err, o.again("--force"))
	}
	if dirty {
		return fmt.Errorf("%s has changes that are neither committed nor staged: run \"%s\" first, or \"%s\"", o.typed.Path(name), o.typed.Git("add", name), o.again("--force"))
	}
	return nil
}

// again returns the command that the user has typed, with a flag more, if any.
func (o *options) again(flag string) string {
	line := o.name
	for _, f := range []struct {
		name string
		set  bool
	}{{"--write", o.write}, {"--partial", o.partial}, {"--force", o.force}, {flag, flag != ""}} {
		if f.set {
			line += " " + f.name
		}
	}
	if o.planFile != "" {
		line += " --plan " + shell.Word(o.planFile)
	}
	return o.typed.Command(line)
}

// writes reports whether the command is to change the index.
func (o *options) writes() bool { return o.write || o.isApply() && !o.diff }

func (o *options) isApply() bool { return o.name == "memory-migrate apply" }

// writing returns the command that makes the change which this one shows.
func (o *options) writing() string {
	if o.isApply() {
		return o.again("")
	}
	return o.again("--write")
}

// uncommitted reports whether a file has changes that git could not give back.
func uncommitted(env cli.Env, name string) (bool, error) {
	r, err := repo.Open(filepath.Dir(name), env.Dir, env.Getenv)
	if errors.Is(err, repo.ErrNoRepository) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return r.Dirty(context.Background(), name)
}

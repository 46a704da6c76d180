package migrate

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/dispatch"
	"whence/internal/files"
	"whence/internal/repo"
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
	var o options
	return cli.Main(env, &urfave.App{
		Name:   "memory-migrate",
		Flags:  o.flags(""),
		Action: o.action(env, o.migrate),
		Commands: []*urfave.Command{
			{Name: "plan", Usage: "print the plan, a table to edit", Flags: o.flags("plan"), Action: o.action(env, o.plan)},
			{Name: "apply", Usage: "change the index by an edited plan", ArgsUsage: "--plan FILE", Flags: o.flags("apply"), Action: o.action(env, o.apply)},
			dispatch.Command(Hooks()),
		},
	}, docGo)
}

// options are the flags of the command line.
type options struct {
	write, diff, partial, force, quiet bool
	format, planFile                   string
	repository                         cli.Repository
}

// flags returns the flags. The help of a command leaves out those that it refuses or does not need.
func (o *options) flags(command string) []urfave.Flag {
	diff, plan := "print the change as a patch, write nothing (the default)", "with --write, keep the plan in `FILE` if entries are removed"
	if command == "apply" {
		diff, plan = "print the change as a patch, write nothing", "the edited plan is `FILE`; - is standard input"
	}
	isPlan := command == "plan"
	return append([]urfave.Flag{
		&urfave.BoolFlag{Name: "write", Usage: "change the index", Destination: &o.write, DisableDefaultText: true, Hidden: command != ""},
		&urfave.BoolFlag{Name: "diff", Usage: diff, Destination: &o.diff, DisableDefaultText: true, Hidden: isPlan},
		&urfave.BoolFlag{Name: "partial", Usage: "write even if memory-validate would reject the result", Destination: &o.partial, DisableDefaultText: true, Hidden: isPlan},
		&urfave.BoolFlag{Name: "force", Usage: "write even if the index has uncommitted changes", Destination: &o.force, DisableDefaultText: true, Hidden: isPlan},
		&urfave.StringFlag{Name: "plan", Usage: plan, Destination: &o.planFile, Hidden: isPlan},
		&urfave.StringFlag{Name: "format", Usage: "print as `FORMAT`: text or json", Value: "text", Destination: &o.format},
		&urfave.BoolFlag{Name: "quiet", Usage: "print only results and errors", Destination: &o.quiet, DisableDefaultText: true},
	}, o.repository.Flags()...)
}

// action wraps a command: it verifies the flags, opens the repository, and closes it.
func (o *options) action(env cli.Env, run func(cli.Env, *worktree.Tree, config.Config) error) urfave.ActionFunc {
	return func(ctx *urfave.Context) error {
		if err := cli.Format(o.format, "text", "json"); err != nil {
			return err
		}
		switch {
		case ctx.Args().Present():
			return cli.Usagef("unexpected argument %q: the commands are plan and apply", ctx.Args().First())
		case o.write && o.diff:
			return cli.Usagef("--diff writes nothing: leave it out, or --write")
		}
		tree, c, err := o.repository.Open(env, ctx)
		if err != nil {
			return err
		}
		defer tree.Close()
		err = run(env, tree, c)
		if errors.Is(err, validate.ErrNoMemory) && repo.InHook(env.Getenv) {
			fmt.Fprintln(env.Stderr, "memory-migrate: no memory here, so there is nothing to migrate")
			return nil
		}
		return cli.SettingsError(err)
	}
}

// plan prints the table.
func (o *options) plan(env cli.Env, tree *worktree.Tree, c config.Config) error {
	if o.write || o.diff || o.planFile != "" {
		return cli.Usagef("plan prints the table: leave --write, --diff and --plan out")
	}
	m, err := validate.Load(tree.FS(), c)
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
	outcome, err := Run(tree.FS(), c, cli.Progress(env, "planning"))
	if err != nil {
		return err
	}
	return o.finish(env, tree, c, outcome, o.write)
}

// apply works a table out; with --diff it shows the change.
func (o *options) apply(env cli.Env, tree *worktree.Tree, c config.Config) error {
	if o.planFile == "" {
		return cli.Usagef("apply needs the table: --plan FILE, or --plan - for standard input")
	}
	src, err := o.readPlan(env)
	if err != nil {
		return err
	}
	outcome, err := Apply(tree.FS(), c, o.planFile, src)
	if err != nil {
		return err
	}
	return o.finish(env, tree, c, outcome, !o.diff)
}

func (o *options) readPlan(env cli.Env) ([]byte, error) {
	if o.planFile == "-" {
		return io.ReadAll(env.Stdin)
	}
	src, err := files.ReadText(os.DirFS(filepath.Dir(env.Path(o.planFile))), filepath.Base(o.planFile))
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
		refused = "nothing is written, since memory-validate would reject the result; --partial writes it all the same"
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

// save writes first the table, if it holds what the index no longer does, and then
// the index.
func (o *options) save(env cli.Env, tree *worktree.Tree, c config.Config, outcome Outcome) error {
	name, err := tree.Real(c.Index)
	if err != nil {
		return err
	}
	if !o.force {
		dirty, err := uncommitted(env, filepath.Join(tree.Dir, filepath.FromSlash(name)))
		if err != nil {
			return fmt.Errorf("%w; --force does not ask git", err)
		}
		if dirty {
			return fmt.Errorf("%s has changes that are not committed: commit them first, or add --force", c.Index)
		}
	}
	if outcome.leaving > 0 && (!outcome.edited || o.planFile == "-") {
		if err := o.keepPlan(env, tree, name, outcome.Plan); err != nil {
			return err
		}
	}
	return tree.Replace(name, outcome.Before, outcome.After)
}

// uncommitted reports whether a file has changes that git could not give back.
func uncommitted(env cli.Env, name string) (bool, error) {
	r, err := repo.OpenFile(name, env.Dir, env.Getenv)
	if errors.Is(err, repo.ErrNoRepository) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return r.Dirty(context.Background(), name)
}

// planBeside is the file that keeps the table if none is named.
func planBeside(index string) string {
	return strings.TrimSuffix(index, path.Ext(index)) + ".plan.tsv"
}

// keepPlan writes the table to the file that --plan names, or beside the index.
func (o *options) keepPlan(env cli.Env, tree *worktree.Tree, index string, plan Plan) error {
	beside := planBeside(index)
	name := filepath.Join(tree.Dir, filepath.FromSlash(beside))
	create := func() error { return tree.Create(beside, plan.Table()) }
	read := func() ([]byte, error) { return fs.ReadFile(tree.FS(), beside) }
	if o.planFile != "" && o.planFile != "-" {
		name = env.Path(o.planFile)
		create = func() error { return files.Create(name, plan.Table()) }
		read = func() ([]byte, error) { return os.ReadFile(name) }
	}
	err := create()
	if errors.Is(err, fs.ErrExist) {
		if kept, readErr := read(); readErr == nil && string(kept) == string(plan.Table()) {
			return nil
		}
		return fmt.Errorf("%s exists: move it away, or name another file with --plan", name)
	}
	if err == nil && !o.quiet {
		fmt.Fprintf(env.Stderr, "the plan, with the entries that are no longer in the index, is in %s\n", name)
	}
	return err
}

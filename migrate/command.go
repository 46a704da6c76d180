package migrate

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/corpus"
	"whence/internal/dispatch"
	"whence/internal/repo"
	"whence/internal/wording"
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
			{
				Name: "plan", Usage: "print the plan, a table to edit", Flags: o.flags("plan"), Action: o.action(env, o.plan),
				Subcommands: []*urfave.Command{
					{Name: "set", Usage: "write the wording of an agent into the plan", ArgsUsage: "--stdin", Flags: o.flags("set"), Action: o.action(env, o.set)},
				},
			},
			{Name: "apply", Usage: "change the index by an edited plan", ArgsUsage: "[--plan FILE]", Flags: o.flags("apply"), Action: o.action(env, o.apply)},
			adoptCommand(env),
			dispatch.Command(Hooks()),
		},
	}, docGo)
}

// options are the flags of the command line.
type options struct {
	write, diff, partial, force, quiet bool
	forAgent, all, stdin               bool
	max                                int
	format, planFile                   string
	repository                         cli.Repository
}

// flags returns the flags. The help of a command leaves out those that it refuses or does not need.
func (o *options) flags(command string) []urfave.Flag {
	diff, plan := "print the change as a patch, write nothing (the default)", "with --write, keep the plan in `FILE` if entries are removed"
	var own []urfave.Flag
	switch command {
	case "plan":
		plan = "with --for-agent, keep the plan in `FILE`; else beside the index"
		own = []urfave.Flag{
			&urfave.BoolFlag{Name: "for-agent", Usage: "print the next entries to word, as JSON, and keep the plan", Destination: &o.forAgent},
			&urfave.BoolFlag{Name: "all", Usage: "with --for-agent, also entries that seem good already", Destination: &o.all},
			&urfave.IntFlag{Name: "max", Usage: "with --for-agent, print at most `N` entries; 0 prints as many as fit in 30,000 characters", Value: wording.DefaultBatch, Destination: &o.max},
		}
	case "set":
		plan = "the plan is `FILE`; else it is beside the index"
		own = []urfave.Flag{
			&urfave.BoolFlag{Name: "stdin", Usage: `read lines {"line": N, "trigger": "...", ...} from standard input`, Destination: &o.stdin},
		}
	case "apply":
		diff, plan = "print the change as a patch, write nothing", "the plan is `FILE`, - is standard input; else it is beside the index"
	}
	isPlan := command == "plan" || command == "set"
	return append(append(own,
		&urfave.BoolFlag{Name: "write", Usage: "change the index", Destination: &o.write, Hidden: command != ""},
		&urfave.BoolFlag{Name: "diff", Usage: diff, Destination: &o.diff, Hidden: isPlan},
		&urfave.BoolFlag{Name: "partial", Usage: "write even if memory-validate would reject the result", Destination: &o.partial, Hidden: isPlan},
		&urfave.BoolFlag{Name: "force", Usage: "write even if a file to be changed has uncommitted changes", Destination: &o.force, Hidden: isPlan},
		&urfave.StringFlag{Name: "plan", Usage: plan, Destination: &o.planFile},
		&urfave.StringFlag{Name: "format", Usage: "print as `FORMAT`: text or json", Value: "text", Destination: &o.format, Hidden: command == "set"},
		cli.QuietFlag(&o.quiet),
	), o.repository.Flags()...)
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
	switch {
	case o.max < 0:
		return cli.Usagef("--max %d: use 0 or more", o.max)
	case o.write || o.diff:
		return cli.Usagef("plan changes no index: leave --write and --diff out")
	case o.forAgent:
		return o.planForAgent(env, tree, c)
	case o.all || o.planFile != "" || o.max != wording.DefaultBatch:
		return cli.Usagef("plan prints the table: --all, --max and --plan need --for-agent")
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
	if o.write {
		if err := o.refuseWorded(env, tree, c); err != nil {
			return err
		}
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

// refuseWorded refuses to migrate by rules alone while a plan holds what an agent has worded.
func (o *options) refuseWorded(env cli.Env, tree *worktree.Tree, c config.Config) error {
	file := o.keptAt(env, tree, c)
	src, err := file.read()
	if err != nil {
		return nil // no plan
	}
	kept, _ := parseTable(file.path, src)
	if slices.ContainsFunc(kept.Rows, Row.isSet) {
		return fmt.Errorf("%s holds entries that were worded: memory-migrate apply writes them; move it away to migrate without them", file.name())
	}
	return nil
}

// apply works a table out; with --diff it shows the change.
func (o *options) apply(env cli.Env, tree *worktree.Tree, c config.Config) error {
	if o.planFile == "" {
		return o.applyKept(env, tree, c)
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
	return o.finish(env, tree, c, outcome, !o.diff)
}

// applyKept applies the plan beside the index, and removes it once all of it is written.
func (o *options) applyKept(env cli.Env, tree *worktree.Tree, c config.Config) error {
	file := o.keptAt(env, tree, c)
	memory, err := cli.Memory(env, tree, c)
	if err != nil {
		return err
	}
	m, err := load(memory, c)
	if err != nil {
		return err
	}
	done := isMigrated(m.Index)
	if done {
		o.summarize(env, c.Index, Outcome{missing: m.IndexMissing}, false)
	}
	src, err := file.read()
	switch missing := errors.Is(err, fs.ErrNotExist); {
	case done && (missing || o.diff):
		return nil
	case missing:
		return cli.Usagef("apply needs the plan, and there is no %s: memory-migrate plan --for-agent makes it; or name a table: --plan FILE, or --plan - for standard input", file.path)
	case err != nil:
		return err
	case done:
		return o.removeApplied(env, m, c, file, src)
	}
	outcome, err := Apply(memory, c, file.path, src)
	if err != nil {
		return err
	}
	err = o.finish(env, tree, c, outcome, !o.diff)
	if err != nil && !errors.Is(err, cli.ErrFound) {
		return err // one line
	}
	o.note(env, "the plan is %s", file.name())
	if o.diff {
		return err
	}
	m, loadErr := load(memory, c)
	if loadErr != nil {
		return loadErr
	}
	return cmp.Or(o.removeApplied(env, m, c, file, src), err)
}

// removeApplied removes a plan if the memory holds everything of it, and reports what it does.
func (o *options) removeApplied(env cli.Env, m *corpus.Corpus, c config.Config, file planFile, src []byte) error {
	plan, err := parseTable(file.path, src)
	if err != nil || plan.check(file.path, m) != nil {
		return nil // not a plan of this memory
	}
	if applied, err := isApplied(m, c, plan); err != nil || !applied {
		return err
	}
	o.note(env, "%s is removed, since all of it is in the memory now", file.name())
	return file.tree.Remove(file.path, src)
}

func (o *options) readPlan(env cli.Env, tree *worktree.Tree, c config.Config) ([]byte, error) {
	if o.planFile == "-" {
		return io.ReadAll(env.Stdin)
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

// save writes first the table, if it holds what the index no longer does, then the
// decision files, and last the index, so that a run that is killed can be repeated.
func (o *options) save(env cli.Env, tree *worktree.Tree, c config.Config, outcome Outcome) error {
	names := []string{c.Index}
	for _, f := range outcome.decisions {
		names = append(names, f.path)
	}
	for _, name := range names {
		if err := o.checkCommitted(env, tree, name); err != nil {
			return err
		}
	}
	if outcome.leaving > 0 && (!outcome.edited || o.planFile == "-") {
		file := o.keptAt(env, tree, c)
		if err := file.keep(outcome.Plan); err != nil {
			return err
		}
		o.note(env, "the entries that are no longer in the index are in %s: record what you need of them, then delete it", file.name())
	}
	for _, f := range outcome.decisions { // a killed run that is repeated finds them there
		if err := tree.Strict().Replace(f.path, f.before, f.after); err != nil {
			return fmt.Errorf("write %s: %w", f.path, err)
		}
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
		return fmt.Errorf("%w; --force does not ask git", err)
	}
	if dirty {
		return fmt.Errorf("%s has changes that are not committed: commit them first, or add --force", name)
	}
	return nil
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

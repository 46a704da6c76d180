package migrate

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/dispatch"
	"whence/internal/finding"
	"whence/internal/inert"
	"whence/internal/memory"
	"whence/internal/repo"
	"whence/internal/shell"
	"whence/internal/textdiff"
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
	return cli.Main(env, cli.Confined(env, &urfave.App{
		Name:   "memory-migrate",
		Flags:  o.flags(o.writeFlag("the index")),
		Action: o.action(env, o.migrate),
		Commands: []*urfave.Command{
			{Name: "adopt", Usage: "use the decisions that a repository already has, where they are", ArgsUsage: "[--write]", Flags: o.flags(o.writeFlag("the settings and the index")), Action: o.action(env, o.adopt)},
			dispatch.Command(Hooks()),
		},
	}), docGo)
}

// options are the flags of the command line.
type options struct {
	write, quiet bool
	repository   cli.MemoryFlags

	typed shell.Typed // formats paths and commands for the user
}

func (o *options) flags(own ...urfave.Flag) []urfave.Flag {
	return append(append(own, cli.QuietFlag(&o.quiet)), o.repository.Flags()...)
}

func (o *options) writeFlag(what string) urfave.Flag {
	return &urfave.BoolFlag{Name: "write", Usage: "write " + what, Destination: &o.write}
}

// action wraps a command: it opens the repository, and closes it.
func (o *options) action(env cli.Env, run func(cli.Env, *worktree.Tree, config.Config) error) urfave.ActionFunc {
	return func(cmd *urfave.Context) error {
		if cmd.Args().Present() {
			return cli.Usagef("unexpected argument %q.%s The only command is adopt", cmd.Args().First(), cli.DidYouMean(cmd.App.Commands, cmd.Args().First()))
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

// migrate writes the converted index; without --write, it shows the change.
func (o *options) migrate(env cli.Env, tree *worktree.Tree, c config.Config) error {
	source, err := cli.CommitMemory(env, tree, c)
	var outcome Outcome
	if err == nil {
		outcome, err = Run(source, c)
	}
	hasNothing := errors.Is(err, memory.ErrNoMemory) && !o.write
	if memory.IsRefusal(err) {
		hasNothing = repo.InHook(env.Getenv)
	}
	if hasNothing { // also outside of hooks: hook managers don't always say that they run a program
		fmt.Fprintf(env.Stderr, "memory-migrate: nothing to migrate: %s\n", inert.Printable(err.Error()))
		return nil
	}
	if err != nil {
		return err
	}
	if n := len(outcome.rows); !o.write && n > 0 && outcome.wasThere(cli.Parents(env, tree, c)) {
		o.note(env, "%s; \"%s\" converts the old format", cli.Count(n, "entry was of an old format before this commit and does not stop it", "entries were of an old format before this commit and do not stop it"), o.typed.Command("memory-migrate --write"))
		return nil
	}
	return o.finish(env, tree, c, outcome)
}

// finish writes the outcome and prints what memory-validate finds in it, or shows it as a patch.
func (o *options) finish(env cli.Env, tree *worktree.Tree, c config.Config, outcome Outcome) (err error) {
	if o.write && outcome.changed() {
		if err := o.checkCommitted(env, tree, c.Index, outcome.count(removed) > 0); err != nil {
			return err
		}
		if err := tree.Strict().Replace(c.Index, outcome.before, outcome.After); err != nil {
			return err
		}
	}
	if o.write {
		err = finding.Write(env.Stdout, "text", finding.Report{Findings: finding.Placed(outcome.left, o.typed.Place)}, false)
	} else {
		err = cli.PrintExact(env, textdiff.Unified(c.Index, outcome.before, outcome.After))
	}
	if err != nil {
		return err
	}
	o.summarize(env, c.Index, outcome)
	if len(outcome.left) > 0 || !o.write && outcome.changed() {
		return cli.ErrFound
	}
	return nil
}

// summarize prints on standard error the entries that have no heading or one with another title, the number of entries
// before and after, and what to do next.
func (o *options) summarize(env cli.Env, index string, outcome Outcome) {
	if len(outcome.rows) == 0 && !outcome.changed() {
		o.note(env, "nothing to migrate: no entry of an old format is in %s", o.typed.Path(index))
		return
	}
	byWords := 0
	for _, r := range outcome.rows {
		kind := r.kind()
		if kind == migrated && r.why != "" {
			kind = "check this"
			byWords++
		}
		if r.why != "" && (kind == removed || !o.quiet) { // removals are printed even with --quiet
			fmt.Fprintln(env.Stderr, inert.PrintableLines(fmt.Sprintf("%s:%d: %s: %s\n\t%s", o.typed.Path(index), r.line, kind, r.why, r.source)))
		}
	}
	counts := fmt.Sprintf("%s in, %d out", cli.Count(len(outcome.rows)-outcome.count(kept), "entry", "entries"), outcome.count(migrated))
	for _, count := range []struct {
		n    int
		text string
	}{
		{outcome.count(removed), "; removed from the index: %d"},
		{byWords, "; headings matched by words: %d"},
		{len(outcome.left), "; findings of memory-validate in the result: %d"},
	} {
		if count.n > 0 {
			counts += fmt.Sprintf(count.text, count.n)
		}
	}
	o.note(env, "%s", counts)
	if o.write && outcome.drafts > 0 {
		o.note(env, "%s", validate.DraftsWritten(outcome.drafts, o.typed))
	} else if !o.write && outcome.changed() {
		o.note(env, "nothing is written yet: run \"%s\"", o.typed.Command("memory-migrate --write"))
	}
}

// note prints lines on standard error, unless --quiet is set.
func (o *options) note(env cli.Env, format string, args ...any) {
	if !o.quiet {
		fmt.Fprintln(env.Stderr, inert.PrintableLines(fmt.Sprintf(format, args...)))
	}
}

// checkCommitted refuses to change a file with changes that git could not restore. If lines are removed, git must have
// the file.
func (o *options) checkCommitted(env cli.Env, tree *worktree.Tree, name string, removes bool) error {
	add := o.typed.Git("add", name)
	r, err := repo.Open(tree.Dir, env.Dir, env.Getenv)
	if errors.Is(err, repo.ErrNoRepository) {
		if removes {
			return fmt.Errorf("lines would be removed from %s, and no git repository keeps them: run \"git init && %s\" first", o.typed.Path(name), add)
		}
		return nil
	}
	if err != nil {
		return err
	}
	isUnsaved, err := r.Dirty(filepath.Join(tree.Dir, filepath.FromSlash(name)))
	if errors.Is(err, fs.ErrNotExist) {
		isUnsaved, err = removes, nil
	}
	if err != nil {
		return err
	}
	if isUnsaved {
		return fmt.Errorf("%s has changes that are neither committed nor staged: run \"%s\" first", o.typed.Path(name), add)
	}
	return nil
}

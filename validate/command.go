package validate

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/docs"
	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/dispatch"
	"whence/internal/finding"
	"whence/internal/memory"
	"whence/internal/repo"
	"whence/internal/shell"
	"whence/internal/textdiff"
	"whence/internal/worktree"
)

//go:embed doc.go
var docGo string

// Main runs memory-validate and returns its exit status.
func Main(env cli.Env) int {
	if dispatch.RunHook(env, Hooks()) {
		return cli.OK
	}
	env = cli.InShellTool(env)
	var o options
	return cli.Main(env, cli.Confined(env, &urfave.App{
		Name:  "memory-validate",
		Flags: o.flags(),
		Action: func(cmd *urfave.Context) error {
			return o.run(env, cmd)
		},
		Commands: append(gitHookCommands(env), mergeDriverCommand(env), dispatch.Command(Hooks())),
	}), docGo)
}

// options holds the flags of the command line.
type options struct {
	fix, unsafe, diff, quiet bool
	staged, stage            bool
	format, explain, since   string
	repository               cli.MemoryFlags
	enable                   urfave.StringSlice

	below string      // the folder of the memory; see cli.Env.Below
	typed shell.Typed // formats paths and commands for the user

	otherSettings bool // the staged settings differ from those of the worktree
}

func (o *options) flags() []urfave.Flag {
	return append([]urfave.Flag{
		&urfave.BoolFlag{Name: "fix", Usage: "make the safe fixes", Destination: &o.fix},
		&urfave.BoolFlag{Name: "unsafe-fixes", Usage: "make the safe fixes, and those that guess what was meant", Destination: &o.unsafe},
		&urfave.BoolFlag{Name: "diff", Usage: "print the fixes as a patch, write nothing", Destination: &o.diff},
		&urfave.BoolFlag{Name: "staged", Usage: "check what is about to be committed, not the worktree; with a fix, write it to the worktree", Destination: &o.staged},
		&urfave.BoolFlag{Name: "stage", Usage: "make the safe fixes in what is about to be committed and in the worktree", Destination: &o.stage},
		&urfave.StringFlag{Name: "since", Usage: "check what is staged, and note the names in decisions that are gone from the code since `REV`", Destination: &o.since},
		&urfave.StringFlag{Name: "format", Usage: "print findings as `FORMAT`: text, json, sarif or github", Value: "text", Destination: &o.format},
		&urfave.StringFlag{Name: "explain", Usage: "print what `RULE` finds, and why, with an example", Destination: &o.explain},
		&urfave.StringSliceFlag{Name: "enable", Usage: "also check `RULE`, which is off by default", Destination: &o.enable},
		cli.QuietFlag(&o.quiet),
	}, o.repository.Flags()...)
}

func (o *options) run(env cli.Env, cmd *urfave.Context) error {
	if err := o.verify(cmd); err != nil {
		return err
	}
	if cmd.IsSet("explain") {
		return explain(env, o.explain)
	}
	tree, c, err := o.repository.Open(env, cmd)
	if err != nil {
		return err
	}
	defer tree.Close()
	o.below, o.typed = env.Below(tree.Dir), c.Typed
	if o.format != "text" { // the messages of findings are for programs
		c.Typed = shell.Typed{}
	}
	if enable := o.enable.Value(); len(enable) > 0 {
		if err := c.Set("--enable", "validate.enable", append(c.Enable, enable...)); err != nil {
			return cli.SettingsError(err)
		}
	}
	var result Result
	if o.staged || o.stage || o.since != "" {
		result, err = o.workStaged(env, tree, c)
		result.Left = stopsCommit(env, result.Left)
	} else {
		result, err = o.workHere(env, tree, c)
	}
	if memory.IsRefusal(err) && repo.InHook(env.Getenv) {
		o.log(env, err.Error()+"\n")
		return nil
	}
	if errors.Is(err, memory.ErrNoMemory) && !memory.IsRefusal(err) && repo.InHook(env.Getenv) {
		o.log(env, "no memory here, so there is nothing to check\n")
		return nil
	}
	if err != nil {
		if len(result.Changes) > 0 {
			o.log(env, o.changes(result))
		}
		return cli.SettingsError(err)
	}
	return o.print(env, tree, c, result)
}

// verify rejects arguments and contradictory flags.
func (o *options) verify(cmd *urfave.Context) error {
	if cmd.Args().Present() {
		return cli.Usagef("unexpected argument %q.%s The whole memory is checked; --repo and --index choose another one; the commands are install-git-hook, uninstall-git-hook and hook",
			cmd.Args().First(), cli.DidYouMean(cmd.App.Commands, cmd.Args().First()))
	}
	if o.stage && (o.staged || o.fix || o.unsafe || o.diff) {
		return cli.Usagef("--stage makes the safe fixes: leave --staged, --fix, --unsafe-fixes and --diff out")
	}
	if o.since != "" && (o.stage || o.fix || o.unsafe || o.diff) {
		return cli.Usagef("--since checks: leave --stage, --fix, --unsafe-fixes and --diff out")
	}
	if o.diff && o.format != "text" {
		return cli.Usagef("--diff prints a patch: leave --format out")
	}
	return cli.Format(o.format, finding.Formats...)
}

// explain prints the section of docs/checks.md about a rule.
func explain(env cli.Env, name string) error {
	text, found := docs.Check(name)
	if !found {
		return cli.Usagef("unknown rule %q: the rules are %s", name, strings.Join(ruleNames(func(rule) bool { return true }), ", "))
	}
	_, err := fmt.Fprint(env.Stdout, text)
	return err
}

// workHere checks or fixes the worktree.
func (o *options) workHere(env cli.Env, tree *worktree.Tree, c config.Config) (Result, error) {
	memory, err := cli.CommitMemory(env, tree, c)
	if err != nil {
		return Result{}, err
	}
	return o.work(env, tree, memory, c)
}

// work checks the memory, or fixes it and writes the fixes unless --diff prints them. If another process changes a file
// meanwhile, the fix starts again on the new text. The result names what was written, even with an error.
func (o *options) work(env cli.Env, tree *worktree.Tree, fsys fs.FS, c config.Config) (Result, error) {
	if !o.fix && !o.unsafe && !o.diff {
		m, err := Load(fsys, c)
		if err != nil {
			return Result{}, err
		}
		return Result{Left: Check(m, c), NoIndex: m.IndexMissing}, nil
	}
	var done Result
	err := worktree.Retry(func() error {
		m, err := Load(fsys, c)
		if err != nil {
			return err
		}
		result, err := FixMemory(m, c, o.unsafe)
		if err != nil {
			return err
		}
		done.Left, done.NoIndex = result.Left, result.NoIndex
		if o.diff {
			done = result
			return nil
		}
		return write(tree, result, &done)
	})
	return done, err
}

// write writes the changes of a result, and adds each to done.
func write(tree *worktree.Tree, result Result, done *Result) error {
	for _, change := range result.Changes {
		if err := tree.Strict().Replace(change.Path, change.Before, change.After); err != nil {
			return fmt.Errorf("write %s: %w", change.Path, err)
		}
		done.Changes = append(done.Changes, change)
		done.Fixed, done.fixed = append(done.Fixed, result.fixedIn(change.Path)...), result.fixed
	}
	return nil
}

// print writes the outcome, and returns cli.ErrFound if findings or a diff are left.
func (o *options) print(env cli.Env, tree *worktree.Tree, c config.Config, result Result) error {
	if o.diff {
		for _, change := range result.Changes {
			if err := cli.PrintExact(env, textdiff.Unified(path.Join(o.below, change.Path), change.Before, change.After)); err != nil {
				return err
			}
		}
	} else if err := finding.Write(env.Stdout, o.format, finding.Report{
		Tool: "memory-validate", Version: cli.Version, Rules: Rules(),
		Findings: o.placed(result.Left), Fixed: o.placed(result.Fixed), Notes: o.placed(result.Notes),
	}, cli.Color(env, env.Stdout)); err != nil {
		return err
	}
	if o.format != "github" {
		o.log(env, notesText(o.placed(result.Notes)))
	}
	if o.quiet {
		o.log(env, o.removals(result))
	} else if repo.InHook(env.Getenv) {
		a, err := newAdvice(o, env, tree, c)
		if err != nil {
			return err
		}
		a.before = result.known
		o.log(env, o.changes(result)+a.forCommit(result)+noteBefore(env, result.Before)+a.noteSettings())
	} else {
		o.log(env, o.changes(result)+o.outlook(result, c.Index))
	}
	if !o.diff && (o.stage || o.staged && repo.InHook(env.Getenv)) && repo.Rewording(env.Getenv) {
		return nil // git would lose the new message
	}
	unstaged := o.staged && repo.InHook(env.Getenv) // what is committed still needs the fix
	if len(result.Left) > 0 || (o.diff || unstaged) && len(result.Changes) > 0 {
		return cli.ErrFound
	}
	return nil
}

// placed returns findings with their paths from the working folder of the user; in formats for programs, from the
// working folder if it is above the memory, else from the folder of the memory.
func (o *options) placed(found []finding.Finding) []finding.Finding {
	if o.format == "text" {
		return finding.Placed(found, o.typed.Place)
	}
	return finding.Placed(found, func(name string) string { return path.Join(o.below, name) })
}

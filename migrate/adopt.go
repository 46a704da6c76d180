package migrate

import (
	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/shell"
	"whence/internal/worktree"
)

// adoptCommand references the decisions that a repository already has where they are.
func adoptCommand(env cli.Env) *urfave.Command {
	var o adoptOptions
	return &urfave.Command{
		Name: "adopt", Usage: "use the decisions that a repository already has, where they are", ArgsUsage: "[--write]",
		Flags: o.flags(),
		Action: func(cmd *urfave.Context) error {
			if err := o.check(cmd); err != nil {
				return err
			}
			tree, c, err := o.repository.Open(env, cmd)
			if err != nil {
				return err
			}
			defer tree.Close()
			o.typed = c.Typed
			return cli.SettingsError(o.adopt(env, tree, c))
		},
	}
}

// adoptOptions are the flags of adopt.
type adoptOptions struct {
	write, diff, quiet bool
	repository         cli.Repository

	typed shell.Typed // what is printed for the user
}

func (o *adoptOptions) flags() []urfave.Flag {
	return append([]urfave.Flag{
		&urfave.BoolFlag{Name: "write", Usage: "write settings and index", Destination: &o.write},
		&urfave.BoolFlag{Name: "diff", Usage: "print the change as a patch, write nothing", Destination: &o.diff},
		cli.QuietFlag(&o.quiet),
	}, o.repository.Flags()...)
}

func (o *adoptOptions) check(cmd *urfave.Context) error {
	switch {
	case cmd.Args().Present():
		return cli.Usagef("unexpected argument %q: adopt looks through the whole repository; --repo names another one", cmd.Args().First())
	case o.write && o.diff:
		return cli.Usagef("--diff writes nothing: leave it out, or --write")
	}
	return nil
}

// adopt plans, then shows the plan or the change, or makes it. If another process has changed a file
// meanwhile, it starts again from the new files.
func (o *adoptOptions) adopt(env cli.Env, tree *worktree.Tree, c config.Config) error {
	plan, err := findAdoptable(env, tree, c)
	if err != nil {
		return err
	}
	var a *adoption
	err = worktree.Retry(func() error {
		if a, err = adopt(tree.FS(), openMemory(env, tree), c, plan); err != nil || !o.write {
			return err
		}
		return a.save(tree)
	})
	if err != nil {
		return err
	}
	if !o.write {
		return o.show(env, a)
	}
	return o.reportWritten(env, a)
}

package hooks

import (
	"context"
	"fmt"
	"time"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/dispatch"
	"whence/internal/inert"
	"whence/internal/worktree"
	"whence/remember"
	"whence/when"
)

// lastCommand prints what the newest session of a repository was shown.
func lastCommand(env cli.Env) *urfave.Command {
	var dir string
	return &urfave.Command{
		Name: "last", Usage: "print what the newest session of this repository was shown, and when",
		Flags:  []urfave.Flag{repoFlag(&dir)},
		Action: func(cmd *urfave.Context) error { return printLast(cmd.Context, env, dir) },
	}
}

func printLast(ctx context.Context, env cli.Env, dir string) error {
	folder := env.Dir
	if dir != "" {
		folder = env.Path(dir)
	}
	if _, err := existing(folder); err != nil {
		return err
	}
	if _, err := env.Home(); err != nil {
		return err
	}
	svc, err := remember.Open(folder, env.Dir, env.Getenv, "", time.Now())
	if err != nil {
		return err
	}
	given, of := dispatch.LastGiven(svc.Dir, svc.Turns)
	if len(given) == 0 {
		typed := cli.Typed(env, dir)
		fmt.Fprintf(env.Stdout, "no session of this repository was shown anything in the last two weeks; to check that it works: %s doctor%s\n", typed.Program(programName), typed.Repo)
		return cli.ErrFound
	}
	lines, err := knownLines(ctx, env, folder, svc)
	if err != nil {
		return err
	}
	fmt.Fprintf(env.Stdout, "The newest session of this repository, of %s, was shown (to read a decision: %s '<trigger>'):\n", of.Title(), cli.Command(env, "memory-when"))
	for len(given) > 0 {
		reply, gone := given[0], 0
		fmt.Fprintf(env.Stdout, "%s  %s\n", reply.At.Local().Format(time.DateTime), inert.Printable(reply.Event))
		for len(given) > 0 && given[0].At.Equal(reply.At) && given[0].Event == reply.Event {
			if line := lines[given[0].Item]; line != "" {
				fmt.Fprintf(env.Stdout, "  %s\n", inert.Printable(line))
			} else {
				gone++
			}
			given = given[1:]
		}
		if gone > 0 {
			fmt.Fprintf(env.Stdout, "  %s: changed or deleted since\n", cli.Count(gone, "item", "items"))
		}
	}
	return nil
}

// knownLines returns, by dispatch.GivenItem, a line for each item that exists: how to read it, and its title. It skips
// a memory that cannot be read; doctor reports why.
func knownLines(ctx context.Context, env cli.Env, folder string, svc *remember.Service) (map[string]string, error) {
	tree, err := worktree.Open(cli.Root(folder))
	if err != nil {
		return nil, err
	}
	defer tree.Close()
	c, _ := config.Load(tree, env.Getenv)
	items, err := svc.Known(ctx)
	if err != nil {
		return nil, err
	}
	if source, err := cli.Memory(env, tree, c); err == nil {
		if l, err := when.Open(source, c); err == nil {
			items = append(items, l.Known()...)
		}
	}
	lines := map[string]string{}
	for _, i := range items {
		if at := dispatch.GivenItem(i.Key); lines[at] == "" {
			lines[at] = i.Line()
		}
	}
	return lines, nil
}

package remember

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/store"
	"whence/internal/team"
	"whence/internal/text"
)

func storeCopyCommand(env cli.Env, servers store.Servers) *urfave.Command {
	var c copying
	return &urfave.Command{
		Name: "copy", Usage: "copy one store into another", ArgsUsage: "--from STORE --to STORE",
		Description: "Copies the learnings and turns of this repository, and the global learnings. A STORE is local, a folder, or postgres://user@host/database. The target loses nothing. Run the command again to copy what is new.",
		Flags: []urfave.Flag{
			&urfave.StringFlag{Name: "from", Usage: "copy from this `STORE`", Destination: &c.from},
			&urfave.StringFlag{Name: "to", Usage: "copy into this `STORE`", Destination: &c.to},
			&urfave.BoolFlag{Name: "all", Usage: "copy the learnings and turns of all repositories", Destination: &c.all},
			&urfave.BoolFlag{Name: "share-turns", Usage: "in a team's store, let the team find the turns", Destination: &c.shareTurns},
			&urfave.BoolFlag{Name: "dry-run", Usage: "print what would be copied, and copy nothing", Destination: &c.dryRun},
			cli.QuietFlag(&c.quiet),
			&urfave.StringFlag{Name: "format", Usage: "print as `FORMAT`: text or json", Value: "text", Destination: &c.format},
			&urfave.StringFlag{Name: "repo", Usage: "work in the repository at `DIR`", Destination: &c.dir},
		},
		Action: noArguments(func(cmd *urfave.Context) error {
			return c.run(cmd.Context, env, servers)
		}),
	}
}

// manyRecords are worth the time that it takes to make searches of them as fast as they can be.
const manyRecords = 1000

type copying struct {
	from, to, format, dir          string
	all, shareTurns, dryRun, quiet bool
}

func (c copying) run(ctx context.Context, env cli.Env, servers store.Servers) (err error) {
	if err := cli.Format(c.format, "text", "json"); err != nil {
		return err
	}
	from, err := locate(env, "--from", c.from)
	if err != nil {
		return err
	}
	to, err := locate(env, "--to", c.to)
	if err != nil {
		return err
	}
	if from.same(to) {
		return cli.Usagef("--from and --to are the same store")
	}
	o := learningOptions{dir: c.dir}
	own, shared, err := team.NamesOf(o.repoDir(env), env.Dir, env.Getenv)
	if err != nil {
		return err
	}
	scope := own
	if from.shared {
		scope = shared
	}
	scope.Everything = c.all
	source, err := from.toRead(ctx, servers)
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := c.open(ctx, to, servers)
	if err != nil {
		return err
	}
	if target != nil {
		defer func() { err = errors.Join(err, target.Close()) }()
	}
	names := otherNames{
		from: from.shared, to: to.shared, getenv: env.Getenv, known: map[string]string{},
		paths: map[string]string{shared.Project: own.Project, shared.Talk: own.Talk},
	}
	if from.shared && !to.shared && target != nil {
		paths, err := target.Projects(ctx)
		if err != nil {
			return err
		}
		names.addPaths(paths)
	}
	count, err := source.CountRecords(ctx, scope)
	if err != nil {
		return err
	}
	until, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	var loaded store.Loaded
	done, show := 0, cli.Progress(env, "copying")
	for r, err := range source.Dump(ctx, scope) {
		if err != nil {
			return err
		}
		if until.Err() != nil { // between transactions, so that the numbers are right
			show(count, count)
			return fmt.Errorf("stopped after %s: run the same command to continue", copiedText(loaded))
		}
		c.adapt(r, &names)
		some := store.Loaded{Learnings: len(r.Learnings)}
		switch {
		case c.dryRun && target == nil:
			some.Turns = kept(r)
		case c.dryRun:
			some, err = target.Known(ctx, r)
		default:
			some, err = target.Load(ctx, r)
		}
		if err != nil {
			return fmt.Errorf("%w (after %s; run the same command to continue)", err, copiedText(loaded))
		}
		loaded.Add(some)
		done += r.Size()
		if !c.quiet {
			show(min(done, count-1), count)
		}
	}
	if !c.quiet {
		show(count, count)
	}
	if !c.dryRun && loaded.Learnings+loaded.Turns >= manyRecords {
		_ = target.Compact(ctx) // all is copied
	}
	return c.report(env, from, to, loaded, names.lost())
}

// open opens the target; for a dry run it is nil if there is none.
func (c copying) open(ctx context.Context, to location, servers store.Servers) (*store.Store, error) {
	if !c.dryRun || to.url != "" {
		return to.toWrite(ctx, servers)
	}
	s, err := to.toRead(ctx, servers)
	if errors.Is(err, store.ErrNone) {
		return nil, nil
	}
	return s, err
}

// adapt renames records for the target.
func (c copying) adapt(r store.Records, names *otherNames) {
	for i := range r.Learnings {
		r.Learnings[i].Project = names.of(r.Learnings[i].Project)
	}
	for _, session := range r.Sessions {
		for i := range session.Turns {
			turn := &session.Turns[i]
			if turn.Kept == nil {
				continue
			}
			turn.Kept.Project = names.of(turn.Kept.Project)
			turn.Personal = turn.Personal && !c.shareTurns
		}
	}
}

func kept(r store.Records) (n int) {
	for _, session := range r.Sessions {
		for _, turn := range session.Turns {
			if turn.Kept != nil {
				n++
			}
		}
	}
	return n
}

func (c copying) report(env cli.Env, from, to location, loaded store.Loaded, lost int) error {
	if lost > 0 && !c.quiet {
		what := "no longer exist here, and keep their paths as names"
		if from.shared {
			what = "are unknown on this machine, and keep their names from the team"
		}
		fmt.Fprintf(env.Stderr, "memory-remember: %s %s\n", cli.Count(lost, "repository or folder", "repositories or folders"), what)
	}
	if c.format == "json" {
		return text.WriteJSONLine(env.Stdout, struct {
			store.Loaded
			From   string `json:"from"`
			To     string `json:"to"`
			Names  int    `json:"names_kept"`
			DryRun bool   `json:"dry_run"`
		}{loaded, from.name, to.name, lost, c.dryRun})
	}
	would := ""
	if c.dryRun {
		would = "would be "
	}
	_, err := fmt.Fprintf(env.Stdout, "%s %scopied from %s to %s\n", copiedText(loaded), would, from.name, to.name)
	return err
}

func copiedText(l store.Loaded) string {
	return fmt.Sprintf("%s (%d known), %s (%d known)", cli.Count(l.Learnings, "learning", "learnings"), l.KnownLearnings, cli.Count(l.Turns, "turn", "turns"), l.KnownTurns)
}

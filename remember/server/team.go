package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/store"
	"whence/internal/team"
	"whence/internal/text"
)

// teamCommand returns the command team, which shares the learnings of a repository with a team. Without a
// subcommand, it exchanges them now, and prints how that went.
func teamCommand(env cli.Env) *urfave.Command {
	t := &teamOptions{env: env}
	return &urfave.Command{
		Name: "team", Usage: "share learnings with a team: exchange them now, and print the state",
		Flags: []urfave.Flag{t.repoFlag()},
		Subcommands: []*urfave.Command{
			{
				Name: "init", Usage: "prepare a PostgreSQL database for a team", ArgsUsage: "URL TEAM",
				Description: "URL names a database that you own, as in postgres://owner@host/database. Your login must be able to create roles; it becomes the team's first admin.",
				Action:      action(t.init),
			},
			{
				Name: "admit", Usage: "make a login a member of the team, or remove it", ArgsUsage: "LOGIN URL TEAM",
				Flags: []urfave.Flag{
					&urfave.BoolFlag{Name: "admin", Usage: "it may admit others and forget their learnings", Destination: &t.admin},
					&urfave.BoolFlag{Name: "remove", Usage: "remove the login from the team", Destination: &t.remove},
				},
				Action: action(t.admit),
			},
			{
				Name: "join", Usage: "share the learnings of this repository", ArgsUsage: "URL TEAM",
				Description: "URL names the server and your login, as in postgres://bea@host/database. Your password belongs in ~/.pgpass.",
				Flags: []urfave.Flag{
					&urfave.StringFlag{Name: "as", Usage: "the `NAME` of this repository in the team (default: that of its folder)", Destination: &t.as},
					&urfave.BoolFlag{Name: "turns", Usage: "share captured turns too", Destination: &t.turns},
					t.repoFlag(),
				},
				Action: action(t.join),
			},
			{
				Name: "leave", Usage: "stop sharing the learnings of this repository", Flags: []urfave.Flag{t.repoFlag()},
				Action: action(t.leave),
			},
		},
		Action: action(t.exchange),
	}
}

// action makes an action of a function of the arguments.
func action(run func(ctx context.Context, args []string) error) urfave.ActionFunc {
	return func(cmd *urfave.Context) error { return run(cmd.Context, cmd.Args().Slice()) }
}

// teamOptions are the flags of the commands on teams.
type teamOptions struct {
	env                  cli.Env
	dir, as              string
	turns, admin, remove bool
}

func (o *teamOptions) repoFlag() urfave.Flag {
	return &urfave.StringFlag{Name: "repo", Usage: "work in the repository at `DIR`", Destination: &o.dir}
}

func (o *teamOptions) init(ctx context.Context, args []string) error {
	url, err := o.server(args)
	if err != nil {
		return err
	}
	if err := team.Init(ctx, url, args[1]); err != nil {
		return fmt.Errorf("team init: %w", err)
	}
	return o.say("Made the team %s. To admit a colleague, put their login in place of LOGIN: %s %s %s", args[1], cli.Typed(o.env, "").Program("memory-remember team admit LOGIN"), text.ShellWord(url), text.ShellWord(args[1]))
}

func (o *teamOptions) admit(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return cli.Usagef("team admit takes the login of a colleague, and the URL and the name of the team")
	}
	login := args[0]
	if err := cli.RefusePlaceholder("", login, "the login of a colleague: write that"); err != nil {
		return err
	}
	url, err := o.server(args[1:])
	if err != nil {
		return err
	}
	name := args[2]
	if o.remove {
		if err := team.Remove(ctx, url, name, login); err != nil {
			return fmt.Errorf("team admit --remove: %w", err)
		}
		return o.say("Removed %s from the team %s", login, name)
	}
	if err := team.Admit(ctx, url, name, login, o.admin); err != nil {
		return fmt.Errorf("team admit: %w", err)
	}
	return o.say("Admitted %s to the team %s", login, name)
}

func (o *teamOptions) join(ctx context.Context, args []string) error {
	url, err := o.server(args)
	if err != nil {
		return err
	}
	return o.withStore(ctx, func(s *store.Store, project string) error {
		t := store.Team{Project: project, URL: url, Team: args[1], Scope: o.as, ShareTurns: o.turns}
		if t.Scope == "" { // the name of the folder
			t.Scope = strings.TrimSuffix(filepath.Base(strings.TrimSuffix(filepath.ToSlash(project), "/.git")), ".git")
		}
		if !team.IsName(t.Scope) {
			return cli.Usagef("%s cannot name a repository: name it with --as NAME, of letters, digits and ._-", text.Quoted(t.Scope))
		}
		if err := team.CheckMember(ctx, url, t.Team); err != nil {
			return fmt.Errorf("team join: %w", err)
		}
		if err := s.Join(ctx, t); err != nil {
			return err
		}
		if err := o.say("This repository shares its learnings with the team %s, as %s. Colleagues join with --as %s.", t.Team, t.Scope, t.Scope); err != nil {
			return err
		}
		return o.report(ctx, s, project)
	})
}

func (o *teamOptions) leave(ctx context.Context, args []string) error {
	if len(args) > 0 {
		return cli.Usagef("team leave takes no arguments")
	}
	return o.withStore(ctx, func(s *store.Store, project string) error {
		t, err := o.joined(ctx, s, project)
		if err != nil {
			return err
		}
		if err := s.Leave(ctx, project); err != nil {
			return err
		}
		return o.say("This repository no longer shares its learnings with the team %s. All of them stay here.", t.Team)
	})
}

func (o *teamOptions) exchange(ctx context.Context, args []string) error {
	if len(args) > 0 {
		return cli.Usagef("team has no command %s: use init, admit, join or leave", text.Quoted(args[0]))
	}
	return o.withStore(ctx, func(s *store.Store, project string) error {
		if _, err := o.joined(ctx, s, project); err != nil {
			return err
		}
		return o.report(ctx, s, project)
	})
}

// report exchanges what waits, and prints the state. A fault of the exchange is a finding.
func (o *teamOptions) report(ctx context.Context, s *store.Store, project string) error {
	if err := team.Sync(ctx, s, time.Now()); err != nil {
		return err
	}
	t, err := o.joined(ctx, s, project)
	if err != nil {
		return err
	}
	if err := o.say("%s", t.State()); err != nil || t.Fault == "" {
		return err
	}
	return cli.ErrFound
}

// withStore runs a function on the store and this repository.
func (o *teamOptions) withStore(ctx context.Context, run func(s *store.Store, project string) error) error {
	dir := o.env.Dir
	if o.dir != "" {
		dir = o.env.Path(o.dir)
	}
	scope, err := cli.ScopeOf(dir, o.env.Dir)
	if err != nil {
		return err
	}
	if scope.Project == "" {
		return cli.Usagef("%s is in no git repository, and a team shares the learnings of repositories: name one with --repo", text.Quoted(dir))
	}
	home, err := o.env.Home()
	if err != nil {
		return err
	}
	s, err := store.Open(ctx, home)
	if err != nil {
		return err
	}
	return errors.Join(run(s, scope.Project), s.Close())
}

// server returns the URL of the arguments URL and TEAM. An agent may not choose it: what is learned goes there.
func (o *teamOptions) server(args []string) (url string, err error) {
	if len(args) != 2 {
		return "", cli.Usagef("name the server and the team: postgres://user@host/database TEAM")
	}
	if url, err = team.ParseURL(args[0]); err != nil {
		return "", cli.Usagef("%v", err)
	}
	if agent.InShellTool(o.env.Getenv) {
		return "", errors.New("only you can choose the server of a team: type this command in a terminal of your own")
	}
	return url, nil
}

func (o *teamOptions) say(format string, values ...any) error {
	_, err := io.WriteString(o.env.Stdout, text.Printable(fmt.Sprintf(format, values...))+"\n")
	return err
}

// joined returns the team of a repository.
func (o *teamOptions) joined(ctx context.Context, s *store.Store, project string) (*store.Team, error) {
	t, err := s.TeamOf(ctx, project)
	if err == nil && t == nil {
		err = cli.Usagef("this repository has joined no team: to join one, ask its admin for the values of URL and TEAM, then run %s", cli.Typed(o.env, o.dir).Command("memory-remember team join URL TEAM"))
	}
	return t, err
}

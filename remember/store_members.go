package remember

import (
	"fmt"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/store"
	"whence/internal/text"
)

func storeInitCommand(env cli.Env, servers store.Servers) *urfave.Command {
	return &urfave.Command{
		Name: "init", Usage: "create the tables of a team's store", ArgsUsage: "URL",
		Description: "URL names a database that you own, such as postgres://owner@host/database.",
		Action: func(cmd *urfave.Context) error {
			if cmd.Args().Len() != 1 {
				return cli.Usagef("init takes one URL: postgres://owner@host/database")
			}
			url, err := serverURL("", cmd.Args().First())
			if err != nil {
				return err
			}
			if servers.Init == nil {
				return errNoServers
			}
			done, err := servers.Init(cmd.Context, url)
			if err != nil {
				return err
			}
			if len(done) == 0 {
				done = []string{"already complete"}
			}
			_, err = fmt.Fprintf(env.Stdout, "Store of teams: %s\n", text.Printable(strings.Join(done, "; ")))
			return err
		},
	}
}

func storeAdmitCommand(env cli.Env, servers store.Servers) *urfave.Command {
	var url, team, role string
	return &urfave.Command{
		Name: "admit", Usage: "give a login a role in a team", ArgsUsage: "LOGIN --store URL --team NAME",
		Description: "Creates the team and the login if they are missing. Only the owner of the store can run it.",
		Flags:       append(teamFlags(&url, &team), &urfave.StringFlag{Name: "role", Usage: "the login's `ROLE`: reader, member or admin", Value: "member", Destination: &role}),
		Action: func(cmd *urfave.Context) error {
			login, address, err := member(cmd, url, team)
			if err != nil {
				return err
			}
			if role != "reader" && role != "member" && role != "admin" {
				return cli.Usagef("--role %q: use reader, member or admin", role)
			}
			if servers.Admit == nil {
				return errNoServers
			}
			made, err := servers.Admit(cmd.Context, address, team, login, role)
			if err != nil {
				return err
			}
			fmt.Fprintf(env.Stdout, "Admitted: %s to the team %s as %s\n", text.Printable(login), text.Printable(team), role)
			if made {
				fmt.Fprintf(env.Stdout, "The login is new: set its password before use (psql: \\password %s)\n", text.Printable(login))
			}
			return nil
		},
	}
}

func storeDismissCommand(env cli.Env, servers store.Servers) *urfave.Command {
	var url, team string
	return &urfave.Command{
		Name: "dismiss", Usage: "remove a login from a team", ArgsUsage: "LOGIN --store URL --team NAME",
		Description: "What the login has stored stays. Only the owner of the store can run it.",
		Flags:       teamFlags(&url, &team),
		Action: func(cmd *urfave.Context) error {
			login, address, err := member(cmd, url, team)
			if err != nil {
				return err
			}
			if servers.Dismiss == nil {
				return errNoServers
			}
			if err := servers.Dismiss(cmd.Context, address, team, login); err != nil {
				return err
			}
			_, err = fmt.Fprintf(env.Stdout, "Dismissed: %s from the team %s\n", text.Printable(login), text.Printable(team))
			return err
		},
	}
}

func teamFlags(url, team *string) []urfave.Flag {
	return []urfave.Flag{
		&urfave.StringFlag{Name: "store", Usage: "the store at `URL`: postgres://owner@host/database", Destination: url},
		&urfave.StringFlag{Name: "team", Usage: "the team's `NAME`", Destination: team},
	}
}

// member reads the login that a command names, and the URL of the store.
func member(cmd *urfave.Context, url, team string) (login, address string, err error) {
	switch {
	case cmd.Args().Len() != 1 || cmd.Args().First() == "":
		return "", "", cli.Usagef("name one login")
	case team == "":
		return "", "", cli.Usagef("--team is missing: name a team")
	}
	address, err = serverURL("--store: ", url)
	return cmd.Args().First(), address, err
}

func serverURL(flag, text string) (string, error) {
	url, err := config.ParseStore(text)
	if err != nil {
		return "", cli.Usagef("%s%v", flag, err)
	}
	return url, nil
}

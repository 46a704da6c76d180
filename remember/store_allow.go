package remember

import (
	"fmt"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/team"
	"whence/internal/text"
)

// storeAllowCommand allows the store of a team for the learnings and turns of the repositories that
// name it.
func storeAllowCommand(env cli.Env) *urfave.Command {
	var o learningOptions
	var list, revoke, yes bool
	return &urfave.Command{
		Name: "allow", Usage: "allow repositories to use a team's store",
		Description: "The store is at URL, or at the URL that this repository names in memory_store.", ArgsUsage: "[URL]",
		Flags: []urfave.Flag{
			o.repoFlag(),
			&urfave.BoolFlag{Name: "list", Usage: "list the stores that you have allowed", Destination: &list},
			&urfave.BoolFlag{Name: "yes", Usage: "do not ask", Destination: &yes},
			&urfave.BoolFlag{Name: "revoke", Usage: "stop all connections to that store", Destination: &revoke},
		},
		Action: func(cmd *urfave.Context) error {
			if cmd.Args().Len() > 1 {
				return cli.Usagef("allow takes one URL")
			}
			if list {
				if cmd.Args().Present() || revoke {
					return cli.Usagef("--list takes neither a URL nor --revoke")
				}
				return listStores(env)
			}
			url, name := cmd.Args().First(), ""
			if url == "" {
				c, err := settingsOf(cli.Root(o.repoDir(env)), env)
				if err != nil {
					return err
				}
				if url, name = c.Store, c.Repository; url == "" {
					return cli.Usagef("this repository names no store of a team: name its URL")
				}
			} else if _, err := config.ParseStore(url); err != nil {
				return cli.Usagef("%v", err)
			}
			home, err := env.Home()
			if err != nil {
				return err
			}
			id := "" // outside of a repository, a name does not matter
			if name != "" {
				if id, err = team.RepositoryID(o.repoDir(env), env.Dir, env.Getenv); err != nil {
					return err
				}
			}
			if revoke {
				return revokeStore(env, home, url, name, id)
			}
			if id != "" && id != name && !yes {
				fmt.Fprintf(env.Stdout, "%s wants to be known as %s in %s. Agents here then see what is stored under that name, and what they learn is stored under it.\n", text.Printable(id), name, url)
				if !cli.IsTerminal(env.Stdin) || !cli.Confirm(env, "Allow this?") {
					fmt.Fprintln(env.Stdout, "nothing was allowed (--yes allows it without a question)")
					return cli.ErrFound
				}
			}
			allowed, err := team.Allow(home, url)
			if err != nil {
				return err
			}
			if id != "" {
				if err := team.AllowName(home, name, id); err != nil {
					return err
				}
				allowed += ", as the repository " + name
			}
			_, err = fmt.Fprintf(env.Stdout, "Allowed: %s\nLearnings and turns of repositories that name it go there; memory-remember store allow --revoke undoes this\n", allowed)
			return err
		},
	}
}

func revokeStore(env cli.Env, home, url, name, id string) error {
	revoked, err := team.Revoke(home, url)
	if err == nil && id != "" {
		err = team.RevokeName(home, name, id)
	}
	if err == nil {
		_, err = fmt.Fprintf(env.Stdout, "Revoked: %s is no longer used. To see unsent operations: memory-remember store outbox\n", revoked)
	}
	return err
}

func listStores(env cli.Env) error {
	home, err := env.Home()
	if err != nil {
		return err
	}
	all, err := team.Allowed(home)
	if err != nil {
		return err
	}
	for _, line := range all {
		fmt.Fprintln(env.Stdout, text.Printable(line))
	}
	if len(all) == 0 {
		fmt.Fprintln(env.Stdout, "no team's store is allowed")
	}
	return nil
}

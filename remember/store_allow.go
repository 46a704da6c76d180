package remember

import (
	"fmt"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/knowledge"
	"whence/internal/team"
)

// storeAllowCommand allows the store of a team, so that what is learned and said in the
// repositories that name it goes there.
func storeAllowCommand(env cli.Env) *urfave.Command {
	var o learningOptions
	return &urfave.Command{
		Name: "allow", Usage: "allow repositories to name the store at URL, or at the one that this repository names", ArgsUsage: "[URL]",
		Flags: []urfave.Flag{o.repoFlag()},
		Action: func(ctx *urfave.Context) error {
			if ctx.Args().Len() > 1 {
				return cli.Usagef("allow takes one URL")
			}
			url, called := ctx.Args().First(), ""
			if url == "" {
				c, err := settingsOf(cli.Root(o.place(env)), env)
				if err != nil {
					return err
				}
				if url, called = c.Store, c.Repository; url == "" {
					return cli.Usagef("this repository names no store of a team: name its URL")
				}
			} else if _, err := config.ParseStore(url); err != nil {
				return cli.Usagef("%v", err)
			}
			home, err := storeDir(env)
			if err != nil {
				return err
			}
			allowed, err := team.Allow(home, url)
			if err != nil {
				return err
			}
			at := ""
			if called != "" {
				dir := o.place(env)
				if at, err = knowledge.Mark(dir, env.Dir, variables(env)); err != nil {
					return err
				}
			}
			if at != "" { // outside of any repository a name counts for nothing
				if err := team.AllowName(home, called, at); err != nil {
					return err
				}
				allowed += ", as the repository " + called
			}
			_, err = fmt.Fprintf(env.Stdout, "Allowed: %s\n", allowed)
			return err
		},
	}
}

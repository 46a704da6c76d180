package hooks

import (
	"bufio"
	"fmt"
	"slices"
	"strings"
	"time"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/consent"
	"whence/internal/finding"
	"whence/internal/home"
)

// allowOptions are the flags of allow.
type allowOptions struct {
	dir               string
	list, revoke, yes bool
}

// allowCommand allows a repository what its settings ask for.
func allowCommand(env cli.Env) *urfave.Command {
	var o allowOptions
	return &urfave.Command{
		Name: "allow", Usage: "allow this repository what its files ask for, and its learnings to become global; or list, or revoke that",
		Flags: []urfave.Flag{
			&urfave.StringFlag{Name: "repo", Usage: "the repository at `DIR`", Destination: &o.dir},
			&urfave.BoolFlag{Name: "list", Usage: "list the repositories that are allowed, and what", Destination: &o.list, DisableDefaultText: true},
			&urfave.BoolFlag{Name: "revoke", Usage: "take back what this repository is allowed", Destination: &o.revoke, DisableDefaultText: true},
			&urfave.BoolFlag{Name: "yes", Usage: "do not ask", Destination: &o.yes, DisableDefaultText: true},
		},
		Action: func(ctx *urfave.Context) error {
			if err := noArguments(ctx); err != nil {
				return err
			}
			if o.list && o.revoke {
				return cli.Usagef("--list and --revoke: choose one")
			}
			at, err := home.Dir(env.Getenv)
			if err != nil {
				return err
			}
			switch root := cli.Root(project(env, o.dir)); {
			case o.list:
				return listAllowed(env, at)
			case o.revoke:
				return revoke(env, at, root)
			default:
				return allow(env, at, root, o.yes)
			}
		},
	}
}

// allow shows what a repository asks for, asks, and allows it.
func allow(env cli.Env, home, root string, yes bool) error {
	c, err := projectSettings(env, root)
	if err != nil {
		return cli.SettingsError(err)
	}
	repository := consent.Repository(root)
	record, err := recordOf(home, repository)
	if err != nil {
		return err
	}
	asks := settingsOf(c.Asks)
	write := func(format string, args ...any) { fmt.Fprintf(env.Stdout, format, args...) }
	if !record.Allowed.IsZero() && len(asks) == 0 {
		write("%s is allowed already\n", finding.Printable(repository))
		printSettings(write, record.Settings)
		return nil
	}
	write("%s\n", finding.Printable(repository))
	if len(asks) == 0 {
		write("  asks for nothing that needs permission\n")
	} else {
		write("  asks for:\n")
		printSettings(write, asks)
	}
	write("  Once it is allowed, a learning made here and in another allowed repository holds in all.\n")
	if !yes && !cli.IsTerminal(env.Stdin) {
		write("nothing is allowed: there is no terminal to ask on, so add --yes\n")
		return cli.ErrFound
	}
	if !yes && !confirm(env, "Allow this?") {
		write("nothing is allowed\n")
		return cli.ErrFound
	}
	allowed := slices.DeleteFunc(record.Settings, func(was string) bool { // each key once
		key, _, _ := strings.Cut(was, ":")
		return slices.ContainsFunc(asks, func(s string) bool { return strings.HasPrefix(s, key+":") })
	})
	if err := consent.Allow(home, repository, append(allowed, asks...), time.Now()); err != nil {
		return err
	}
	write("allowed; %s allow --revoke takes it back\n", programName)
	return nil
}

// recordOf is what is known of a repository.
func recordOf(home, repository string) (consent.Record, error) {
	records, err := consent.List(home)
	for _, r := range records {
		if r.Repository == repository {
			return r, err
		}
	}
	return consent.Record{}, err
}

// revoke takes back what a repository is allowed.
func revoke(env cli.Env, home, root string) error {
	repository := consent.Repository(root)
	revoked, err := consent.Revoke(home, repository)
	if err != nil {
		return err
	}
	if !revoked {
		fmt.Fprintf(env.Stdout, "%s is not allowed anything\n", finding.Printable(repository))
		return nil
	}
	fmt.Fprintf(env.Stdout, "%s: revoked\n", finding.Printable(repository))
	return nil
}

// listAllowed lists all repositories that are allowed.
func listAllowed(env cli.Env, home string) error {
	records, err := consent.List(home)
	if err != nil {
		return err
	}
	records = slices.DeleteFunc(records, func(r consent.Record) bool { return !r.IsAllowed() })
	slices.SortFunc(records, func(a, b consent.Record) int { return strings.Compare(a.Repository, b.Repository) })
	for _, r := range records {
		fmt.Fprintln(env.Stdout, finding.Printable(r.Repository))
		if !r.Allowed.IsZero() {
			fmt.Fprintf(env.Stdout, "  its learnings may become global, since %s\n", r.Allowed.Format(time.DateOnly))
		}
		printSettings(func(format string, args ...any) { fmt.Fprintf(env.Stdout, format, args...) }, r.Settings)
	}
	if len(records) == 0 {
		fmt.Fprintln(env.Stdout, "no repository is allowed anything")
	}
	return nil
}

// confirm asks a question on the terminal.
func confirm(env cli.Env, question string) bool {
	fmt.Fprintf(env.Stdout, "%s [y/N] ", question)
	line, _ := bufio.NewReader(env.Stdin).ReadString('\n')
	answer := strings.ToLower(strings.TrimSpace(line))
	return answer == "y" || answer == "yes"
}

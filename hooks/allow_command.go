package hooks

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/corpus"
	"whence/internal/text"
	"whence/internal/worktree"
)

// allowOptions are the flags of allow.
type allowOptions struct {
	dir               string
	list, revoke, yes bool
}

// allowCommand allows a repository the settings that it asks for.
func allowCommand(env cli.Env) *urfave.Command {
	var o allowOptions
	return &urfave.Command{
		Name: "allow", Usage: "allow what the files of this repository ask for",
		Flags: []urfave.Flag{
			&urfave.StringFlag{Name: "repo", Usage: "work in the repository at `DIR`", Destination: &o.dir},
			boolFlag("list", "list what you have allowed, in all repositories", &o.list),
			boolFlag("revoke", "revoke what you have allowed this repository", &o.revoke),
			boolFlag("yes", "do not ask", &o.yes),
		},
		Action: func(*urfave.Context) error {
			if o.list && o.revoke {
				return cli.Usagef("--list and --revoke: choose one")
			}
			at, err := env.Home()
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
	tree, err := worktree.Open(root)
	if err != nil {
		return err
	}
	defer tree.Close()
	c, err := config.Load(tree, env.Getenv)
	var wrong *config.Error
	if errors.As(err, &wrong) { // the others can be allowed all the same
		fmt.Fprintf(env.Stderr, "%s: %s\n", programName, text.Printable(wrong.Message))
	} else if err != nil {
		return err
	}
	repository := config.RepositoryOf(root)
	record, err := config.PermissionOf(home, repository)
	if err != nil {
		return err
	}
	ignored, err := ignoredMemory(env, tree, c)
	if err != nil {
		return err
	}
	if len(ignored) > 0 {
		c.Asks = append(c.Asks, config.IgnoredMemory)
	}
	asks := settingsOf(c.Asks)
	if len(asks) == 0 {
		fmt.Fprintf(env.Stdout, "%s asks for nothing beyond what you have set or allowed\n", text.Printable(root))
		return nil
	}
	fmt.Fprintf(env.Stdout, "%s asks for:\n", text.Printable(root))
	for _, a := range c.Asks {
		fmt.Fprintf(env.Stdout, "%s (you: %s)\n", settingLine(a.String()), a.Limit)
	}
	if len(ignored) > 0 {
		fmt.Fprintf(env.Stdout, "Git ignores %s. If you allow this, ignored Markdown that the settings name is memory too.\n", text.Printable(strings.Join(ignored, ", ")))
	}
	if !agrees(env, yes, "Allow this?", "nothing was allowed") {
		return cli.ErrFound
	}
	allowed := slices.DeleteFunc(record.Settings, func(was string) bool { // each key once
		key, _, _ := strings.Cut(was, ":")
		return slices.ContainsFunc(asks, func(s string) bool { return strings.HasPrefix(s, key+":") })
	})
	if err := config.Allow(home, repository, append(allowed, asks...), time.Now()); err != nil {
		return err
	}
	fmt.Fprintf(env.Stdout, "allowed; to revoke it: %s allow --revoke\n", programName)
	return nil
}

// ignoredMemory returns files that would be memory if git did not ignore them.
func ignoredMemory(env cli.Env, tree *worktree.Tree, c config.Config) (names []string, err error) {
	memory, err := cli.Memory(env, tree, c)
	if errors.Is(err, corpus.ErrGit) { // the rest can be allowed all the same
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, r := range memory.Refusals() {
		if r.IsIgnored() {
			names = append(names, r.Path)
		}
	}
	return names, nil
}

// revoke revokes what a repository is allowed.
func revoke(env cli.Env, home, root string) error {
	repository := config.RepositoryOf(root)
	revoked, err := config.Revoke(home, repository)
	if err != nil {
		return err
	}
	if !revoked {
		fmt.Fprintf(env.Stdout, "nothing is allowed to %s, so nothing was revoked\n", text.Printable(root))
		return nil
	}
	fmt.Fprintf(env.Stdout, "%s: revoked\n", text.Printable(root))
	return nil
}

// listAllowed lists all repositories that are allowed.
func listAllowed(env cli.Env, home string) error {
	records, err := config.Permissions(home)
	if err != nil {
		return err
	}
	maps.DeleteFunc(records, func(_ string, r config.Permission) bool { return !r.IsAllowed() })
	for _, repository := range slices.Sorted(maps.Keys(records)) {
		fmt.Fprintln(env.Stdout, text.Printable(repository))
		for _, setting := range records[repository].Settings {
			fmt.Fprintln(env.Stdout, settingLine(setting))
		}
	}
	if len(records) == 0 {
		fmt.Fprintln(env.Stdout, "nothing is allowed to any repository")
	}
	return nil
}

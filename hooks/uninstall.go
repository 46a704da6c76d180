package hooks

import (
	"fmt"
	"slices"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/home"
)

// uninstallCommand removes what install has registered.
func uninstallCommand(env cli.Env) *urfave.Command {
	o := registerOptions{env: env}
	return &urfave.Command{
		Name: "uninstall", Usage: "remove what install registered",
		Flags:  o.flags("all"),
		Action: func(cmd *urfave.Context) error { return o.uninstall(cmd.StringSlice("agent")) },
	}
}

func (o *registerOptions) uninstall(agents []string) error {
	if err := o.verify(agents); err != nil {
		return err
	}
	tidied := o.clients
	if o.clients == nil || o.all {
		tidied = agent.Clients
		if err := o.findInstalled(); err != nil {
			return err
		}
	}
	if err := o.verifyAll(o.unregister); err != nil {
		return err
	}
	for _, c := range o.clients {
		if err := o.uninstallSkills(c); err != nil {
			return err
		}
		if err := o.make(c, o.unregister); err != nil {
			return err
		}
		if err := o.removeRule(c); err != nil {
			return err
		}
	}
	if err := o.removeFolders(tidied); err != nil {
		return err
	}
	if len(o.clients) == 0 {
		fmt.Fprintf(o.env.Stdout, "%s is not installed in %s settings\n", programName, o.scope)
	}
	for _, c := range agent.Clients {
		o.printOtherScopes(c, "still registered in %s; to remove that too: %s\n")
	}
	if dir, err := home.Dir(o.env.Getenv); err == nil {
		fmt.Fprintf(o.env.Stdout, "captured sessions and learnings stay in %s; to delete the sessions: memory-remember prune --everywhere --older-than 0d; to delete both, delete that folder\n", dir)
	}
	return nil
}

// findInstalled selects the agents that run this program by their settings of the scope.
func (o *registerOptions) findInstalled() error {
	for _, c := range agent.Clients {
		rule, err := openRule(o.env, c)
		if err != nil {
			return err
		}
		other := hasSkills(o.env, c, o.scope, project(o.env, o.dir)) ||
			rule != nil && o.scope == agent.User && c.IsRule(rule.src)
		for _, f := range settingsFiles(o.env, c, project(o.env, o.dir)) {
			switch {
			case f.scope != o.scope:
			case f.err != nil:
				return f.err
			case slices.Contains(o.clients, c):
			case len(f.ours) > 0 || f.permits() || other:
				o.clients = append(o.clients, c)
			}
		}
	}
	return nil
}

// removeFolders removes the empty folders of files that an earlier uninstall has removed, where it was
// killed before it could.
func (o *registerOptions) removeFolders(clients []agent.Client) error {
	if o.dryRun {
		return nil
	}
	for _, c := range clients {
		all, err := openSkills(o.env, c, o.scope, project(o.env, o.dir))
		if err != nil {
			return err
		}
		var gone []*agentFile
		for _, f := range all {
			gone = append(gone, &f.agentFile)
		}
		if f, _ := openSettings(o.env, c, o.scope, project(o.env, o.dir)); f != nil {
			gone = append(gone, &f.agentFile)
		}
		if f, _ := openRule(o.env, c); f != nil && o.scope == agent.User {
			gone = append(gone, f)
		}
		for _, f := range gone {
			if f.exists {
				continue
			}
			if err := f.write(nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// unregister returns the settings without anything of ours.
func (o *registerOptions) unregister(f *settingsFile) (e edited, err error) {
	for _, event := range f.events() {
		e.lines = append(e.lines, fmt.Sprintf("%-18s  %s", event, o.done("removed")))
	}
	if len(f.ours) == 0 {
		e.lines = []string{programName + " is not registered here"}
	}
	if f.permits() {
		e.lines = append(e.lines, permissionLine(bothCommands, "permission "+o.done("removed")))
	}
	e.after, err = f.without()
	return e, err
}

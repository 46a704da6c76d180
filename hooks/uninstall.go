package hooks

import (
	"fmt"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/home"
)

// uninstallCommand removes what install has registered.
func uninstallCommand(env cli.Env) *urfave.Command {
	var o registerOptions
	return &urfave.Command{
		Name: "uninstall", Usage: "remove what install registered",
		Flags: o.flags("all"),
		Action: func(ctx *urfave.Context) error {
			scope, clients, err := o.verify(ctx, nil)
			if err != nil {
				return err
			}
			if clients == nil {
				if clients, err = o.installed(env, scope); err != nil {
					return err
				}
			}
			var changes []change
			for _, c := range clients {
				changes = append(changes, change{c, func(f *settingsFile) (edited, error) { return uninstall(f, o.dryRun) }})
			}
			if err := o.verifyAll(env, scope, changes); err != nil {
				return err
			}
			for _, change := range changes {
				if err := o.edit(env, scope, change); err != nil {
					return err
				}
			}
			if len(clients) == 0 {
				fmt.Fprintf(env.Stdout, "%s is not installed in %s settings\n", programName, scope)
			}
			o.elsewhere(env, scope)
			if dir, err := home.Dir(env.Getenv); err == nil && !o.diff {
				fmt.Fprintf(env.Stdout, "captured sessions and learnings stay in %s; to delete the sessions: memory-remember prune --everywhere --older-than 0d; to delete both, delete that folder\n", dir)
			}
			if o.notes {
				if err := o.withoutNotes(env); err != nil {
					return err
				}
			}
			if o.git {
				return o.gitHook(env, "uninstall-git-hook")
			}
			return nil
		},
	}
}

// elsewhere names the settings of other scopes that still register the program.
func (o *registerOptions) elsewhere(env cli.Env, scope agent.Scope) {
	for _, c := range agent.Clients {
		for _, s := range surveys(env, c, project(env, o.dir)) {
			if s.err == nil && s.scope != scope && len(s.ours) > 0 && !o.diff {
				fmt.Fprintf(env.Stdout, "still registered in %s; to remove that too: %s uninstall --scope %s --agent %s\n", s.path, programName, s.scope, c)
			}
		}
	}
}

// installed are the agents that run this program by their settings of a scope.
func (o *registerOptions) installed(env cli.Env, scope agent.Scope) (clients []agent.Client, err error) {
	for _, c := range agent.Clients {
		if _, _, err := c.SettingsFile(scope, home.UserFolder(env.Getenv), "", env.Getenv); err != nil {
			continue // it has none of this scope
		}
		f, err := openSettings(env, c, scope, project(env, o.dir))
		if err != nil {
			return nil, err
		}
		ours, err := f.registered()
		if err != nil {
			return nil, err
		}
		if len(ours) > 0 {
			clients = append(clients, c)
		}
	}
	return clients, nil
}

// uninstall works out the settings without any registration of ours.
func uninstall(f *settingsFile, dryRun bool) (result edited, err error) {
	ours, err := f.registered()
	if err != nil {
		return result, err
	}
	for _, r := range ours {
		result.lines = append(result.lines, fmt.Sprintf("%-18s  %s", r.Event, done(dryRun, "removed")))
	}
	if len(ours) == 0 {
		result.lines = []string{programName + " is not registered here"}
	}
	result.after, err = f.client.Unregister(f.src, isOurs)
	return result, err
}

package hooks

import (
	"context"
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
		Action: func(cmd *urfave.Context) error { return o.uninstall(cmd.Context, cmd.StringSlice("agent")) },
	}
}

func (o *registerOptions) uninstall(ctx context.Context, agents []string) error {
	if err := o.verify(agents); err != nil {
		return err
	}
	named := o.clients
	if named == nil || o.all {
		o.clients = agent.Clients
	}
	var edits []editFunc
	for _, c := range o.clients {
		if slices.Contains(named, c) || o.hasSettings(c) {
			edits = append(edits, func() (change, error) {
				return o.editSettings(c, "", func(f *settingsFile) (after []byte, outcome string, err error) {
					after, err = f.without()
					return after, "removed", err
				})
			})
		}
		edits = append(edits, func() (change, error) { return o.editRule(c, "", "removed") })
		edits = append(edits, o.editSkills(c, true)...)
	}
	ended := false
	if !o.dryRun { // whatever can be edited
		var err error
		if ended, err = o.withdrawConsent(ctx); err != nil {
			return err
		}
	}
	if err := verifyAll(edits); err != nil {
		return err
	}
	removed, err := o.applyAll(edits)
	if err != nil {
		return err
	}
	removed = removed || ended
	if !removed {
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

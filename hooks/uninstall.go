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

// uninstallCommand removes what install wrote, or with --everything all of whence.
func uninstallCommand(env cli.Env) *urfave.Command {
	o := registerOptions{env: env}
	everything := false
	return &urfave.Command{
		Name: "uninstall", Usage: "remove what install registered",
		Flags: append(o.flags("all"),
			boolFlag("everything", "remove all that is installed and stored, a question at each step", &everything),
			boolFlag("yes", "with --everything, answer each question with yes", &o.yes)),
		Action: func(cmd *urfave.Context) error {
			if !everything && o.yes {
				return cli.Usagef("--yes needs --everything: without it uninstall asks nothing")
			}
			if !everything {
				return o.uninstall(cmd.Context, cmd.StringSlice("agent"))
			}
			if cmd.IsSet("agent") || cmd.IsSet("scope") {
				return cli.Usagef("--everything is for all agents and scopes: leave --agent and --scope away")
			}
			r := removal{asking: asking{env: env, yes: o.yes, dryRun: o.dryRun}, dir: o.dir}
			return r.run(cmd.Context)
		},
	}
}

func (o *registerOptions) uninstall(ctx context.Context, agents []string) error {
	if err := o.verify(agents); err != nil {
		return err
	}
	edits := o.removals()
	removed, err := o.remove(ctx, edits)
	if err != nil {
		return err
	}
	if !removed {
		fmt.Fprintf(o.env.Stdout, "%s is not installed in %s settings\n", programName, o.scope)
	}
	for _, c := range agent.Clients {
		o.printOtherScopes(c, "still registered in %s; to remove that too: %s\n")
	}
	if dir, err := home.Dir(o.env.Getenv); err == nil {
		fmt.Fprintf(o.env.Stdout, "captured sessions and learnings stay in %s; to delete the sessions: memory-remember prune --everywhere --older-than 0d; to delete both, and all else of whence: %s uninstall --everything\n", dir, programName)
	}
	return nil
}

// removals returns the edits that remove what install wrote for the named agents, or for all if none are named.
func (o *registerOptions) removals() (edits []editFunc) {
	named := o.clients
	if named == nil || o.all {
		o.clients = agent.Clients
	}
	for _, c := range o.clients {
		if slices.Contains(named, c) || o.hasSettings(c) {
			edits = append(edits, o.unregister(c))
		}
		edits = append(edits, o.otherRemovals(c)...)
	}
	return edits
}

// unregister returns the edit that removes what is registered in the settings of an agent.
func (o *registerOptions) unregister(c agent.Client) editFunc {
	return func() (change, error) {
		return o.editSettings(c, "", func(f *settingsFile) (after []byte, outcome string, err error) {
			after, err = f.without()
			return after, "removed", err
		})
	}
}

// otherRemovals returns the edits that remove the rule file and the skills of an agent.
func (o *registerOptions) otherRemovals(c agent.Client) []editFunc {
	rule := func() (change, error) { return o.editRule(c, "", "removed") }
	return append([]editFunc{rule}, o.editSkills(c, true)...)
}

// remove ends the capture of the agents' sessions and applies the edits. It reports whether there was anything to end
// or remove.
func (o *registerOptions) remove(ctx context.Context, edits []editFunc) (removed bool, err error) {
	ended := false
	if !o.dryRun { // capture ends even if an edit is not possible
		if ended, err = o.withdrawConsent(ctx); err != nil {
			return false, err
		}
	}
	if err := verifyAll(edits); err != nil {
		return ended, err
	}
	removed, err = o.applyAll(edits)
	return removed || ended, err
}

package hooks

import (
	"fmt"
	"slices"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/home"
	"whence/skills"
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
	named := o.clients
	if named == nil || o.all {
		o.clients = agent.Clients
	}
	var edits []editFunc
	for _, c := range o.clients {
		for _, s := range skills.All() {
			edits = append(edits, func() (change, error) { return o.removeSkill(c, s) })
		}
		if isNamed := slices.Contains(named, c); isNamed || o.hasSettings(c) {
			edits = append(edits, func() (change, error) {
				return o.editSettings(c, func(f *settingsFile) (change, error) { return o.unregister(f, isNamed) })
			})
		}
		edits = append(edits, func() (change, error) { return o.removeRule(c) })
	}
	if err := verifyAll(edits); err != nil {
		return err
	}
	removed := false
	for _, edit := range edits {
		changed, err := o.make(edit)
		if err != nil {
			return err
		}
		removed = removed || changed
	}
	if !removed && named == nil {
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

// unregister returns the settings without anything of ours. Those of an agent that was named are printed
// even if there is nothing to remove.
func (o *registerOptions) unregister(f *settingsFile, isNamed bool) (e change, err error) {
	for _, event := range f.events() {
		e.lines = append(e.lines, fmt.Sprintf("%-18s  %s", event, o.done("removed")))
	}
	if len(f.ours) == 0 && (isNamed || f.permits()) {
		e.lines = []string{programName + " is not registered here"}
	}
	if f.permits() {
		e.lines = append(e.lines, permissionLine(bothCommands, "permission "+o.done("removed")))
	}
	e.after, err = f.without()
	return e, err
}

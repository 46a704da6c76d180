package hooks

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"

	"whence/internal/agent"
	"whence/internal/home"
)

// allAgents is the value of --agent for all agents: install selects those on this machine, uninstall
// those that it finds registered.
const allAgents = "all"

// findPresent selects the agents for install.
func (o *registerOptions) findPresent() error {
	if !o.all {
		if o.clients == nil {
			o.clients = []agent.Client{agent.Claude}
		}
		return nil
	}
	for _, c := range agent.Clients {
		switch missing := o.whyMissing(c); {
		case slices.Contains(o.clients, c):
		case missing == "":
			o.clients = append(o.clients, c)
		default:
			o.missing = append(o.missing, fmt.Sprintf("%s is left out: %s", c.Title(), missing))
		}
	}
	if o.clients == nil {
		return errors.New("none of the agents is on this machine: name one, such as --agent " + string(agent.Claude))
	}
	return nil
}

// printMissing prints the agents that "all" leaves out.
func (o *registerOptions) printMissing() {
	for _, line := range o.missing {
		fmt.Fprintln(o.env.Stdout, line)
	}
}

// whyMissing returns why "all" does not include an agent; "" if it does. An agent is there if its
// program or its folder is, and has settings of the scope.
func (o *registerOptions) whyMissing(c agent.Client) string {
	user := home.UserFolder(o.env.Getenv)
	if _, _, err := c.SettingsFile(o.scope, user, project(o.env, o.dir), o.env.Getenv); err != nil {
		return fmt.Sprintf("it has no %s settings", o.scope)
	}
	if _, err := exec.LookPath(string(c)); err == nil {
		return ""
	}
	folder, err := c.Folder(user, o.env.Getenv)
	if err != nil {
		return fmt.Sprintf("%s is not on the PATH", c)
	}
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return fmt.Sprintf("%s is not on the PATH, and there is no folder %s", c, folder)
	}
	return ""
}

package hooks

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/home"
)

// An agent that had to ask its user before each look-up would not look up. So install lets it run
// agent.ReadingProgram and agent.SessionCommand without asking: by rules in Claude Code's settings, by a
// file with a rule in Gemini CLI's. Codex does not ask, and Copilot CLI has no setting for it.

// commandFor returns a command for rules: in shared settings, or if the path of its program cannot be
// written into a rule, by its bare name.
func commandFor(env cli.Env, scope agent.Scope, command string) string {
	here := cli.Command(env, command)
	if scope == agent.Project || strings.ContainsAny(here, `'"`) {
		return command
	}
	return here
}

// bothCommands names the commands in lines about permissions.
const bothCommands = agent.ReadingProgram + ", " + agent.SessionCommand

func permissionLine(command, outcome string) string {
	return fmt.Sprintf("%-18s  %s", command, outcome)
}

const (
	allowedUnasked = "allowed without asking (it only reads)"
	alreadyAllowed = "already allowed without asking"
	leftAsItIs     = "left as it is: this file has been changed"
)

// allows reports whether the installation lets an agent run o.reading without asking.
func (o *registerOptions) allows() bool {
	return slices.ContainsFunc(o.clients, func(c agent.Client) bool {
		return c.HasAllowList() || c == agent.Gemini && o.scope == agent.User
	})
}

// permit adds to settings that are edited the permission to run o.reading, and a line about each command.
func (o *registerOptions) permit(f *settingsFile, e *change) (err error) {
	if !f.client.HasAllowList() {
		return nil
	}
	outcome := alreadyAllowed
	after, err := f.client.Permit(e.after, o.reading...)
	if err == nil && !bytes.Equal(after, e.after) {
		outcome = o.done(allowedUnasked)
		if e.after, err = f.client.Revoke(e.after); err == nil { // an earlier path
			e.after, err = f.client.Permit(e.after, o.reading...)
		}
	}
	for _, command := range o.reading {
		e.lines = append(e.lines, permissionLine(command, outcome))
	}
	return err
}

// without returns the text without anything of ours, in the reverse order of installation.
func (f *settingsFile) without() ([]byte, error) {
	if f.client.HasPlugin() {
		return f.withoutPlugin(), nil
	}
	src, err := f.client.Revoke(f.src)
	if err != nil {
		return nil, err
	}
	return f.client.Unregister(src, isOurs)
}

// permits reports whether the file has a permission that install has added.
func (f *settingsFile) permits() bool {
	after, err := f.client.Revoke(f.src)
	return err == nil && !bytes.Equal(after, f.src)
}

// openRule reads the file with the rule of an agent; nil if it has none.
func openRule(env cli.Env, c agent.Client) (*agentFile, error) {
	folder, name := c.RuleFile(home.UserFolder(env.Getenv), env.Getenv)
	if name == "" {
		return nil, nil
	}
	f := newAgentFile(folder, name)
	f.ownFolders = 1
	return &f, f.read()
}

// addRule returns the file with the rule of an agent, which is always the user's.
func (o *registerOptions) addRule(c agent.Client) (change, error) {
	f, err := openRule(o.env, c)
	if err != nil || f == nil || o.scope != agent.User {
		return change{}, err
	}
	rule := c.Rule(o.reading...)
	if string(f.src) == rule {
		return f.whole(f.src, permissionLine(bothCommands, alreadyAllowed)), nil
	}
	if f.exists && !c.IsRule(f.src) {
		return f.whole(f.src, permissionLine(bothCommands, leftAsItIs)), nil
	}
	return f.whole([]byte(rule), permissionLine(bothCommands, o.done(allowedUnasked))), nil
}

// removeRule returns the file with the rule of an agent without it, unless it has been edited.
func (o *registerOptions) removeRule(c agent.Client) (change, error) {
	f, err := openRule(o.env, c)
	if err != nil || f == nil || o.scope != agent.User {
		return change{}, err
	}
	if !f.exists {
		return change{file: f}, nil
	}
	if !c.IsRule(f.src) {
		return f.whole(f.src, permissionLine(bothCommands, leftAsItIs)), nil
	}
	return f.whole(nil, permissionLine(bothCommands, "permission "+o.done("removed"))), nil
}

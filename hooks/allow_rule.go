package hooks

import (
	"bytes"
	"slices"
	"strings"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/home"
)

// An agent that had to ask its user before each look-up would not look up. So install lets it run
// agent.ReadingProgram and agent.SessionCommand without asking: by rules in Claude Code's settings, by a
// file with a rule in Gemini CLI's. Codex does not ask, Copilot CLI has no setting for it, and that of Cursor was not seen.

// commandFor returns a command for rules: in shared settings, or if the path of its program cannot be
// written into a rule, by its bare name.
func commandFor(env cli.Env, scope agent.Scope, command string) string {
	here := cli.Command(env, command)
	if scope == agent.Project || strings.ContainsAny(here, `'"`) {
		return command
	}
	return here
}

// allows reports whether the installation lets an agent run o.reading without asking.
func (o *registerOptions) allows() bool {
	return slices.ContainsFunc(o.clients, func(c agent.Client) bool {
		_, rule := o.ruleFile(c)
		return c.HasAllowList() || rule != ""
	})
}

// permit returns settings with the permission to run commands.
func permit(c agent.Client, src []byte, commands []string) ([]byte, error) {
	after, err := c.Permit(src, commands...)
	if err != nil || bytes.Equal(after, src) {
		return src, err
	}
	if src, err = c.Revoke(src); err != nil { // an earlier path
		return nil, err
	}
	return c.Permit(src, commands...)
}

// ruleFile returns the file with the rule of an agent, which is always the user's; name is "" if there is
// none.
func (o *registerOptions) ruleFile(c agent.Client) (folder, name string) {
	if o.scope != agent.User {
		return "", ""
	}
	return c.RuleFile(home.UserFolder(o.env.Getenv), o.env.Getenv)
}

// editRule edits the file with the rule of an agent. One that has been edited is left as it is.
func (o *registerOptions) editRule(c agent.Client, rule, outcome string) (change, error) {
	folder, name := o.ruleFile(c)
	if name == "" {
		return change{}, nil
	}
	f := newAgentFile(folder, name)
	if err := f.read(); err != nil {
		return change{}, err
	}
	e := change{file: &f, after: []byte(rule), what: c.Title() + ", permission", outcome: outcome}
	if string(f.src) == rule {
		e.outcome = ""
	} else if f.exists && !agent.IsRule(f.src) {
		e.after, e.outcome = f.src, "left as it is: this file has been changed"
	}
	return e, nil
}

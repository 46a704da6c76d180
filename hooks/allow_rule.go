package hooks

import (
	"bytes"
	"slices"
	"strings"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/home"
)

// An agent that had to ask its user before each look-up would look nothing up. Therefore install lets it run
// agent.ReadingProgram and agent.SessionCommand without asking: by rules in Claude Code's settings, and by a file with
// a rule for Gemini CLI. Codex does not ask, Copilot CLI has no such setting, and Cursor's was not examined.

// commandFor returns a command for rules. In shared settings, or if the path cannot be written into a rule, it has the
// bare name of its program.
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

// permit returns settings with permission to run commands, which replaces earlier permissions for other paths.
func permit(c agent.Client, src []byte, commands []string) ([]byte, error) {
	after, err := c.Permit(src, commands...)
	if err != nil || bytes.Equal(after, src) {
		return src, err
	}
	if src, err = c.Revoke(src); err != nil { // rules with an earlier path
		return nil, err
	}
	return c.Permit(src, commands...)
}

// ruleFile returns the file with the rule of an agent, see [agent.Client.RuleFile]. Only the user scope has one.
func (o *registerOptions) ruleFile(c agent.Client) (folder, name string) {
	if o.scope != agent.User {
		return "", ""
	}
	return c.RuleFile(home.UserFolder(o.env.Getenv), o.env.Getenv)
}

// editRule edits the file with the rule of an agent. It does not change a file that someone else has edited.
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

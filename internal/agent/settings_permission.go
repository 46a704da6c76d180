package agent

import (
	"bytes"
	"path"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"
)

// The commands by which agents read decisions and past sessions. They only read, so an agent may run them
// without asking its user.
const (
	ReadingProgram = "memory-when"
	SessionCommand = ServerProgram + " session"
)

// Permission is the answer of settings to whether a command may be run. Where they disagree, the
// greatest holds.
type Permission int

// The permissions.
const (
	Unmentioned Permission = iota // so the agent asks its user, or decides itself
	Allowed                       // without asking
	Refused                       // the user is asked, or the command is not run at all
)

// PermissionOf returns what a settings file says about running a command with a quoted argument, and
// the rule that says so. A text that cannot be read says nothing.
func (c Client) PermissionOf(src []byte, command string) (p Permission, rule string) {
	d, err := parse(c, src)
	if err != nil || d.allowList == "" {
		return Unmentioned, ""
	}
	line := command + " 'x'"
	for _, path := range d.refusals {
		if rule := d.ruleFor(line, path); rule != "" {
			return Refused, rule
		}
	}
	if rule := d.ruleFor(line, d.allowList); rule != "" {
		return Allowed, rule
	}
	return Unmentioned, ""
}

// MayRun reports whether the agent runs a command with a quoted argument without asking its user, by
// the files of settings that it reads in a project: read returns the text of one, or nil. What is
// unknown counts as no.
func (c Client) MayRun(command, home, project string, getenv func(string) string, read func(folder, name string) []byte) bool {
	p := c.profile()
	if p.unasked {
		return true
	}
	if folder, name := c.RuleFile(home, getenv); name != "" {
		src := read(folder, name)
		return c.IsRule(src) && bytes.Contains(src, []byte(strconv.Quote(command)))
	}
	if folder, name := p.userFile(p.approvals, home, getenv); name != "" {
		return approves(read(folder, name), command, project)
	}
	found := Unmentioned
	for _, scope := range Scopes {
		if folder, name, err := c.SettingsFile(scope, home, project, getenv); err == nil {
			src := read(folder, name)
			if !bytes.Contains(src, []byte("Bash")) { // which every rule names; parsing takes longer
				continue
			}
			said, _ := c.PermissionOf(src, command)
			found = max(found, said)
		}
	}
	return found == Allowed
}

// HasAllowList reports whether Permit can add rules to the agent's settings files.
func (c Client) HasAllowList() bool { return c.profile().allowList != "" }

// Permit adds to the text of a settings file the rules by which the agent runs commands without
// asking, unless the text says something about them. Revoke removes exactly these bytes. The text of an
// agent with other places for such rules stays as it is; see RuleFile.
func (c Client) Permit(src []byte, commands ...string) ([]byte, error) {
	var rules []string
	for _, command := range commands {
		if p, _ := c.PermissionOf(src, command); p == Unmentioned {
			rules = append(rules, ownRules(command)...)
		}
	}
	for _, rule := range rules {
		d, err := parse(c, src)
		if err != nil || d.allowList == "" {
			return src, err
		}
		if err := d.checkAllowList(); err != nil {
			return nil, err
		}
		src = d.add(strings.Split(d.allowList, "."), "[]", quoted(rule))
	}
	return src, nil
}

// Revoke removes the rules that Permit has added, by whatever path they name a program, and the
// lists and objects that it has made. The user's own rules stay.
func (c Client) Revoke(src []byte) ([]byte, error) {
	for {
		d, err := parse(c, src)
		if err != nil || d.allowList == "" {
			return src, err
		}
		at, found := d.lastOwnRules()
		if !found {
			return src, nil
		}
		last := at
		last.element++
		if d, err = parse(c, d.removeAt(d.steps(last)...)); err != nil {
			return nil, err
		}
		src = d.removeAt(d.steps(at)...)
	}
}

// ownRules returns the rules that Permit adds for a command: the command alone, and the command with arguments. The
// second would do, and is what people write; the pair is what Revoke takes for ours.
func ownRules(command string) []string {
	return []string{"Bash(" + command + ")", "Bash(" + command + ":*)"}
}

// place is where a rule is: the indexes of two members, then of an element.
type place struct{ outer, inner, element int }

// lastOwnRules returns the place of the first rule of the last pair that Permit has added.
func (d *document) lastOwnRules() (at place, found bool) {
	if d.root == nil {
		return at, false
	}
	outerName, innerName, _ := strings.Cut(d.allowList, ".")
	for oi, outer := range d.root.Value.(*hujson.Object).Members {
		object, isObject := outer.Value.Value.(*hujson.Object)
		if nameOf(outer) != outerName || !isObject {
			continue
		}
		for ii, inner := range object.Members {
			if nameOf(inner) != innerName {
				continue
			}
			before := ""
			for ei, element := range elementsOf(inner.Value) {
				rule := ruleOf(element)
				command := strings.TrimSuffix(strings.TrimPrefix(before, "Bash("), ")")
				if pair := ownRules(command); isReading(command) && before == pair[0] && rule == pair[1] {
					at, found = place{oi, ii, ei - 1}, true
				}
				before = rule
			}
		}
	}
	return at, found
}

// steps returns the way from a rule to the root.
func (d *document) steps(at place) []step {
	outer := d.root.Value.(*hujson.Object).Members[at.outer].Value
	inner := outer.Value.(*hujson.Object).Members[at.inner].Value
	return []step{{inner, at.element}, {outer, at.inner}, {*d.root, at.outer}}
}

// checkAllowList returns an error if rules cannot be added.
func (d *document) checkAllowList() error {
	outerName, innerName, _ := strings.Cut(d.allowList, ".")
	outer := d.at(outerName)
	if outer.Value != nil && outer.Value.Kind() != '{' {
		return d.errorAt(outer.StartOffset, "%q is %s, but must be an object, {…}: replace it with one, or remove it", outerName, describe(outer))
	}
	if inner := memberOf(outer, innerName); inner.Value != nil && inner.Value.Kind() != '[' {
		return d.errorAt(inner.StartOffset, "%q is %s, but must be a list, […]: replace it with one, or remove it", d.allowList, describe(inner))
	}
	return nil
}

// ruleFor returns the first rule of a list that matches a command line; "" if none does.
func (d *document) ruleFor(line, list string) string {
	for _, element := range elementsOf(d.at(list)) {
		if rule := ruleOf(element); matchesRule(rule, line) {
			return rule
		}
	}
	return ""
}

// ruleOf returns the text of an element; "" if it is not a string.
func ruleOf(element hujson.Value) string {
	if literal := literalOf(element); literal != nil && literal.Kind() == '"' {
		return literal.String()
	}
	return ""
}

// matchesRule reports whether a rule is about a simple command line, as Claude Code matches them: a
// prefix of words before ":*", or a pattern in which * stands for any text.
func matchesRule(rule, line string) bool {
	pattern, isBash := strings.CutPrefix(rule, "Bash")
	if !isBash || pattern == "" {
		return isBash
	}
	pattern = strings.TrimSuffix(strings.TrimPrefix(pattern, "("), ")")
	if prefix, isPrefix := strings.CutSuffix(pattern, ":*"); isPrefix {
		return prefix == "" || strings.HasPrefix(line+" ", prefix+" ")
	}
	parts := strings.Split(pattern, "*")
	for i, part := range parts {
		at := strings.Index(line, part)
		switch {
		case i == 0 && at != 0:
			return false
		case i > 0 && i == len(parts)-1:
			return strings.HasSuffix(line, part)
		case at < 0:
			return false
		}
		line = line[at+len(part):]
	}
	return line == ""
}

// isReading reports whether a command is one of those that only read, by whatever path of its program.
func isReading(command string) bool {
	if program, isSession := strings.CutSuffix(command, strings.TrimPrefix(SessionCommand, ServerProgram)); isSession {
		return isServer(program)
	}
	return strings.TrimSuffix(path.Base(strings.ReplaceAll(command, `\`, "/")), ".exe") == ReadingProgram
}

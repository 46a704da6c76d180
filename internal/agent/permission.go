package agent

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"
)

// The programs of the memory, and the commands by which agents read decisions and past sessions. These
// only read, so an agent may run them without asking its user.
const (
	ServerProgram  = "memory-remember" // with the argument "serve", the MCP server
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

// The lists of rules in Claude Code's settings: what it runs without asking, and what it does not.
const (
	permissions = "permissions"
	allowList   = "allow"
)

var refusals = []string{"deny", "ask"}

// HasAllowList reports whether the settings files of the agent have a list of the commands that it runs
// without asking. Without one, Permit and Revoke leave a text as it is; see RuleFile.
func (c Client) HasAllowList() bool { return c == Claude }

// PermissionOf returns what a settings file says about running a command with a quoted argument, and
// the rule that says so. A text that cannot be read says nothing.
func (c Client) PermissionOf(src []byte, command string) (p Permission, rule string) {
	if !c.HasAllowList() {
		return Unmentioned, ""
	}
	s, err := parseSettings(c, src)
	if err != nil {
		return Unmentioned, ""
	}
	line := command + " 'x'"
	for _, list := range refusals {
		if rule := s.ruleFor(line, list); rule != "" {
			return Refused, rule
		}
	}
	if rule := s.ruleFor(line, allowList); rule != "" {
		return Allowed, rule
	}
	return Unmentioned, ""
}

// ruleFor returns the first rule of a list that matches a command line; "" if none does.
func (d *document) ruleFor(line, list string) string {
	for _, element := range elementsOf(at(&d.root, permissions, list)) {
		if rule := textOf(&element); matchesRule(rule, line) {
			return rule
		}
	}
	return ""
}

// matchesRule reports whether a rule is about a simple command line, as Claude Code matches them: a
// prefix of words before ":*", or a pattern in which * matches any text.
func matchesRule(rule, line string) bool {
	pattern, isBash := strings.CutPrefix(rule, "Bash")
	if !isBash || pattern == "" {
		return isBash
	}
	pattern = strings.TrimSuffix(strings.TrimPrefix(pattern, "("), ")")
	if prefix, isPrefix := strings.CutSuffix(pattern, ":*"); isPrefix {
		return prefix == "" || strings.HasPrefix(line+" ", prefix+" ")
	}
	pattern = strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, ".*")
	matches, err := regexp.MatchString(`(?s)\A`+pattern+`\z`, line)
	return err == nil && matches
}

// Permit adds to the text of a settings file the rules by which the agent runs commands without
// asking, unless the text says something about them. Revoke removes exactly these bytes.
func (c Client) Permit(src []byte, commands ...string) ([]byte, error) {
	if !c.HasAllowList() {
		return src, nil
	}
	d, err := parseSettings(c, src)
	if err != nil {
		return nil, err
	}
	if err := d.demand(at(&d.root, permissions), '{', `"permissions"`); err != nil {
		return nil, err
	}
	if err := d.demand(at(&d.root, permissions, allowList), '[', `"permissions.allow"`); err != nil {
		return nil, err
	}
	for _, command := range slices.Backward(commands) {
		if found, _ := c.PermissionOf(src, command); found != Unmentioned {
			continue
		}
		for _, rule := range slices.Backward(ownRules(command)) {
			if err := d.add([]string{permissions, allowList}, rule); err != nil {
				return nil, err
			}
		}
	}
	return d.text(), nil
}

// Revoke removes the rules that Permit has added, by whatever path they name a program, and the
// lists and objects that it has made. The user's own rules stay.
func (c Client) Revoke(src []byte) ([]byte, error) {
	if !c.HasAllowList() {
		return src, nil
	}
	d, err := parseSettings(c, src)
	if err != nil {
		return nil, err
	}
	d.removeAtRoot(func(outer *hujson.ObjectMember) bool {
		return nameOf(outer) == permissions && removeMembers(&outer.Value, func(list *hujson.ObjectMember) bool {
			return nameOf(list) == allowList && removeRules(&list.Value)
		})
	})
	return d.text(), nil
}

// removeRules removes from a list the pairs of rules that Permit has added.
func removeRules(list *hujson.Value) (isGone bool) {
	isOurs := map[*hujson.Value]bool{}
	rules := elementsOf(list)
	for i := 1; i < len(rules); i++ {
		pair := []string{textOf(&rules[i-1]), textOf(&rules[i])}
		command := strings.TrimSuffix(strings.TrimPrefix(pair[0], "Bash("), ")")
		if isReading(command) && slices.Equal(ownRules(command), pair) {
			isOurs[&rules[i-1]], isOurs[&rules[i]] = true, true
		}
	}
	return removeElements(list, func(v *hujson.Value) bool { return isOurs[v] })
}

// ownRules returns the rules that Permit adds for a command: the command alone, and the command with arguments. The
// second would be enough, but people write it too: Revoke recognizes the pair.
func ownRules(command string) []string {
	return []string{"Bash(" + command + ")", "Bash(" + command + ":*)"}
}

// The file with a rule in Gemini CLI's folder of policies, and its text around the list of commands. A command
// in tools.allowed would deny every other one, and rules of a project have no effect.
const (
	ruleFile   = ".gemini/policies/whence.toml"
	ruleBefore = "# \"memory-hooks install\" wrote this file, and \"memory-hooks uninstall\" removes it.\n" +
		"[[rule]]\ntoolName = \"run_shell_command\"\ncommandPrefix = ["
	ruleAfter     = "]\ndecision = \"allow\"\npriority = 100\n"
	ruleSeparator = ", "
)

// RuleFile returns the file of the user that holds nothing but the rule by which the agent runs
// commands without asking: its name (with slashes) in a folder that it must not lead out of; empty if
// the agent has none.
func (c Client) RuleFile(home string, getenv func(string) string) (folder, name string) {
	if c != Gemini {
		return "", ""
	}
	folder, name, err := c.profile().places.locate(User, ruleFile, home, "", getenv)
	if err != nil {
		return "", ""
	}
	return folder, name
}

// Rule returns the text of RuleFile, which allows these commands.
func (c Client) Rule(commands ...string) string {
	quoted := make([]string, len(commands))
	for i, command := range commands {
		quoted[i] = strconv.Quote(command)
	}
	return fmt.Sprint(ruleBefore, strings.Join(quoted, ruleSeparator), ruleAfter)
}

// IsRule reports whether a text is a RuleFile, whatever the paths of the programs in it.
func (c Client) IsRule(src []byte) bool {
	list, hasBefore := strings.CutPrefix(string(src), ruleBefore)
	list, hasAfter := strings.CutSuffix(list, ruleAfter)
	if !hasBefore || !hasAfter {
		return false
	}
	for _, quoted := range strings.Split(list, ruleSeparator) {
		if command, err := strconv.Unquote(quoted); err != nil || !isReading(command) {
			return false
		}
	}
	return true
}

// isReading reports whether a command is one of those that only read, by whatever path of its program.
func isReading(command string) bool {
	program, isSession := strings.CutSuffix(command, " session")
	name := strings.TrimSuffix(path.Base(strings.ReplaceAll(program, `\`, "/")), ".exe")
	return isSession && name == ServerProgram || !isSession && name == ReadingProgram
}

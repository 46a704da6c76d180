package agent

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"
)

// The programs of the memory. ReadingProgram and SessionCommand, by which agents read decisions and past sessions,
// change nothing, so an agent may run them without asking its user.
const (
	ServerProgram  = "memory-remember" // with the argument "serve", the MCP server
	ReadingProgram = "memory-when"
	SessionCommand = ServerProgram + " session"
)

// allowList is the path to the list of rules, in Claude Code's settings, for what it runs without asking.
var allowList = []string{"permissions", "allow"}

// HasAllowList reports whether the settings files of the agent may list commands that it runs without asking.
// If not, Permit and Revoke return a text unchanged; see RuleFile.
func (c Client) HasAllowList() bool { return c.profile().format.allowList }

// Permit adds to the text of a settings file the missing rules by which the agent runs commands without asking. A rule
// of the user's that asks or denies takes precedence. Revoke removes exactly the added bytes.
func (c Client) Permit(src []byte, commands ...string) ([]byte, error) {
	if !c.HasAllowList() {
		return src, nil
	}
	d, err := parseSettings(c, src)
	if err != nil {
		return nil, err
	}
	if err := d.demand(at(&d.root, allowList[0]), '{', `"permissions"`); err != nil {
		return nil, err
	}
	if err := d.demand(at(&d.root, allowList...), '[', `"permissions.allow"`); err != nil {
		return nil, err
	}
	_, allowed := ownRulesIn(at(&d.root, allowList...))
	for _, command := range slices.Backward(commands) {
		if slices.Contains(allowed, command) {
			continue
		}
		for _, rule := range slices.Backward(ownRules(command)) {
			if err := d.add(allowList, rule); err != nil {
				return nil, err
			}
		}
	}
	return d.text(), nil
}

// Revoke removes the rules that Permit added, whatever the paths of the programs in them, and the lists and objects
// that it created. The user's own rules are kept.
func (c Client) Revoke(src []byte) ([]byte, error) {
	if !c.HasAllowList() {
		return src, nil
	}
	d, err := parseSettings(c, src)
	if err != nil {
		return nil, err
	}
	d.removeAtRoot(func(outer *hujson.ObjectMember) bool {
		return nameOf(outer) == allowList[0] && removeMembers(&outer.Value, func(list *hujson.ObjectMember) bool {
			rules, _ := ownRulesIn(&list.Value)
			return nameOf(list) == allowList[1] && removeElements(&list.Value, func(rule *hujson.Value) bool {
				return slices.Contains(rules, rule)
			})
		})
	})
	return d.text(), nil
}

// ownRulesIn returns the rules in a list that Permit added, and their commands.
func ownRulesIn(list *hujson.Value) (rules []*hujson.Value, commands []string) {
	all := elementsOf(list)
	for i := 1; i < len(all); i++ {
		first, second := textOf(&all[i-1]), textOf(&all[i])
		command := strings.TrimSuffix(strings.TrimPrefix(first, "Bash("), ")")
		if isReading(command) && slices.Equal(ownRules(command), []string{first, second}) {
			rules, commands = append(rules, &all[i-1], &all[i]), append(commands, command)
		}
	}
	return rules, commands
}

// ownRules returns the two rules that Permit adds for a command: the command alone, and the command with arguments.
// The second would suffice, but people write it too; Revoke recognizes the pair.
func ownRules(command string) []string {
	return []string{"Bash(" + command + ")", "Bash(" + command + ":*)"}
}

// The parts of the text of a RuleFile around the list of commands.
const (
	ruleBefore = "# \"memory-hooks install\" wrote this file, and \"memory-hooks uninstall\" removes it.\n" +
		"[[rule]]\ntoolName = \"run_shell_command\"\ncommandPrefix = ["
	ruleAfter     = "]\ndecision = \"allow\"\npriority = 100\n"
	ruleSeparator = ", "
)

// RuleFile returns the user's file that holds only the rule by which the agent runs commands without asking: a
// folder, and the slash-separated name in it, which must not lead out of it. Both are empty if the agent has no
// such file.
func (c Client) RuleFile(home string, getenv func(string) string) (folder, name string) {
	rule := c.profile().files.rule
	if rule == "" {
		return "", ""
	}
	folder, name, err := c.locate(User, rule, home, "", getenv)
	if err != nil {
		return "", ""
	}
	return folder, name
}

// Rule returns the text of a RuleFile that allows some commands.
func Rule(commands ...string) string {
	quoted := make([]string, len(commands))
	for i, command := range commands {
		quoted[i] = strconv.Quote(command)
	}
	return fmt.Sprint(ruleBefore, strings.Join(quoted, ruleSeparator), ruleAfter)
}

// IsRule reports whether a text is one that Rule returns, whatever the paths of the programs in it.
func IsRule(src []byte) bool {
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

// isReading reports whether a command is ReadingProgram or SessionCommand, whatever the path of its program.
func isReading(command string) bool {
	program, isSession := strings.CutSuffix(command, " session")
	name := strings.TrimSuffix(path.Base(strings.ReplaceAll(program, `\`, "/")), ".exe")
	return isSession && name == ServerProgram || !isSession && name == ReadingProgram
}

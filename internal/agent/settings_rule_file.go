package agent

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// RuleFile returns the file of the user that holds nothing but the rule by which the agent runs
// commands without asking: its name (with slashes) in a folder that it must not lead out of; empty if
// the agent has none.
func (c Client) RuleFile(home string, getenv func(string) string) (folder, name string) {
	return c.profile().userFile(c.profile().ruleFile, home, getenv)
}

// HasRuleFile reports whether the agent has a RuleFile.
func (c Client) HasRuleFile() bool { return c.profile().ruleFile != "" }

// userFile returns the folder of a file of the user, and its name from there; empty if there is none.
func (p *profile) userFile(name, home string, getenv func(string) string) (folder, below string) {
	if name == "" {
		return "", ""
	}
	folder, below, err := p.locate(User, name, home, "", getenv)
	if err != nil {
		return "", ""
	}
	return folder, below
}

// Rule returns the text of RuleFile, which allows these commands.
func (c Client) Rule(commands ...string) string {
	quoted := make([]string, len(commands))
	for i, command := range commands {
		quoted[i] = strconv.Quote(command)
	}
	return fmt.Sprintf(c.profile().rule, strings.Join(quoted, ruleSeparator))
}

const ruleSeparator = ", "

// IsRule reports whether a text is a RuleFile, whatever the paths of the programs in it.
func (c Client) IsRule(src []byte) bool {
	before, after, _ := strings.Cut(c.profile().rule, "%s")
	list, hasBefore := strings.CutPrefix(string(src), before)
	list, hasAfter := strings.CutSuffix(list, after)
	if before == "" || !hasBefore || !hasAfter {
		return false
	}
	for _, quoted := range strings.Split(list, ruleSeparator) {
		if command, err := strconv.Unquote(quoted); err != nil || !isReading(command) {
			return false
		}
	}
	return true
}

// approves reports whether a file of approvals names a command for a folder.
func approves(src []byte, command, folder string) bool {
	var file struct {
		Locations map[string]struct {
			Approvals []struct {
				Kind     string   `json:"kind"`
				Commands []string `json:"commandIdentifiers"`
			} `json:"tool_approvals"`
		} `json:"locations"`
	}
	if json.Unmarshal(bytes.TrimPrefix(src, byteOrderMark), &file) != nil {
		return false
	}
	for _, a := range file.Locations[folder].Approvals {
		if a.Kind == "commands" && slices.Contains(a.Commands, command) {
			return true
		}
	}
	return false
}

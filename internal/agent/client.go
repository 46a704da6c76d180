package agent

import (
	"cmp"
	"slices"
)

// Client is a coding agent.
type Client string

// The agents.
const (
	Claude   Client = "claude"
	Codex    Client = "codex"
	Gemini   Client = "gemini"
	Copilot  Client = "copilot"
	OpenCode Client = "opencode"
	Cursor   Client = "cursor"
)

// Clients lists all agents.
var Clients = []Client{Claude, Codex, Gemini, Copilot, OpenCode, Cursor}

// ParseClient returns the agent with a name, and whether it is known; "" is Claude Code.
func ParseClient(name string) (c Client, isKnown bool) {
	c = cmp.Or(Client(name), Claude)
	return c, slices.Contains(Clients, c)
}

// RunningIn returns the agent that runs a program registered with c. Copilot CLI also runs what a project
// registers with Claude Code, and sets COPILOT_CLI. Claude Code started from Copilot CLI inherits that variable, but
// it accepts replies for Copilot.
func (c Client) RunningIn(getenv func(string) string) Client {
	if c == Claude && getenv("COPILOT_CLI") == "1" {
		return Copilot
	}
	return c
}

// SessionIn returns the id of the session whose agent has started a program; "" if no variable names it.
func SessionIn(getenv func(string) string) string {
	var names []string
	for _, c := range Clients {
		names = append(names, c.SessionVariable())
	}
	for _, name := range append(names, "GEMINI_SESSION_ID", "CODEX_THREAD_ID", "CURSOR_CONVERSATION_ID") { // these are set only for some programs
		if id := getenv(name); name != "" && id != "" {
			return id
		}
	}
	return ""
}

// InShellTool reports whether an agent, not the user, runs this command. It is called for commands that are not
// hooks. One of an agent's variables suffices, whatever else is set: agents let a repository set variables.
func InShellTool(getenv func(string) string) bool {
	isSet := func(name string) bool { return getenv(name) != "" }
	return slices.ContainsFunc(Clients, func(c Client) bool {
		return slices.ContainsFunc(c.profile().shellVariables, isSet)
	})
}

// Canonical returns Claude Code's name for an event of the agent.
func (c Client) Canonical(event string) string {
	for _, name := range Names {
		if c.NativeEvent(name) == event {
			return name
		}
	}
	return event
}

// NativeEvent returns the agent's name for an event that Claude Code calls event.
func (c Client) NativeEvent(event string) string {
	return cmp.Or(c.profile().hooks.names[event], event)
}

// tools maps the names that other agents give to tools to those of Claude Code.
var tools = map[string]string{
	"read_file": "Read", "run_shell_command": "Bash", "write_file": "Write", "replace": "Edit",
	"bash": "Bash", "view": "Read", "create": "Write", "edit": "Edit", "apply_patch": "Edit", "shell": "Bash", "Shell": "Bash",
	"exec_command": "Bash", "shell_command": "Bash", "read": "Read", "write": "Write", "multiedit": "MultiEdit", "patch": "Edit",
	"skill": "Skill", "activate_skill": "Skill",
	"run_in_terminal": "Bash", "create_file": "Write", "replace_string_in_file": "Edit", "multi_replace_string_in_file": "Edit",
	"insert_edit_into_file": "Edit", // VS Code, as the line above
}

// Tool returns Claude Code's name for a tool of the agent.
func (c Client) Tool(name string) string {
	if known, found := tools[name]; found && c != Claude {
		return known
	}
	return name
}

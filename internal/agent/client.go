package agent

import (
	"cmp"
	"fmt"
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
)

// Clients are all agents.
var Clients = []Client{Claude, Codex, Gemini, Copilot, OpenCode}

// ParseClient reads the name of an agent; "" is Claude Code.
func ParseClient(name string) (Client, error) {
	if name == "" {
		return Claude, nil
	}
	if slices.Contains(Clients, Client(name)) {
		return Client(name), nil
	}
	return "", fmt.Errorf("unknown agent %q: use claude, codex, gemini, copilot or opencode", name)
}

// RunningIn returns the agent that runs a program which was registered with c. Copilot CLI also runs
// what a project registers with Claude Code, and sets COPILOT_CLI. Claude Code inherits that if it
// was started from Copilot CLI; it accepts Copilot's replies.
func (c Client) RunningIn(getenv func(string) string) Client {
	if c == Claude && getenv("COPILOT_CLI") == "1" {
		return Copilot
	}
	return c
}

// variables holds the variables that agents set for the commands of their models, and some for their hooks
// too. Codex sets one of two, by the way in which it runs a command. Versions of OpenCode that set none for commands
// (as 1.17.3) are not recognized.
var variables = []string{"CLAUDECODE", "GEMINI_CLI", "COPILOT_CLI", "CODEX_THREAD_ID", "CODEX_CI", "OPENCODE"}

// InShellTool reports whether an agent, not the user, runs a command that is not an event. One of its
// variables suffices, whatever else is set: agents let a repository set variables.
func InShellTool(getenv func(string) string) bool {
	return slices.ContainsFunc(variables, func(name string) bool { return getenv(name) != "" })
}

// geminiEvents maps names of Gemini CLI to those of Claude Code.
var geminiEvents = map[string]string{"BeforeAgent": UserPromptSubmit, "AfterTool": PostToolUse, "AfterAgent": Stop, "PreCompress": PreCompact}

// Canonical returns Claude Code's name of an event of the agent.
func (c Client) Canonical(event string) string {
	if c == Gemini {
		return cmp.Or(geminiEvents[event], event)
	}
	return event
}

// NativeEvent returns the agent's name of an event.
func (c Client) NativeEvent(event string) string {
	if c == Gemini {
		if event == PostToolUseFailure { // which Read makes of it
			event = PostToolUse
		}
		for native, name := range geminiEvents {
			if name == event {
				return native
			}
		}
	}
	return event
}

// tools maps names of other agents to those of Claude Code.
var tools = map[string]string{
	"read_file": "Read", "run_shell_command": "Bash", "write_file": "Write", "replace": "Edit",
	"bash": "Bash", "view": "Read", "create": "Write", "edit": "Edit", "apply_patch": "Edit", "shell": "Bash",
	"exec_command": "Bash", "shell_command": "Bash", "read": "Read", "write": "Write", "multiedit": "MultiEdit", "patch": "Edit",
	"skill": "Skill", "activate_skill": "Skill",
}

// Tool returns Claude Code's name of a tool of the agent.
func (c Client) Tool(name string) string {
	if known, found := tools[name]; found && c != Claude {
		return known
	}
	return name
}

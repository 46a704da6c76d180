package agent

import (
	"fmt"
	"strings"
)

// Client is a coding agent.
type Client string

// The agents.
const (
	Claude  Client = "claude"
	Codex   Client = "codex"
	Gemini  Client = "gemini"
	Copilot Client = "copilot"
)

// Clients are all agents.
var Clients = []Client{Claude, Codex, Gemini, Copilot}

// ParseClient reads the name of an agent; "" is Claude Code.
func ParseClient(name string) (Client, error) {
	if name == "" {
		return Claude, nil
	}
	for _, c := range Clients {
		if string(c) == name {
			return c, nil
		}
	}
	return "", fmt.Errorf("unknown agent %q: use claude, codex, gemini or copilot", name)
}

// SessionVariable returns the environment variable in which hooks find the id of a session; "" if
// there is none.
func (c Client) SessionVariable() string {
	return map[Client]string{Claude: "CLAUDE_CODE_SESSION_ID", Gemini: "GEMINI_SESSION_ID"}[c]
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

// geminiEvents maps names of Gemini CLI to those of Claude Code.
var geminiEvents = map[string]string{"BeforeAgent": UserPromptSubmit, "AfterTool": PostToolUse, "AfterAgent": Stop, "PreCompress": PreCompact}

// LowerCaseEvents returns the events, used here or not, whose names begin with a small letter.
func (c Client) LowerCaseEvents() []string {
	if c != Copilot {
		return nil
	}
	return []string{
		"sessionStart", "sessionEnd", "userPromptSubmitted", "preToolUse", "postToolUse", "postToolUseFailure", "agentStop",
		"subagentStart", "subagentStop", "preCompact", "permissionRequest", "errorOccurred", "notification",
	}
}

// Canonical returns Claude Code's name of an event of the agent.
func (c Client) Canonical(event string) string {
	if name, found := geminiEvents[event]; found && c == Gemini {
		return name
	}
	if c == Copilot && event != "" { // which also writes sessionStart, agentStop …
		event = strings.ToUpper(event[:1]) + event[1:]
		if event == "AgentStop" {
			return Stop
		}
		if event == "UserPromptSubmitted" {
			return UserPromptSubmit
		}
	}
	return event
}

// NativeEvent returns the agent's name of an event.
func (c Client) NativeEvent(event string) string {
	if c == Gemini {
		if event == PostToolUseFailure { // Read makes it of the other
			event = PostToolUse
		}
		for own, name := range geminiEvents {
			if name == event {
				return own
			}
		}
	}
	return event
}

// tools maps names of other agents to those of Claude Code.
var tools = map[string]string{
	"read_file": "Read", "run_shell_command": "Bash", "write_file": "Write", "replace": "Edit",
	"bash": "Bash", "view": "Read", "create": "Write", "edit": "Edit", "apply_patch": "Edit", "shell": "Bash",
}

func (c Client) tool(name string) string {
	if known, found := tools[name]; found && c != Claude {
		return known
	}
	return name
}

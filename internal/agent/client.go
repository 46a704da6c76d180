package agent

import "fmt"

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

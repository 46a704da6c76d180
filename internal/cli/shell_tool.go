package cli

import (
	"whence/internal/agent"
	"whence/internal/agent/usertext"
	"whence/internal/text"
)

// InShellTool returns an Env whose output is inert if an agent reads it. Main flushes it.
func InShellTool(env Env) Env {
	if agent.InShellTool(env.Getenv) {
		ours := append([]string{"#", "`", "~"}, usertext.Markup...) // headings and fences in manuals and lists
		env.Stdout, env.Stderr = text.NewAgentWriter(env.Stdout, ours...), text.NewAgentWriter(env.Stderr, ours...)
	}
	return env
}

// flush writes what is left of the output for an agent.
func flush(env Env) {
	for _, w := range []any{env.Stdout, env.Stderr} {
		if w, ok := w.(*text.AgentWriter); ok {
			_ = w.Flush() // the agent may be gone
		}
	}
}

package transcript

import (
	"strings"

	"whence/internal/agent"
)

// isInjected reports whether a text, found where agents record the texts of hooks, is one of ours.
func isInjected(s string) bool { return s != "" && agent.ReadMessage(s) == agent.Message{} }

// withoutHooks returns a text without what hooks have added, and the added texts. Gemini CLI and our plugin for
// OpenCode put them between tags.
func withoutHooks(text string) (rest string, injected []string) {
	const begin, end = "<hook_context>", "</hook_context>"
	for {
		before, after, found := strings.Cut(text, begin)
		inside, behind, closed := strings.Cut(after, end)
		if !found || !closed {
			return rest + text, injected
		}
		rest += strings.TrimRight(before, "\n")
		injected, text = append(injected, strings.TrimSpace(inside)), behind
	}
}

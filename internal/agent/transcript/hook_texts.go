package transcript

import (
	"strings"

	"whence/internal/agent"
)

// isInjected reports whether a text in the place of a hook's is one of ours.
func isInjected(s string) bool { return s != "" && agent.ReadMessage(s) == agent.Message{} }

// withoutHooks returns a text without what hooks have added, and these texts. Gemini CLI marks them so,
// and our plugin for OpenCode.
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

package agent

import (
	"slices"
	"strings"
)

// whenceTools lists the tools of the server of memory-remember.
var whenceTools = []string{"store_memory", "search_memory", "when", "forget_memory"}

// IsWhenceTool reports whether a tool belongs to the server of memory-remember, by the name that an agent gives it,
// such as mcp__memory__when, mcp__plugin_whence_memory__store_memory, mcp_memory_when or memory-when.
func IsWhenceTool(name string) bool {
	return slices.ContainsFunc(whenceTools, func(tool string) bool {
		server, found := strings.CutSuffix(name, tool)
		return found && (server == "mcp_memory_" || server == "memory-" || strings.HasPrefix(server, "mcp__") && strings.HasSuffix(server, "memory__"))
	})
}

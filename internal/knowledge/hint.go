package knowledge

import (
	"fmt"

	"whence/internal/store"
)

// Hint are the lines that tell an agent, when a session begins, how to remember (AC-10).
func Hint(p store.Policy) string {
	return fmt.Sprintf("Available commands: /remember <learning>, /when <trigger>\n"+
		"Tip: Use `/remember <learning>` to capture insights, or use the `store_memory` MCP tool directly.\n"+
		"Memory capture mode: %s\nMemory silent capture budget: %d\n", p.Mode, p.Budget)
}

package agent_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
)

func TestIsWhenceTool(t *testing.T) {
	for name, want := range map[string]bool{
		"mcp__memory__when": true, "mcp__plugin_whence_memory__store_memory": true, "mcp_memory_search_memory": true, "memory-forget_memory": true,
		"mcp__calendar__when": false, "mcp__memory__read_graph": false, "when": false, "Bash": false, "": false,
	} {
		require.Equal(t, want, agent.IsWhenceTool(name), name)
	}
}

package hooks

import (
	"fmt"

	"whence/internal/agent"
	"whence/internal/cli"
)

// printServer prints how the user has an agent list the memory's MCP server: agents write that list
// themselves.
func (o *registerOptions) printServer(c agent.Client) {
	if !o.mcp {
		return
	}
	program := cli.Command(agent.ServerProgram)
	if program == "" || o.scope == agent.Project {
		program = agent.ServerProgram
	}
	fmt.Fprintf(o.env.Stdout, "  %-18s  to add it: %s\n", "MCP server", c.ServerCommand(o.scope, program))
}

// Memory-remember keeps what was learned, and writes into the memory.
package main

import (
	"os"

	"whence/internal/cli"
	"whence/internal/team"
	"whence/remember"
	"whence/remember/embedding"
	"whence/remember/mcp"
	"whence/remember/teams"
)

func main() {
	os.Exit(remember.Main(cli.OS(), remember.Parts{
		Serve: mcp.Serve, Embeddings: embedding.At, Team: teams.Command, Exchange: team.Sync, SearchTeam: teams.Search,
	}))
}

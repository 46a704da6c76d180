// Memory-remember keeps what was learned, and writes into the memory.
package main

import (
	"os"

	"whence/internal/cli"
	"whence/remember"
	"whence/remember/mcp"
	"whence/remember/server"
)

func main() {
	os.Exit(remember.Main(cli.OS(), server.Parts(mcp.Serve)))
}

// Memory-remember keeps what was learned, and writes into the memory.
package main

import (
	"os"

	"whence/internal/cli"
	"whence/remember"
	"whence/remember/embedding"
	"whence/remember/mcp"
)

func main() {
	os.Exit(remember.Main(cli.OS(), remember.Parts{Serve: mcp.Serve, Embed: embedding.Vectors}))
}

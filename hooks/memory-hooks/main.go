// Memory-hooks answers the events of coding agents.
package main

import (
	"os"

	"whence/hooks"
	"whence/internal/cli"
)

func main() { os.Exit(hooks.Main(cli.OS())) }

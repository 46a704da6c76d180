// Memory-migrate brings a memory index of an old format into today's.
package main

import (
	"os"

	"whence/internal/cli"
	"whence/migrate"
)

func main() { os.Exit(migrate.Main(cli.OS())) }

// Memory-remember writes into the memory: entries of the index, and situations.
package main

import (
	"os"

	"whence/internal/cli"
	"whence/remember"
)

func main() { os.Exit(remember.Main(cli.OS())) }

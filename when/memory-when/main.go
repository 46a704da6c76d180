// Memory-when prints the decision that a trigger leads to.
package main

import (
	"os"

	"whence/internal/cli"
	"whence/when"
)

func main() { os.Exit(when.Main(cli.OS())) }

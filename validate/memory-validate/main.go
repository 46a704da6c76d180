// Memory-validate checks a memory index against its decision files.
package main

import (
	"os"

	"whence/internal/cli"
	"whence/validate"
)

func main() { os.Exit(validate.Main(cli.OS())) }

package cli

import (
	"io"

	"whence/internal/text"
)

// PrintExact prints a patch or other output for programs byte for byte. On a terminal it
// escapes control characters.
func PrintExact(env Env, exact string) error {
	if IsTerminal(env.Stdout) {
		exact = text.PrintableLines(exact)
	}
	_, err := io.WriteString(env.Stdout, exact)
	return err
}

package cli

import (
	"io"

	"whence/internal/text"
)

// PrintExact prints a patch, or what else another program is to read: byte for byte, except
// on a terminal, which must not act on it.
func PrintExact(env Env, exact string) error {
	if IsTerminal(env.Stdout) {
		exact = text.PrintableLines(exact)
	}
	_, err := io.WriteString(env.Stdout, exact)
	return err
}

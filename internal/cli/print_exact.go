package cli

import (
	"io"

	"whence/internal/text"
)

// PrintExact prints a patch or other output for programs byte for byte, to agents too. On a terminal
// it escapes control characters.
func PrintExact(env Env, exact string) error {
	out := text.Exact(env.Stdout)
	if IsTerminal(out) {
		exact = text.PrintableLines(exact)
	}
	_, err := io.WriteString(out, exact)
	return err
}

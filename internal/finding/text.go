package finding

import (
	"bufio"
	"fmt"
	"io"

	"whence/internal/text"
)

// ANSI sequences of the coloured text format.
const (
	bold  = "\x1b[1m"
	red   = "\x1b[31m"
	gray  = "\x1b[90m"
	reset = "\x1b[0m"
)

// writeText prints a line per finding: "path:line:col: message [rule]".
func writeText(w io.Writer, r Report, color bool) error {
	out := bufio.NewWriter(w)
	for _, f := range r.Findings {
		place := fmt.Sprintf("%s:%d:%d:", text.Printable(f.Path), f.Line, f.Column)
		rule := "[" + f.Rule + "]"
		if color {
			place = bold + place + reset
			rule = gray + "[" + reset + red + f.Rule + reset + gray + "]" + reset
		}
		fmt.Fprintf(out, "%s %s %s\n", place, text.Printable(f.Message), rule)
	}
	return out.Flush()
}

package finding

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"whence/internal/text"
)

// Escapes of GitHub's workflow commands: properties need two more than data.
// Source: https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts
var (
	escapeData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	escapeProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// writeGitHub prints a workflow command for each finding, which GitHub shows at its line.
func writeGitHub(w io.Writer, r Report) error {
	out := bufio.NewWriter(w)
	for _, f := range r.Findings {
		fmt.Fprintf(out, "::error file=%s,line=%d,col=%d,title=%s::%s\n",
			escapeProperty.Replace(text.PrintableLines(f.Path)), f.Line, f.Column, escapeProperty.Replace(f.Rule), escapeData.Replace(text.PrintableLines(f.Message)))
	}
	return out.Flush()
}

package finding

import (
	"fmt"
	"io"
)

// Report is the result of one run of a check.
type Report struct {
	Tool     string    // name of the program, as in "memory-validate"
	Version  string    // its version
	Rules    []Rule    // the rules of the program, for formats that describe them
	Findings []Finding // that are left, sorted
	Fixed    []Finding // by this run, sorted
}

// Rule describes one rule of a program.
type Rule struct {
	Name    string
	Summary string // one line
}

// Formats are the names that Write accepts.
var Formats = []string{"text", "json", "sarif", "github"}

// Write prints a report to w in the named format. Color applies to text only.
func Write(w io.Writer, format string, r Report, color bool) error {
	switch format {
	case "text":
		return writeText(w, r, color)
	case "json":
		return writeJSON(w, r)
	case "sarif":
		return writeSARIF(w, r)
	case "github":
		return writeGitHub(w, r)
	}
	return fmt.Errorf("unknown format %q: use one of %v", format, Formats)
}

package finding

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"whence/internal/inert"
)

// Report is the result of one run of a check.
type Report struct {
	Tool     string    // name of the program, as in "memory-validate"
	Version  string    // its version
	Rules    []Rule    // the rules of the program, for formats that describe them
	Findings []Finding // those that are left, sorted
	Fixed    []Finding // those that this run has fixed, sorted
	Notes    []Finding // warnings, sorted; only the format github prints them
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

// ANSI sequences of the coloured text format.
const (
	bold  = "\x1b[1m"
	red   = "\x1b[31m"
	gray  = "\x1b[90m"
	reset = "\x1b[0m"
)

// writeText prints a line per finding: "path:line:col: message [rule]".
func writeText(w io.Writer, r Report, color bool) error {
	if len(r.Findings) > 0 {
		inert.SayWhose(w, inert.FromFindings)
	}
	out := bufio.NewWriter(w)
	for _, f := range r.Findings {
		place := fmt.Sprintf("%s:%d:%d:", inert.Path(f.Path), f.Line, f.Column)
		rule := "[" + f.Rule + "]"
		if color {
			place = bold + place + reset
			rule = gray + "[" + reset + red + f.Rule + reset + gray + "]" + reset
		}
		fmt.Fprintf(out, "%s %s %s\n", place, inert.Printable(f.Message), rule)
	}
	return out.Flush()
}

type jsonFinding struct {
	Path    string `json:"path"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Rule    string `json:"rule"`
	Message string `json:"message"`
	Fix     string `json:"fix"` // "safe", "unsafe" or "none"
}

// writeJSON prints an object with the arrays "findings" and "fixed".
func writeJSON(w io.Writer, r Report) error {
	return inert.WriteJSON(w, struct {
		Findings []jsonFinding `json:"findings"`
		Fixed    []jsonFinding `json:"fixed"`
	}{toJSON(r.Findings), toJSON(r.Fixed)})
}

func toJSON(findings []Finding) []jsonFinding {
	out := make([]jsonFinding, len(findings))
	for i, f := range findings {
		out[i] = jsonFinding{f.Path, f.Line, f.Column, f.Rule, f.Message, f.Fix.Safety()}
	}
	return out
}

// Safety returns "none" for a nil fix, "unsafe" for one that guesses, else "safe".
func (f *Fix) Safety() string {
	if f == nil {
		return "none"
	}
	if f.Unsafe {
		return "unsafe"
	}
	return "safe"
}

// Escapes of GitHub's workflow commands: properties need two more than data.
// Source: https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts
var (
	escapeData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	escapeProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// writeGitHub prints a workflow command for each finding, which GitHub shows at its line.
func writeGitHub(w io.Writer, r Report) error {
	out := bufio.NewWriter(w)
	command := "error"
	for i, f := range slices.Concat(r.Findings, r.Notes) {
		if i == len(r.Findings) {
			command = "warning"
		}
		fmt.Fprintf(out, "::%s file=%s,line=%d,col=%d,title=%s::%s\n",
			command, escapeProperty.Replace(inert.PrintableLines(f.Path)), f.Line, f.Column, escapeProperty.Replace(f.Rule), escapeData.Replace(inert.PrintableLines(f.Message)))
	}
	return out.Flush()
}

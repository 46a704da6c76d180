package notes

import (
	"slices"
	"strings"

	"whence/internal/text"
)

// Show returns a note as it is written, with control characters escaped; "" if there is none.
// The kind is one of [Kinds].
func Show(root, kind string) (string, error) {
	if !Present(root) {
		return "", nil
	}
	f, err := openFolder(root)
	if err != nil {
		return "", err
	}
	defer f.Close()
	src, err := f.read(fileOf(kind))
	return text.PrintableLines(strings.TrimSpace(string(src))), err
}

// Summary summarizes the notes.
type Summary struct {
	Decisions, Findings int      // their numbers
	LastDecisions       []string // newest first
	LastFindings        []string
	Open                []string // last records of operations that do not work yet, newest first
	Failures            int      // records in errors.log
	Sessions, ToolCalls int
}

// maxRecent limits each list of a summary.
const maxRecent = 5

// Summarise reads the notes of a project.
func Summarise(root string) (s Summary, err error) {
	if !Present(root) {
		return s, nil
	}
	f, err := openFolder(root)
	if err != nil {
		return s, err
	}
	defer f.Close()
	list := func(name string) (lines []string, count int) {
		src, unread := f.read(name)
		if unread != nil {
			err = unread
		}
		all := items(src)
		lines = newestFirst(name, all)
		return lines[:min(len(lines), maxRecent)], len(all)
	}
	s.LastDecisions, s.Decisions = list(decisionsFile)
	s.LastFindings, s.Findings = list(findingsFile)
	if err != nil {
		return s, err
	}
	log, err := f.read(errorsFile)
	if err != nil {
		return s, err
	}
	s.Open, s.Failures = openErrors(log)
	b, err := f.peek()
	s.Sessions, s.ToolCalls = len(b.Sessions), b.ToolCalls
	return s, err
}

// openErrors returns the last record of each operation that does not work yet, newest first, and
// the number of all records.
func openErrors(log []byte) (open []string, failures int) {
	type record struct{ operation, line string }
	var records []record
	for line := range strings.Lines(string(log)) {
		line = strings.TrimRight(line, "\r\n")
		kind, rest := recordOf(line)
		if kind == "" {
			continue
		}
		operation, _, _ := strings.Cut(rest, ": ")
		records = slices.DeleteFunc(records, func(r record) bool { return r.operation == operation })
		if kind == "Attempt" {
			failures++
			records = append(records, record{operation, line})
		}
	}
	for _, r := range slices.Backward(lastOf(records, maxRecent)) {
		open = append(open, r.line)
	}
	return open, failures
}

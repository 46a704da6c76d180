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
	LastDecisions       []string // lastOf first
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

// openErrors returns the last record of each operation that does not work yet, and the number of
// all records.
func openErrors(log []byte) (open []string, failures int) {
	var operations []string
	forget := func(operation string) {
		for i := len(operations) - 1; i >= 0; i-- {
			if operations[i] == operation {
				operations, open = slices.Delete(operations, i, i+1), slices.Delete(open, i, i+1)
			}
		}
	}
	for line := range strings.Lines(string(log)) {
		line = strings.TrimRight(line, "\r\n")
		kind, rest := recordOf(line)
		operation, _, _ := strings.Cut(rest, ": ")
		switch kind {
		case "Attempt":
			failures++
			forget(operation)
			operations, open = append(operations, operation), append(open, line)
		case "Resolution":
			forget(operation)
		}
	}
	open = lastOf(open, maxRecent)
	slices.Reverse(open)
	return open, failures
}

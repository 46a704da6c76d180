package notes

import (
	"slices"
	"strings"

	"whence/internal/text"
)

// Show returns a note for a person: as it is written, with escapes for what a terminal
// would act on; "" if there is none. The kind is one of [Kinds].
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

// Summary is what the notes hold, in short.
type Summary struct {
	Decisions, Findings int      // how many there are
	LastDecisions       []string // lastOf first
	LastFindings        []string
	Open                []string // records of what has failed and not worked since, newest first
	Failures            int      // records in errors.log
	Sessions, ToolCalls int      // that were counted
}

// maxRecent is how many entries of a kind a summary has.
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

// openErrors are the last records of what has failed and not worked since, one for an
// operation, and how many records there are.
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

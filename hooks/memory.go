package hooks

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"whence/internal/finding"
	"whence/internal/harness"
	"whence/validate"
)

// findings are those of memory-validate in the worktree; none where there is no memory.
func (m *moment) findings() ([]finding.Finding, error) {
	found, err := validate.Run(m.tree.FS(), m.config)
	if errors.Is(err, validate.ErrNoMemory) {
		return nil, nil
	}
	return found, err
}

// checkMemory tells what is wrong with the memory after the agent has written to a file
// of it, and remembers it for Stop.
func (m *moment) checkMemory(ctx context.Context) (string, error) {
	paths := append([]string{m.Path}, m.More...)
	if !slices.ContainsFunc(paths, func(path string) bool { return m.ofMemory(m.fromRoot(path)) }) {
		return "", nil
	}
	found, err := m.findings()
	if err != nil {
		return "", err
	}
	err = m.change(ctx, nil, func(s *state) bool {
		changed := s.Broken != (len(found) > 0)
		s.Broken = len(found) > 0
		return changed
	})
	if len(found) == 0 {
		return "", err
	}
	return findingsText(harness.Findings, found), err
}

// ofMemory tells whether a path is that of the index or a decision file.
func (m *moment) ofMemory(path string) bool {
	if path == m.config.Index {
		return true
	}
	for _, glob := range m.config.Decisions {
		if is, err := doublestar.Match(glob, path); err == nil && is {
			return true
		}
	}
	return false
}

// shownFindings is how many findings are told.
const shownFindings = 10

// findingsText prints findings for an agent.
func findingsText(head string, found []finding.Finding) string {
	var out strings.Builder
	out.WriteString(head + "\n")
	for _, f := range found[:min(len(found), shownFindings)] {
		fmt.Fprintf(&out, "%s:%d: %s [%s]\n", finding.Printable(f.Path), f.Line, finding.Printable(f.Message), f.Rule)
	}
	if more := len(found) - shownFindings; more > 0 {
		fmt.Fprintf(&out, "and %d more\n", more)
	}
	out.WriteString(harness.FindingsEnd)
	return out.String()
}

package hooks

import (
	"context"
	"errors"
	"fmt"

	"whence/internal/agent"
	"whence/internal/finding"
	"whence/internal/knowledge"
)

// sessionStart tells what was learned, how to remember more, and what is wrong with the
// memory index. What was shown in the session may be shown again if it begins anew.
func sessionStart(ctx context.Context, m *moment) (agent.Reply, error) {
	var fault error
	if m.Source == "startup" || m.Source == "clear" {
		fault = errors.Join(clean(m.store, m.now), change(m.store, m.Session, m.now, func(s *state) bool {
			had := len(s.Shown) > 0
			s.Shown = nil
			return had
		}))
	}
	text := ""
	b, err := m.base()
	if err == nil {
		text, err = b.Begin(ctx, m.config, knowledge.Topic(m.root, m.env.Dir, m.env.Getenv))
	}
	health, unhealthy := m.health()
	return agent.Reply{Context: text + health}, errors.Join(fault, err, unhealthy)
}

// health tells what is wrong with the memory, in a line.
func (m *moment) health() (string, error) {
	found, err := m.findings()
	if err != nil || len(found) == 0 {
		return "", err
	}
	old := 0
	for _, f := range found {
		if f.Rule == "entry-syntax" || f.Rule == "legacy-section" {
			old++
		}
	}
	return fmt.Sprintf("\nMemory index: %s (memory-validate shows them%s).\n", counted(found), oldFormat(old)), nil
}

func counted(found []finding.Finding) string {
	if len(found) == 1 {
		return "1 finding"
	}
	return fmt.Sprintf("%d findings", len(found))
}

// oldFormat says what to do about an index in an old format.
func oldFormat(lines int) string {
	if lines == 0 {
		return ""
	}
	return "; lines in an old format: memory-migrate shows what they become"
}

package hooks

import (
	"context"
	"errors"
	"fmt"
	"os"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/knowledge"
)

// sessionStart tells what was learned, how to remember more, and what is wrong with the
// memory index. What was shown in the session may be shown again if it begins anew.
func sessionStart(ctx context.Context, m *moment) (agent.Reply, error) {
	var forgotten error
	if m.Source == "startup" || m.Source == "clear" {
		forgotten = errors.Join(m.forget(ctx), clean(ctx, m.store, m.now))
	}
	var text string
	var learned []string
	b, err := m.base()
	if err == nil {
		text, learned, err = b.Begin(ctx, m.config, func() string { return knowledge.Topic(m.root, m.env.Dir, m.env.Getenv) })
	}
	health, unhealthy := m.health()
	marked := m.note(ctx, learned)
	if errors.Is(marked, errLate) {
		return agent.Reply{}, marked
	}
	return agent.Reply{Context: text + health}, errors.Join(forgotten, err, unhealthy, marked)
}

// forget has the session forget what it was shown.
func (m *moment) forget(ctx context.Context) error {
	if _, err := os.Stat(stateFile(m.store, m.Session)); err != nil {
		return nil // nothing
	}
	return m.change(ctx, nil, func(s *state) bool {
		had := len(s.Shown) > 0
		s.Shown = nil
		return had
	})
}

// note writes down which learnings the session is shown.
func (m *moment) note(ctx context.Context, learned []string) error {
	if len(learned) == 0 {
		return nil
	}
	return m.change(ctx, m.take, func(s *state) bool {
		for _, id := range learned {
			s.add("", learningKey(id))
		}
		return true
	})
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
	return fmt.Sprintf("\nMemory index: %s (memory-validate shows them%s).\n", cli.Count(len(found), "finding", "findings"), oldFormat(old)), nil
}

// oldFormat says what to do about an index in an old format.
func oldFormat(lines int) string {
	if lines == 0 {
		return ""
	}
	return "; lines in an old format: memory-migrate shows what they become"
}

package hooks

import (
	"context"
	"errors"
	"fmt"
	"os"

	"whence/internal/agent"
	"whence/internal/finding"
	"whence/remember"
)

// sessionStart tells what was learned, how to remember more, and what is wrong with the
// memory index. What was shown in the session may be shown again if it begins anew.
func sessionStart(ctx context.Context, m *moment) (agent.Reply, error) {
	text, learned, err := remember.SessionStart(ctx, m.env, m.Event)
	health, unhealthy := m.health()
	fault := m.begin(ctx, learned)
	if errors.Is(fault, errLate) {
		return agent.Reply{}, fault
	}
	return agent.Reply{Context: text + health}, errors.Join(err, unhealthy, fault)
}

// begin writes down what a session is shown as it begins. If it begins anew, what it was
// shown before is forgotten, and so are sessions that ended long ago.
func (m *moment) begin(ctx context.Context, learned []string) error {
	anew := m.Source == "startup" || m.Source == "clear"
	var fault error
	if anew {
		fault = clean(ctx, m.store, m.now)
	}
	if _, err := os.Stat(stateFile(m.store, m.Session)); err != nil && len(learned) == 0 {
		return fault // nothing to forget
	}
	return errors.Join(fault, m.change(ctx, m.take, func(s *state) bool {
		had := len(s.Shown)
		if anew {
			s.Shown = nil
		}
		for _, id := range learned {
			s.add("", learningKey(id))
		}
		return had > 0 || len(s.Shown) > 0
	}))
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

package hooks

import (
	"context"
	"os"

	"whence/internal/agent"
	"whence/internal/harness"
)

// stop keeps an agent from stopping, once a session, while the memory has findings that
// came in this session.
func stop(ctx context.Context, m *moment) (agent.Reply, error) {
	if m.StopAgain {
		return agent.Reply{}, nil
	}
	if _, err := os.Stat(stateFile(m.store, m.Session)); err != nil {
		return agent.Reply{}, nil // nothing has happened in this session
	}
	tell := false
	err := m.change(ctx, nil, func(s *state) bool {
		tell = s.Broken && !s.Blocked
		return false
	})
	if err != nil || !tell {
		return agent.Reply{}, err
	}
	findings, err := m.findings()
	if err != nil || len(findings) == 0 {
		return agent.Reply{}, err
	}
	err = m.change(ctx, m.take, func(s *state) bool {
		tell = !s.Blocked // another process may have been faster
		s.Blocked = true
		return tell
	})
	if err != nil || !tell {
		return agent.Reply{}, err
	}
	return agent.Reply{Block: findingsText(harness.BrokenIndex, findings)}, nil
}

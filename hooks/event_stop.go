package hooks

import (
	"context"

	"whence/internal/agent"
)

// stop keeps an agent from stopping, once a session, while the memory has findings that
// came in this session.
func stop(_ context.Context, m *moment) (agent.Reply, error) {
	if m.StopAgain {
		return agent.Reply{}, nil
	}
	broken := false
	err := change(m.store, m.Session, m.now, func(s *state) bool {
		broken = s.Broken && !s.Blocked
		return false
	})
	if err != nil || !broken {
		return agent.Reply{}, err
	}
	findings, err := m.findings()
	if err != nil || len(findings) == 0 {
		return agent.Reply{}, err
	}
	err = change(m.store, m.Session, m.now, func(s *state) bool {
		broken = !s.Blocked // another process may have been faster
		s.Blocked = true
		return broken
	})
	if err != nil || !broken {
		return agent.Reply{}, err
	}
	return agent.Reply{Block: findingsText("The memory index was changed in this session and is not true any more.", findings)}, nil
}

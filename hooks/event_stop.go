package hooks

import (
	"context"

	"whence/internal/agent"
)

// broken is how the reason begins why an agent must not stop yet.
const broken = "The memory index was changed in this session and is not true any more."

// stop keeps an agent from stopping, once a session, while the memory has findings that
// came in this session.
func stop(_ context.Context, m *moment) (agent.Reply, error) {
	if m.StopAgain {
		return agent.Reply{}, nil
	}
	tell := false
	err := change(m.store, m.Session, m.now, func(s *state) bool {
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
	err = change(m.store, m.Session, m.now, func(s *state) bool {
		tell = !s.Blocked // another process may have been faster
		s.Blocked = true
		return tell
	})
	if err != nil || !tell {
		return agent.Reply{}, err
	}
	return agent.Reply{Block: findingsText(broken, findings)}, nil
}

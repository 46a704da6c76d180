package hooks

import (
	"context"

	"whence/internal/agent"
)

// postToolUseFailure recalls what was learned from the like of a failure.
func postToolUseFailure(ctx context.Context, m *moment) (agent.Reply, error) {
	text, err := m.recall(ctx, beginning(m.Command, longestCommand)+"\n"+beginning(m.Error, longestError), forFailure)
	return agent.Reply{Context: text}, err
}

// longestError is how many bytes of an error are looked at.
const longestError = 2000

package hooks

import (
	"context"
	"regexp"
	"strings"
	"sync"

	"whence/internal/agent"
)

// postToolUseFailure recalls what was learned from the like of a failure.
func postToolUseFailure(ctx context.Context, m *moment) (agent.Reply, error) {
	text, err := m.recall(ctx, beginning(m.Command, longestCommand)+"\n"+essence(m.Error), forFailure)
	return agent.Reply{Context: text}, err
}

// longestError is how many bytes of an error are looked at.
const longestError = 2000

// exitCode matches the line that an agent puts before what a command has printed.
var exitCode = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\A\s*Exit code \d+\s*(\n|\z)`) })

// essence is what an error says: its beginning, and its end, where long ones tell the cause.
func essence(failure string) string {
	failure = strings.TrimSpace(exitCode().ReplaceAllString(failure, ""))
	if len(failure) <= longestError {
		return failure
	}
	return beginning(failure, longestError/2) + "\n" + strings.ToValidUTF8(failure[len(failure)-longestError/2:], "")
}

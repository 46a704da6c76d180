package migrate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/dispatch"
	"whence/internal/index"
	"whence/internal/memory"
)

// Hooks returns the handlers of memory-migrate: when a session begins, they report an index in an old format.
func Hooks() dispatch.Handlers {
	return dispatch.Handlers{agent.SessionStart: {{Run: oldFormat}}}
}

// oldFormat reports the number of entries in old formats.
func oldFormat(_ context.Context, r *dispatch.Request) (dispatch.RenderFunc, error) {
	src, err := memory.ReadText(r.Memory(), r.Config.Index)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("memory index %w", err)
	}
	old := len(legacyEntries(index.Parse(src)))
	if old == 0 {
		return nil, nil
	}
	line := agent.HealthHead + cli.Count(old, "line", "lines") + agent.OldFormatEnd + "\n"
	return func(*dispatch.Session) agent.Reply { return agent.Reply{Context: line} }, nil
}

package hooks

import (
	"context"
	"path/filepath"
	"strings"

	"whence/internal/agent"
)

// postToolUse recalls what applies to a file that was read or a command that was run, and
// checks the memory after it was written to.
func postToolUse(ctx context.Context, m *moment) (agent.Reply, error) {
	switch m.Tool {
	case "Read":
		text, err := m.recall(ctx, beginning(m.fromRoot(m.Path), longestCommand), forAction)
		return agent.Reply{Context: text}, err
	case "Bash":
		text, err := m.recall(ctx, beginning(m.Command, longestCommand), forAction)
		return agent.Reply{Context: text}, err
	}
	text, err := m.checkMemory(ctx)
	return agent.Reply{Context: text}, err
}

// longestCommand is how many bytes of a command, or of a path, are looked at.
const longestCommand = 500

// fromRoot is a path as it is known in the repository, with slashes; outside of it, as it
// is.
func (m *moment) fromRoot(path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(m.Cwd, path)
	}
	for _, root := range []string{m.root, m.Cwd} {
		if rel, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel)
		}
	}
	return filepath.ToSlash(path)
}

// beginning is that of a text, with whole characters.
func beginning(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "")
}

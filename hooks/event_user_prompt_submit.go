package hooks

import (
	"context"
	"strings"

	"whence/internal/agent"
	"whence/internal/harness"
	"whence/internal/learning"
	"whence/when"
)

// userPromptSubmit recalls what applies to a prompt. A query for a decision that stands in
// it, as a line that begins with /when or /how, is answered in full.
func userPromptSubmit(ctx context.Context, m *moment) (agent.Reply, error) {
	if answer := m.asked(); answer != "" {
		return agent.Reply{Context: answer}, nil
	}
	text, err := m.recall(ctx, beginning(harness.Spoken(m.Prompt), longestPrompt), forPrompt)
	return agent.Reply{Context: text}, err
}

// longestPrompt is how many bytes of a prompt are looked up.
const longestPrompt = 16 << 10

// asked are the answers to the queries in a prompt.
func (m *moment) asked() string {
	var l *when.Library
	var answers []when.Answer
	for line := range strings.Lines(m.Prompt) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "/when ") && !strings.HasPrefix(line, "/how ") {
			continue
		}
		if l == nil {
			var err error
			if l, err = when.Open(m.tree.FS(), m.config); err != nil {
				return ""
			}
		}
		q, err := when.ParseQuery(line)
		if err != nil {
			continue
		}
		if a, err := l.Resolve(q); err == nil {
			answers = append(answers, a)
		}
	}
	if len(answers) == 0 {
		return ""
	}
	return learning.Clean(when.Text(answers)) + "\n"
}

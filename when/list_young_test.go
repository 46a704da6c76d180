package when_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
	"whence/internal/dispatch"
	"whence/internal/test/repotest"
	"whence/when"
)

// listed returns the lines of the list that a session begins with.
func listed(t *testing.T, tree fstest.MapFS) (lines []string) {
	t.Helper()
	m := moment(t, repository(t, tree), t.TempDir())
	m.Name = agent.SessionStart
	render, err := when.Sessions()[agent.SessionStart][0].Run(context.Background(), m)
	require.NoError(t, err)
	if render == nil {
		return nil
	}
	text := render(&dispatch.Session{}).Context
	require.True(t, strings.HasPrefix(text, agent.ListHead), text)
	return strings.Split(strings.TrimSpace(text), "\n")[1:]
}

// A memory of up to twelve decisions is listed, in the order of its index.
func TestAYoungMemoryIsListed(t *testing.T) {
	for n, want := range map[int]int{0: 0, 1: 1, dispatch.MaxListed: dispatch.MaxListed, dispatch.MaxListed + 1: 0} {
		lines := listed(t, repotest.Memory(1, n, "", "", func(n int) (line, section string) {
			return fmt.Sprintf("/when doing thing %d | Thing %d | words\n", n, n), fmt.Sprintf("## Thing %d\n\nText.\n", n)
		}))
		require.Len(t, lines, want, "%d decisions", n)
		for i, line := range lines {
			require.Regexp(t, fmt.Sprintf(`^- /when doing thing %d  \(Thing %d\)$`, i, i), line)
		}
	}
	require.Empty(t, listed(t, fstest.MapFS{"README.md": {Data: []byte("no memory")}}))
}

// The list has what pointers may name: proposed decisions, and successors in place of superseded ones.
func TestAListNamesWhatHolds(t *testing.T) {
	require.Equal(t, []string{
		"- /when 2 queue tasks in redis  (2. Queue tasks in redis)",
		"- /when 4 mail by sendmail  (proposed: 4. Mail by sendmail)",
	}, listed(t, records(map[string]string{
		"adr/0001-poll.md":  "# 1. Poll the table of tasks\n\n## Status\n\nSuperseded by [2](0002-queue.md)\n\nWorkers poll in a loop.\n",
		"adr/0002-queue.md": "# 2. Queue tasks in redis\n\n## Status\n\nAccepted\n\nWorkers wait for the tasks of a stream.\n",
		"adr/0003-mail.md":  "# 3. Mail through the gateway\n\n* Status: rejected\n\nMail is sent through the gateway.\n",
		"adr/0004-mail.md":  "# 4. Mail by sendmail\n\n* Status: proposed\n\nMail is sent by sendmail.\n",
	})))
}

package e2e

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/store"
	"whence/internal/test/repotest"
)

// compared are events with what an agent says.
func compared(transcript string) []struct {
	name   string
	fields map[string]any
} {
	return []struct {
		name   string
		fields map[string]any
	}{
		{"SessionStart", map[string]any{"source": "startup"}},
		{"UserPromptSubmit", map[string]any{"prompt": aboutTugboat}},
		{"PostToolUseFailure", map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": "make tugboat"}, "error": "Exit code 1\nthe tugboat needs a pilot: four metres of swell"}},
		{"Stop", map[string]any{"transcript_path": transcript}},
	}
}

// An event of an agent opens no connection, and is answered, whatever there is of a team's store:
// none, one that is up, one that hangs, one that is down.
func TestEventsWithAndWithoutATeamsServer(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the programs")
	}
	o := newOffice(t)
	bin := hooksAlone(t)
	all := map[string]*colleague{"none": o.stranger(bin)}
	texts := []string{tugboat}
	talk := repotest.NewTalk()
	for range 60 {
		texts = append(texts, "the pilot of "+talk.Words(9))
	}
	for _, state := range []string{"up", "hangs", "down"} {
		c := o.colleague("ann", state, "member", bin)
		all[state] = c
		fill(t, c.server(), teamProject, texts)
		c.told("SessionStart", "first", nil)
		c.remembers("capture") // as the worker would
	}
	none := all["none"]
	s, err := store.Open(t.Context(), filepath.Join(none.dir, "home", "whence"))
	require.NoError(t, err)
	project, err := filepath.EvalSymlinks(filepath.Join(none.dir, "clone", ".git"))
	require.NoError(t, err)
	fill(t, s, project, texts)
	require.NoError(t, s.Close())

	all["hangs"].network.Hang()
	all["down"].network.Cut()
	before := map[string]int{}
	states := []string{"none", "up", "hangs", "down"}
	for _, state := range states[1:] {
		before[state] = all[state].network.Taken()
	}
	for run := range 2 {
		for _, state := range states {
			c := all[state]
			c.write("t.jsonl", turnLine("s", fmt.Sprint("u", run), "moor the ferry at pier seven from now on", time.Now()))
			if state != "none" {
				c.aMinuteLater()
			}
			for _, e := range compared(filepath.Join(c.dir, "t.jsonl")) {
				s, err := c.tell(e.name, fmt.Sprint(e.name, run), e.fields) // an item is not injected twice
				require.NoError(t, err)
				require.Equal(t, e.name != "Stop", s.Stdout != "", "%s, %s", e.name, state)
			}
		}
	}
	for state, n := range before {
		require.Equal(t, n, all[state].network.Taken(), "an event has asked the server that %s", state)
		log, err := os.ReadFile(filepath.Join(all[state].dir, "home", "whence", "hooks.log"))
		require.ErrorIs(t, err, fs.ErrNotExist, "%s", log)
	}
}

func fill(t *testing.T, s *store.Store, project string, texts []string) {
	t.Helper()
	var some []learning.Learning
	for i, text := range texts {
		some = append(some, learning.Learning{
			Name: fmt.Sprint("thing ", i), Description: text, Category: learning.Heuristics, Confidence: learning.Medium, Source: learning.Manual, Project: project,
		})
	}
	n, err := s.Import(context.Background(), some, time.Now())
	require.NoError(t, err)
	require.Equal(t, len(texts), n.Added)
}

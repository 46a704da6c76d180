package when_test

import (
	"context"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
	"whence/internal/dispatch"
	"whence/internal/test/repotest"
	"whence/when"
)

// What an agent has looked up with memory-when counts as shown, however it has typed it; nothing else does.
func TestWhatIsLookedUpIsShown(t *testing.T) {
	dir := repository(t, fstest.MapFS(repotest.Tree(map[string]string{
		"agents/memory-index.md": "# Memory Index\n\n## agents/decisions/a.md\n\n" +
			"/when naming a table | Tables | words\n/when storing a user's times | Times | words\n/how to mock | Mocks | words\n",
		"agents/decisions/a.md": "# A\n\n## Tables\n\nText.\n\n## Times\n\nText.\n\n## Mocks\n\nText.\n",
	})))
	for command, want := range map[string][]string{
		`memory-when 'naming a table'`:                                 {"Tables"},
		`memory-when naming a table`:                                   {"Tables"},
		`memory-when '/when Naming a table' 'to mock' 2>&1`:            {"Tables", "Mocks"},
		`/opt/bin/memory-when --quiet 'storing a user’s times'`:        {"Times"},
		"cd x && memory-when - <<'E'\n- /when naming a table\nmock\nE": {"Tables"},
		`memory-when '§ .Mocks' | head`:                                {"Mocks"},
		`memory-when 'naming the table'`:                               nil,
		`memory-when recall 'naming a table'`:                          nil,
		`memory-when check 'naming a table'`:                           nil,
		`memory-when`:                                                  nil,
		`memory-when 'naming a table`:                                  nil,
		`grep memory-when 'naming a table'`:                            nil,
		`echo 'naming a table'`:                                        nil,
	} {
		m := moment(t, dir, t.TempDir())
		m.Event = agent.Event{Name: agent.PostToolUse, Tool: "Bash", Command: command, Subagent: "a"}
		h := when.Sessions()[agent.PostToolUse][0]
		var render dispatch.RenderFunc
		if h.Wants(m.Event) {
			var err error
			render, err = h.Run(context.Background(), m)
			require.NoError(t, err)
		}
		require.Equal(t, want != nil, render != nil, command)
		if render == nil {
			continue
		}
		s := &dispatch.Session{}
		require.Zero(t, render(s))
		for _, title := range want {
			require.True(t, s.WasShown("a", "decision agents/decisions/a.md "+title), "%s: %s", command, title)
		}
		require.Len(t, s.Shown, len(want), command)
	}
}

package dispatch_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/dispatch"
	"whence/internal/test/repotest"
)

// giving is a handler that puts items before an agent, and a notice before the person.
func giving(notice string, kinds ...dispatch.Kind) dispatch.Handler {
	return dispatch.Handler{Run: func(context.Context, *dispatch.Request) (dispatch.RenderFunc, error) {
		return func(s *dispatch.Session) agent.Reply {
			for _, kind := range kinds {
				s.Give(dispatch.Item{Kind: kind, Query: "/when x"})
			}
			return agent.Reply{Context: strings.Repeat("x", len(kinds)), Notice: notice}
		}, nil
	}}
}

// noticed returns what the person sees of the reply to an event.
func noticed(t *testing.T, client agent.Client, home, session string, handlers ...dispatch.Handler) string {
	t.Helper()
	var out bytes.Buffer
	name := client.NativeEvent(agent.UserPromptSubmit)
	require.NoError(t, dispatch.Run(cli.Env{
		Args: []string{"memory-x", name}, Dir: t.TempDir(), Stdin: strings.NewReader(`{"session_id":"` + session + `"}`), Stdout: &out, Stderr: io.Discard, Deadline: time.Hour,
		Getenv: func(variable string) string { return map[string]string{"WHENCE_HOME": home}[variable] },
	}, client, name, dispatch.Handlers{agent.UserPromptSubmit: handlers}))
	var reply struct {
		Notice string `json:"systemMessage"`
	}
	if out.Len() > 0 {
		require.NoError(t, json.Unmarshal(out.Bytes(), &reply))
	}
	return reply.Notice
}

// The person sees one line the first time that something is given in a session, if the agent shows it to them.
func TestNotice(t *testing.T) {
	t.Setenv("PATH", "")
	const decision, past, learning = dispatch.Decision, dispatch.PastSession, dispatch.Learning
	for _, client := range agent.Clients {
		home, nr := t.TempDir(), 0
		repotest.ClaimHome(t, home)
		for _, c := range []struct {
			want     string
			handlers []dispatch.Handler
		}{
			{"1 decision was shown to the agent (memory-hooks last shows it)", []dispatch.Handler{giving("", decision)}},
			{"2 decisions and 1 past session were shown to the agent (memory-hooks last shows them)", []dispatch.Handler{giving("", decision, past, decision)}},
			{"1 decision, 1 past session and 2 learnings were shown to the agent (memory-hooks last shows them)", []dispatch.Handler{giving("", learning), giving("", decision, past, learning)}},
		} {
			nr++
			session := strings.Repeat("s", nr)
			want := "whence: " + c.want
			if !client.ShowsNotices() {
				want = ""
			}
			require.Empty(t, noticed(t, client, home, session, giving("")), "nothing was shown")
			require.Equal(t, want, noticed(t, client, home, session, c.handlers...), client)
			require.Empty(t, noticed(t, client, home, session, c.handlers...), "it was said")
		}
	}
	home := t.TempDir()
	repotest.ClaimHome(t, home)
	require.Equal(t, "whence: first; 1 decision was shown to the agent (memory-hooks last shows it)", noticed(t, agent.Claude, home, "s", giving("whence: first"), giving("", decision)))
	require.Empty(t, noticed(t, agent.Claude, home, "", giving("", decision)), "it would be said each time")
	require.Empty(t, noticed(t, agent.Claude, t.TempDir(), "s", giving("", decision)), "the same")
}

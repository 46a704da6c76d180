package dispatch_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/dispatch"
	"whence/internal/test/repotest"
)

// What is left for later is done when the reply is out, and a fault of it is a line in the
// log.
func TestLaterIsBehindTheReply(t *testing.T) {
	home, dir := repotest.Home(t), t.TempDir()
	var out bytes.Buffer
	env := cli.Env{
		Dir: dir, Stdin: strings.NewReader(`{"prompt":"a prompt","session_id":"s"}`), Stdout: &out,
		Getenv: func(name string) string {
			return map[string]string{"WHENCE_HOME": home, "WHENCE_HOOK_DEADLINE": "1m"}[name]
		},
	}
	var done []string
	answer := func(_ context.Context, r *dispatch.Request) (dispatch.RenderFunc, error) {
		r.Later(func(ctx context.Context) {
			_, bounded := ctx.Deadline()
			require.True(t, bounded)
			require.Contains(t, out.String(), "told")
			done = append(done, "first")
		})
		r.Later(func(context.Context) { panic("the second") })
		return func(*dispatch.Session) agent.Reply { return agent.Reply{Context: "told"} }, nil
	}
	require.NoError(t, dispatch.Run(env, agent.Claude, agent.UserPromptSubmit, dispatch.Handlers{agent.UserPromptSubmit: {{Run: answer}}}))
	require.Equal(t, []string{"first"}, done)
	log, err := os.ReadFile(filepath.Join(home, dispatch.FaultLogName))
	require.NoError(t, err)
	require.Contains(t, string(log), "a fault in the program: the second")
}

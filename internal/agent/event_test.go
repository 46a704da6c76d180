package agent_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
)

func TestRead(t *testing.T) {
	e, err := agent.Read(strings.NewReader(`{"hook_event_name":"SessionStart","session_id":"s","cwd":"/a","source":"startup","model":"x"}`))
	require.NoError(t, err)
	require.Equal(t, agent.Event{Name: "SessionStart", Session: "s", Cwd: "/a", Source: "startup"}, e)
	for _, bad := range []string{"", "null?", "[1]", `{"session_id":`} {
		_, err := agent.Read(strings.NewReader(bad))
		require.Error(t, err, bad)
	}
}

// Whatever the text holds, the reply is one valid JSON object that an agent takes whole.
func FuzzWriteContext(f *testing.F) {
	f.Add("a \x01 \\ \" \t\n<b> &\u2028")
	f.Add(strings.Repeat("line\n", 3000))
	f.Add(strings.Repeat("é", 10001))
	f.Add("\xff\xfe")
	f.Fuzz(func(t *testing.T, text string) {
		var out strings.Builder
		require.NoError(t, agent.WriteContext(&out, "SessionStart", text))
		if text == "" {
			require.Empty(t, out.String())
			return
		}
		var reply struct {
			Output struct {
				Event   string `json:"hookEventName"`
				Context string `json:"additionalContext"`
			} `json:"hookSpecificOutput"`
		}
		require.NoError(t, json.Unmarshal([]byte(out.String()), &reply))
		require.Equal(t, "SessionStart", reply.Output.Event)
		require.LessOrEqual(t, utf8.RuneCountInString(reply.Output.Context), agent.LongestContext)
		require.True(t, strings.HasPrefix(strings.ToValidUTF8(text, "\uFFFD"), reply.Output.Context))
	})
}

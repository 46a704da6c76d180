package transcript_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent/transcript"
)

// VS Code's agent mode writes the arguments of tools as strings, and no results. This transcript follows the source of
// version 1.139.1. It was not recorded from a client.
func TestTranscriptOfVSCode(t *testing.T) {
	use := func(tool, arguments string) string {
		text, err := json.Marshal(arguments)
		require.NoError(t, err)
		return `{"type":"assistant.message","data":{"messageId":"m","content":"","toolRequests":[{"toolCallId":"c","name":"` + tool + `","arguments":` + string(text) + `,"type":"function"}]},"id":"i","timestamp":"2026-11-28T10:00:01.000Z","parentId":null}`
	}
	src := strings.Join([]string{
		`{"type":"session.start","data":{"sessionId":"s1","version":1,"producer":"copilot-agent","startTime":"2026-11-28T10:00:00.000Z"},"id":"a","timestamp":"2026-11-28T10:00:00.000Z","parentId":null}`,
		`{"type":"user.message","data":{"content":"fix it","attachments":[]},"id":"b","timestamp":"2026-11-28T10:00:00.000Z","parentId":"a"}`,
		use("run_in_terminal", `{"command":"go test ./..."}`),
		`{"type":"tool.execution_complete","data":{"toolCallId":"c","success":false},"id":"d","timestamp":"2026-11-28T10:00:02.000Z","parentId":"i"}`,
		use("create_file", `{"filePath":"/a","content":"x"}`),
		use("multi_replace_string_in_file", `{"replacements":[{"filePath":"/a","newString":"x"},{"filePath":"/b","newString":"y"}]}`),
		use("apply_patch", `{"input":"*** Begin Patch\n*** Update File: /a\n@@\n-x\n+y\n*** End Patch"}`),
		use("insert_edit_into_file", `{"filePath":"/a","code":"z"}`),
	}, "\n") + "\n"
	records, _, _ := reading(t, []byte(src), transcript.Cursor{})
	require.Len(t, records, 7)
	require.Equal(t, "s1", records[0].Session)
	require.Equal(t, "fix it", records[0].Blocks[0].Text)
	require.True(t, records[2].Blocks[0].Error)
	records = append(records[1:2], records[3:]...)
	for i, want := range []transcript.Block{
		{Name: "Bash", Input: transcript.Input{Command: "go test ./..."}},
		{Name: "Write", Input: transcript.Input{Path: "/a", Written: "x"}},
		{Name: "Edit", Input: transcript.Input{Path: "/a", Written: "x\ny\n"}},
		{Name: "Edit", Input: transcript.Input{Path: "/a", Written: "y\n"}},
		{Name: "Edit", Input: transcript.Input{Path: "/a", Written: "z"}},
	} {
		want.Kind, want.Tool = transcript.Use, "c"
		require.Equal(t, []transcript.Block{want}, records[i].Blocks)
	}
}

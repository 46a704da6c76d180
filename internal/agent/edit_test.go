package agent_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
)

func TestEdits(t *testing.T) {
	for _, c := range []struct {
		client agent.Client
		json   string
		want   []agent.Edit
	}{
		{agent.Claude, `{"tool_name":"Edit","tool_input":{"file_path":"/a","old_string":"x","new_string":"y"}}`, []agent.Edit{{Path: "/a", Old: "x", New: "y"}}},
		{agent.Claude, `{"tool_name":"MultiEdit","tool_input":{"file_path":"/a","edits":[{"old_string":"x","new_string":"y"},{"old_string":"v","new_string":"w"}]}}`, []agent.Edit{{Path: "/a", Old: "x\nv\n", New: "y\nw\n"}}},
		{agent.Claude, `{"tool_name":"Write","tool_input":{"file_path":"/a","content":"x"},"tool_response":{"type":"create"}}`, []agent.Edit{{Path: "/a", New: "x", Created: true}}},
		{agent.Claude, `{"tool_name":"Write","tool_input":{"file_path":"/a","content":"x"},"tool_response":{"type":"update"}}`, []agent.Edit{{Path: "/a", New: "x"}}},
		{agent.Claude, `{"tool_name":"Write","tool_input":{"file_path":"/a","content":7},"tool_response":"create"}`, []agent.Edit{{Path: "/a"}}},
		{agent.Claude, `{"tool_name":"Read","tool_input":{"file_path":"/a"}}`, nil},
		{agent.Claude, `{"tool_name":"Write","tool_input":{}}`, nil},
		{agent.Gemini, `{"tool_name":"write_file","tool_input":{"file_path":"/a","content":"x"},"tool_response":{"llmContent":"Successfully created and wrote to new file: /a."}}`, []agent.Edit{{Path: "/a", New: "x", Created: true}}},
		{agent.Copilot, `{"tool_name":"create","tool_input":{"path":"/a","file_text":"x"}}`, []agent.Edit{{Path: "/a", New: "x", Created: true}}},
		{agent.Copilot, `{"tool_name":"edit","tool_input":{"path":"/a","old_str":"x","new_str":"y"}}`, []agent.Edit{{Path: "/a", Old: "x", New: "y"}}},
		{agent.Copilot, `{"tool_name":"Write","tool_input":{"file_text":"x","path":"/a"},"tool_result":{"result_type":"success","text_result_for_llm":"Created file /a with 1 characters"}}`, []agent.Edit{{Path: "/a", New: "x", Created: true}}},
		{agent.Copilot, `{"tool_name":"Edit","tool_input":"*** Begin Patch\n*** Add File: n.txt\n+x\n*** End Patch"}`, []agent.Edit{{Path: "n.txt", New: "x\n", Created: true}}},
		// VS Code.
		{agent.Copilot, `{"tool_name":"create_file","tool_input":{"filePath":"/a","content":"x"},"tool_response":""}`, []agent.Edit{{Path: "/a", New: "x", Created: true}}},
		{agent.Copilot, `{"tool_name":"replace_string_in_file","tool_input":{"filePath":"/a","oldString":"x","newString":"y"},"tool_response":"ok"}`, []agent.Edit{{Path: "/a", Old: "x", New: "y"}}},
		{agent.Copilot, `{"tool_name":"insert_edit_into_file","tool_input":{"explanation":"e","filePath":"/a","code":"y"},"tool_response":"ok"}`, []agent.Edit{{Path: "/a", New: "y"}}},
		{agent.Copilot, `{"tool_name":"multi_replace_string_in_file","tool_input":{"explanation":"e","replacements":[{"filePath":"/a","oldString":"x","newString":"y"},{"filePath":"/b","oldString":"v","newString":"w"}]},"tool_response":"ok"}`,
			[]agent.Edit{{Path: "/a", Old: "x", New: "y"}, {Path: "/b", Old: "v", New: "w"}}},
		{agent.Copilot, `{"tool_name":"apply_patch","tool_input":{"explanation":"e","input":"*** Begin Patch\n*** Update File: /a\n@@\n-x\n+y\n*** End Patch"},"tool_response":"ok"}`, []agent.Edit{{Path: "/a", Old: "x\n", New: "y\n"}}},
		{agent.OpenCode, `{"tool_name":"write","tool_input":{"filePath":"/a","content":"x"},"tool_response":{"metadata":{"exists":false}}}`, []agent.Edit{{Path: "/a", New: "x", Created: true}}},
		{agent.OpenCode, `{"tool_name":"write","tool_input":{"filePath":"/a","content":"x"},"tool_response":{"metadata":{"exists":true}}}`, []agent.Edit{{Path: "/a", New: "x"}}},
		{agent.OpenCode, `{"tool_name":"edit","tool_input":{"filePath":"/a","oldString":"x","newString":"y"}}`, []agent.Edit{{Path: "/a", Old: "x", New: "y"}}},
		{agent.OpenCode, `{"tool_name":"apply_patch","tool_input":{"patchText":"*** Begin Patch\n*** Delete File: a.md\n*** End Patch"}}`, []agent.Edit{{Path: "a.md", Deleted: true}}},
		{agent.Codex, `{"tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch\n*** Delete File: a.md\n*** Update File: b.md\n@@\n-x\n+y\n z\n*** End Patch"}}`,
			[]agent.Edit{{Path: "a.md", Deleted: true}, {Path: "b.md", Old: "x\n", New: "y\n"}}},
	} {
		got, err := agent.Read(strings.NewReader(c.json), c.client, agent.PostToolUse)
		require.NoError(t, err)
		require.Equal(t, c.want, got.Edits, c.json)
	}
}

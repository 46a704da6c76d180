package agent_test

import (
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
	"whence/internal/inert"
)

func TestRead(t *testing.T) {
	for _, c := range []struct {
		client agent.Client
		json   string
		want   agent.Event
	}{
		{agent.Claude, `{"hook_event_name":"SessionStart","session_id":"s","cwd":"/a","source":"startup","model":"x"}`,
			agent.Event{Name: "SessionStart", Session: "s", Cwd: "/a", Source: "startup"}},
		{agent.Claude, `{"hook_event_name":"UserPromptSubmit","session_id":"s","prompt":"a\nb"}`,
			agent.Event{Name: "UserPromptSubmit", Session: "s", Prompt: "a\nb"}},
		{agent.Claude, `{"hook_event_name":"PostToolUse","session_id":"s","agent_id":"a1","tool_name":"Bash","tool_input":{"command":"ls -l"},"tool_response":{"stdout":"x","stderr":"","interrupted":false}}`,
			agent.Event{Name: "PostToolUse", Session: "s", Subagent: "a1", Tool: "Bash", Command: "ls -l", Output: "x"}},
		{agent.Claude, `{"hook_event_name":"PostToolUse","session_id":"s","tool_name":"Bash","tool_input":{"command":"make"},"tool_response":{"stdout":"built","stderr":"warning: old"}}`,
			agent.Event{Name: "PostToolUse", Session: "s", Tool: "Bash", Command: "make", Output: "built\nwarning: old"}},
		{agent.Claude, `{"hook_event_name":"PostToolUse","session_id":"s","tool_name":"Bash","tool_input":{"command":"make"},"tool_response":{"stdout":"","stderr":"warning: old"}}`,
			agent.Event{Name: "PostToolUse", Session: "s", Tool: "Bash", Command: "make", Output: "warning: old"}},
		{agent.Claude, `{"hook_event_name":"PostToolUse","session_id":"s","tool_name":"Write","tool_input":{"file_path":"a"},"tool_response":{"stdout":"x"}}`,
			agent.Event{Name: "PostToolUse", Session: "s", Tool: "Write", Path: "a", Edits: []agent.Edit{{Path: "a"}}}},
		{agent.Claude, `{"hook_event_name":"PostToolUseFailure","session_id":"s","tool_name":"Bash","tool_input":{"command":"x"},"error":"Exit code 1","is_interrupt":true,"duration_ms":1.5}`,
			agent.Event{Name: "PostToolUseFailure", Session: "s", Tool: "Bash", Command: "x", Error: "Exit code 1", Interrupt: true, Duration: 1500 * time.Microsecond}},
		{agent.Claude, `{"hook_event_name":"PostToolUse","session_id":"s","tool_name":"Bash","tool_input":{"command":"x"},"duration_ms":-1}`, agent.Event{Name: "PostToolUse", Session: "s", Tool: "Bash", Command: "x"}},
		{agent.Claude, `{"hook_event_name":"PostToolUse","session_id":"s","tool_name":"Bash","tool_input":{"command":"x"},"duration_ms":1e300}`, agent.Event{Name: "PostToolUse", Session: "s", Tool: "Bash", Command: "x"}},
		{agent.Claude, `{"hook_event_name":"Stop","session_id":"s","stop_hook_active":true,"cwd":7}`,
			agent.Event{Name: "Stop", Session: "s", StopAgain: true}},
		{agent.Claude, `{"hook_event_name":"PostToolUse","session_id":"s","tool_name":"Read","tool_input":{"file_path":"/a/b.go"},"tool_response":{"type":"text","file":{"filePath":"/a/b.go","content":"package b\n"}}}`,
			agent.Event{Name: "PostToolUse", Session: "s", Tool: "Read", Path: "/a/b.go", Content: "package b\n"}},
		{agent.Claude, `{"hook_event_name":"PostToolUse","session_id":"s","tool_name":"Read","tool_input":{"file_path":"/a/b.png"},"tool_response":"an image"}`,
			agent.Event{Name: "PostToolUse", Session: "s", Tool: "Read", Path: "/a/b.png"}},
		{agent.Gemini, `{"hook_event_name":"AfterTool","session_id":"s","tool_name":"read_file","tool_input":{"absolute_path":"/a/b.go"},"tool_response":{"llmContent":"package b\n"}}`,
			agent.Event{Name: "PostToolUse", Session: "s", Tool: "Read", Path: "/a/b.go", Content: "package b\n"}},
		{agent.Gemini, `{"hook_event_name":"AfterTool","session_id":"s","tool_name":"read_file","tool_input":{"absolute_path":"/a/b.go"}}`,
			agent.Event{Name: "PostToolUse", Session: "s", Tool: "Read", Path: "/a/b.go"}},
		{agent.Copilot, `{"hook_event_name":"PostToolUse","session_id":"s","tool_name":"bash","tool_input":{"command":"make"},"tool_result":{"result_type":"failure","text_result_for_llm":"no rule"}}`,
			agent.Event{Name: "PostToolUseFailure", AsUse: true, Session: "s", Tool: "Bash", Command: "make", Error: "no rule"}},
		{agent.Copilot, `{"hook_event_name":"PostToolUse","session_id":"s","tool_name":"Bash","tool_input":{"command":"make"},"tool_result":{"result_type":"success","text_result_for_llm":"no rule\n<shellId: 1 completed with exit code 2>"}}`,
			agent.Event{Name: "PostToolUseFailure", AsUse: true, Session: "s", Tool: "Bash", Command: "make", Error: "no rule\n<shellId: 1 completed with exit code 2>"}},
		{agent.Copilot, `{"hook_event_name":"PostToolUse","session_id":"s","tool_name":"Bash","tool_input":{"command":"make"},"tool_result":{"result_type":"success","text_result_for_llm":"a < b\n<shellId: 1 completed with exit code 0>"}}`,
			agent.Event{Name: "PostToolUse", Session: "s", Tool: "Bash", Command: "make", Output: "a < b"}},
		{agent.Copilot, `{"hook_event_name":"PostToolUse","session_id":"s","tool_name":"Bash","tool_input":{"command":"make"},"tool_result":{"result_type":"success","text_result_for_llm":"<shellId: 1 completed with exit code 0>"}}`,
			agent.Event{Name: "PostToolUse", Session: "s", Tool: "Bash", Command: "make"}},
		{agent.Codex, `{"hook_event_name":"PostToolUse","session_id":"s","tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch\n*** Update File: a/b.md\n*** Move to: a/c d.md\n@@\n-*** x\n+y\n*** Add File: e.md\r\n+z\n*** End Patch"}}`,
			agent.Event{Name: "PostToolUse", Session: "s", Tool: "Edit", Path: "a/b.md", Edits: []agent.Edit{
				{Path: "a/b.md", Deleted: true}, {Path: "a/c d.md", Old: "*** x\n", New: "y\n", Created: true}, {Path: "e.md", New: "z\n", Created: true}}}},
		{agent.Gemini, `{"hook_event_name":"AfterTool","session_id":"s","tool_name":"run_shell_command","tool_input":{"command":"make"},"tool_response":{"llmContent":"Output: no rule\nExit Code: 2\nProcess Group PGID: 1"}}`,
			agent.Event{Name: "PostToolUseFailure", AsUse: true, Session: "s", Tool: "Bash", Command: "make", Error: "Output: no rule\nExit Code: 2\nProcess Group PGID: 1"}},
		{agent.Gemini, `{"hook_event_name":"AfterTool","session_id":"s","tool_name":"run_shell_command","tool_input":{"command":"make"},"tool_response":{"llmContent":["Exit Code: 2"]}}`,
			agent.Event{Name: "PostToolUse", Session: "s", Tool: "Bash", Command: "make"}},
		{agent.Gemini, `{"hook_event_name":"AfterTool","session_id":"s","tool_name":"run_shell_command","tool_input":{"command":"make"},"tool_response":{"llmContent":"<untrusted_context>\nOutput: hi\nthere\nBackground PIDs: 7, 8\nProcess Group PGID: 5120\n</untrusted_context>","returnDisplay":"hi"}}`,
			agent.Event{Name: "PostToolUse", Session: "s", Tool: "Bash", Command: "make", Output: "hi\nthere"}},
		{agent.Gemini, `{"hook_event_name":"AfterTool","session_id":"s","tool_name":"run_shell_command","tool_input":{"command":"make"},"tool_response":{"llmContent":"Output: (empty)\nProcess Group PGID: 5120"}}`,
			agent.Event{Name: "PostToolUse", Session: "s", Tool: "Bash", Command: "make"}},
		{agent.OpenCode, `{"hook_event_name":"PostToolUse","session_id":"s","tool_name":"bash","tool_input":{"command":"make"},"tool_response":{"output":"no rule","metadata":{"output":"no rule","exit":2}}}`,
			agent.Event{Name: "PostToolUseFailure", AsUse: true, Session: "s", Tool: "Bash", Command: "make", Error: "Exit code 2\nno rule"}},
		{agent.OpenCode, `{"hook_event_name":"PostToolUse","session_id":"s","tool_name":"bash","tool_input":{"command":"make"},"tool_response":{"output":"a < b","metadata":{"output":"a < b","exit":0}}}`,
			agent.Event{Name: "PostToolUse", Session: "s", Tool: "Bash", Command: "make", Output: "a < b"}},
		{agent.OpenCode, `{"hook_event_name":"PostToolUse","session_id":"s","tool_name":"read","tool_input":{"filePath":"/a"},"tool_response":{"output":"<file>\n1: x","metadata":{"display":{"text":"x"}}}}`,
			agent.Event{Name: "PostToolUse", Session: "s", Tool: "Read", Path: "/a", Content: "x"}},
		{agent.Copilot, `{"hook_event_name":"SessionStart","session_id":"s","source":"new","initial_prompt":"x"}`,
			agent.Event{Name: "SessionStart", Session: "s", Source: "startup"}},
		{agent.Codex, `{"session_id":"s","tool_name":"Bash","tool_input":{"command":"make"},"turn_id":"1","tool_response":"hi\n"}`,
			agent.Event{Name: "PostToolUse", Session: "s", Tool: "Bash", Command: "make", Output: "hi\n"}},
		{agent.Codex, `{"session_id":"s","tool_name":"Bash","tool_input":{"command":"make"},"turn_id":"1","tool_response":["hi"]}`,
			agent.Event{Name: "PostToolUse", Session: "s", Tool: "Bash", Command: "make"}},
		{agent.Cursor, `{"hook_event_name":"sessionStart","session_id":"c1","is_background_agent":false,"workspace_roots":["/w"],"transcript_path":null}`,
			agent.Event{Name: "SessionStart", Session: "c1", Cwd: "/w", Source: "startup"}},
		{agent.Cursor, `{"hook_event_name":"beforeSubmitPrompt","session_id":"c1","prompt":"fix it","attachments":[],"workspace_roots":["/w"]}`,
			agent.Event{Name: "UserPromptSubmit", Session: "c1", Cwd: "/w", Prompt: "fix it"}},
		{agent.Cursor, `{"hook_event_name":"postToolUse","session_id":"c1","conversation_id":"c1","workspace_roots":["/w"],"cwd":"/w/a","tool_name":"Shell","tool_input":{"command":"go version","cwd":"/w","timeout":30000},"tool_output":"{\"output\":\"go1.27\\n\",\"exitCode\":0}","duration":12.5,"tool_use_id":"t1","transcript_path":"/h/.cursor/projects/w/agent-transcripts/c1/c1.jsonl"}`,
			agent.Event{Name: "PostToolUse", Session: "c1", Cwd: "/w/a", Tool: "Bash", Call: "t1", Command: "go version", Output: "go1.27", Duration: 12500 * time.Microsecond}},
		{agent.Cursor, `{"session_id":"c1","tool_name":"Shell","tool_input":{"command":"make"},"tool_output":"{\"output\":\"no rule\",\"exitCode\":2}"}`,
			agent.Event{Name: "PostToolUseFailure", Session: "c1", Tool: "Bash", Command: "make", Error: "Exit code 2\nno rule", AsUse: true}},
		{agent.Cursor, `{"session_id":"c1","tool_name":"Shell","tool_input":{"command":"make"},"tool_output":"cut off {"}`,
			agent.Event{Name: "PostToolUse", Session: "c1", Tool: "Bash", Command: "make"}},
		{agent.Cursor, `{"session_id":"c1","tool_name":"Read","tool_input":{"file_path":"/w/a.go"},"tool_output":"{\"file_path\":\"/w/a.go\",\"content_length\":7}"}`,
			agent.Event{Name: "PostToolUse", Session: "c1", Tool: "Read", Path: "/w/a.go"}},
		{agent.Cursor, `{"session_id":"c1","tool_name":"Write","tool_input":{"file_path":"/w/a.go","content":"x"},"tool_output":"{\"file_path\":\"/w/a.go\",\"success\":true}"}`,
			agent.Event{Name: "PostToolUse", Session: "c1", Tool: "Write", Path: "/w/a.go", Edits: []agent.Edit{{Path: "/w/a.go", New: "x"}}}},
		{agent.Cursor, `{"hook_event_name":"postToolUseFailure","session_id":"c1","workspace_roots":["/w"],"cwd":"/w","tool_name":"Shell","tool_input":{"command":"go build ./..."},"error_message":"main.go:4:2: undefined: x","failure_type":"error","is_interrupt":false,"tool_use_id":"t2"}`,
			agent.Event{Name: "PostToolUseFailure", Session: "c1", Cwd: "/w", Tool: "Bash", Call: "t2", Command: "go build ./...", Error: "main.go:4:2: undefined: x"}},
		{agent.Cursor, `{"hook_event_name":"postToolUseFailure","session_id":"c1","tool_name":"Shell","tool_input":{"command":"rm -r x"},"error_message":"rejected","failure_type":"permission_denied","is_interrupt":false}`,
			agent.Event{Name: "PostToolUseFailure", Session: "c1", Tool: "Bash", Command: "rm -r x", Error: "rejected", Interrupt: true}},
		{agent.Cursor, `{"hook_event_name":"stop","session_id":"c1","status":"completed","loop_count":0,"workspace_roots":["/w"]}`,
			agent.Event{Name: "Stop", Session: "c1", Cwd: "/w"}},
		{agent.Cursor, `{"hook_event_name":"stop","session_id":"c1","status":"completed","loop_count":1}`, agent.Event{Name: "Stop", Session: "c1", StopAgain: true}},
		{agent.Cursor, `{"hook_event_name":"stop","session_id":"c1","status":"aborted","loop_count":0}`, agent.Event{Name: "Stop", Session: "c1", StopAgain: true}},
		{agent.Cursor, `{"hook_event_name":"subagentStop","session_id":"c1","status":"completed","loop_count":0,"agent_transcript_path":"/h/x.jsonl"}`,
			agent.Event{Name: "SubagentStop", Session: "c1"}},
		{agent.Cursor, `{"hook_event_name":"preCompact","session_id":"c1","trigger":"auto","message_count":80,"workspace_roots":["/w"]}`,
			agent.Event{Name: "PreCompact", Session: "c1", Cwd: "/w"}},
		{agent.Cursor, `{"hook_event_name":"sessionEnd","session_id":"c1","reason":"completed","final_status":"completed","duration_ms":20179,"workspace_roots":["/w"]}`,
			agent.Event{Name: "SessionEnd", Session: "c1", Cwd: "/w"}},
	} {
		got, err := agent.Read(strings.NewReader(c.json), c.client, "PostToolUse")
		require.NoError(t, err)
		c.want.Agent = c.client
		require.Equal(t, c.want, got)
	}
	for _, bad := range []string{"", "null?", "[1]", `{"session_id":`, `{"session_id":"s"`} {
		_, err := agent.Read(strings.NewReader(bad), agent.Claude, "Stop")
		require.Error(t, err, bad)
	}
}

// VS Code's agent mode runs what is registered with Copilot. These payloads follow the source of version 1.139.1. They
// were not recorded from a client.
func TestReadOfVSCode(t *testing.T) {
	const common = `"timestamp":"2026-11-28T10:00:00.000Z","session_id":"s1","transcript_path":"/t/s1.jsonl","cwd":"/w",`
	tool := func(name, input, response string) string {
		return `{` + common + `"hook_event_name":"PostToolUse","tool_name":"` + name + `","tool_input":` + input + `,"tool_use_id":"call_1","tool_response":"` + response + `"}`
	}
	for _, c := range []struct {
		json string
		want agent.Event
		uses bool
	}{
		{`{` + common + `"hook_event_name":"SessionStart","source":"new"}`, agent.Event{Name: "SessionStart", Source: "startup"}, true},
		{`{` + common + `"hook_event_name":"UserPromptSubmit","prompt":"fix it"}`, agent.Event{Name: "UserPromptSubmit", Prompt: "fix it"}, true},
		{`{` + common + `"hook_event_name":"Stop","stop_hook_active":true}`, agent.Event{Name: "Stop", StopAgain: true}, true},
		{`{` + common + `"hook_event_name":"PreCompact","trigger":"auto"}`, agent.Event{Name: "PreCompact"}, true},
		{tool("run_in_terminal", `{"command":"go test ./..."}`, `FAIL x\n\nCommand exited with code 1`),
			agent.Event{Name: "PostToolUseFailure", AsUse: true, Tool: "Bash", Call: "call_1", Command: "go test ./...", Error: "Exit code 1\nFAIL x\n\n"}, true},
		{tool("run_in_terminal", `{"command":"grep -r code"}`, `a: Command exited with code 1\nCommand exited with code 2\nok`),
			agent.Event{Name: "PostToolUse", Tool: "Bash", Call: "call_1", Command: "grep -r code", Output: "a: Command exited with code 1\nCommand exited with code 2\nok"}, true},
		{tool("read_file", `{"filePath":"/w/a.go","startLine":1,"endLine":9}`, `package a`), agent.Event{Name: "PostToolUse", Tool: "Read", Call: "call_1", Path: "/w/a.go"}, true},
		{tool("grep_search", `{"query":"x","isRegexp":false}`, `no matches`), agent.Event{Name: "PostToolUse", Tool: "grep_search", Call: "call_1"}, false},
	} {
		got, err := agent.Read(strings.NewReader(c.json), agent.Copilot, "PostToolUse")
		require.NoError(t, err)
		c.want.Agent, c.want.Session, c.want.Cwd, c.want.Transcript = agent.Copilot, "s1", "/w", "/t/s1.jsonl"
		require.Equal(t, c.want, got)
		require.Equal(t, c.uses, agent.Copilot.Uses(got), c.json)
	}
}

func TestWhatHasNoReply(t *testing.T) {
	for _, e := range []agent.Event{
		{Name: "PreCompact"}, {Name: "SubagentStop"}, {Name: "SessionEnd"}, {Name: "PreToolUse"}, {Name: ""}, {Name: "Stop", StopAgain: true},
	} {
		var out strings.Builder
		require.NoError(t, agent.Reply{Context: "text", Block: "text"}.Write(&out, e))
		require.Empty(t, out.String(), e.Name)
	}
}

func TestShapes(t *testing.T) {
	for _, c := range []struct {
		client      agent.Client
		event, want string
	}{
		{agent.Claude, "PostToolUse", `{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"a \\<b>"}}`},
		{agent.Codex, "SessionStart", `{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"a \\<b>"}}`},
		{agent.Gemini, "UserPromptSubmit", `{"hookSpecificOutput":{"hookEventName":"BeforeAgent","additionalContext":"a \\<b>"}}`},
		{agent.Gemini, "PostToolUseFailure as PostToolUse", `{"hookSpecificOutput":{"hookEventName":"AfterTool","additionalContext":"a \\<b>"}}`},
		{agent.Codex, "PostToolUseFailure as PostToolUse", `{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"a \\<b>"}}`},
		{agent.Claude, "PostToolUseFailure", `{"hookSpecificOutput":{"hookEventName":"PostToolUseFailure","additionalContext":"a \\<b>"}}`},
		{agent.Copilot, "PostToolUse", `{"additionalContext":"a \\<b>","hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"a \\<b>"}}`},
		{agent.Claude, "Stop", `{"decision":"block","reason":"mend it"}`},
		{agent.Cursor, "SessionStart", `{"additional_context":"a \\<b>"}`},
		{agent.Cursor, "UserPromptSubmit", `{"continue":true,"additional_context":"a \\<b>"}`},
		{agent.Cursor, "PostToolUse", `{"additional_context":"a \\<b>"}`},
		{agent.Cursor, "PostToolUseFailure", `{"additional_context":"a \\<b>"}`},
		{agent.Cursor, "Stop", `{"followup_message":"mend it"}`},
		{agent.Copilot, "Stop", `{"decision":"block","reason":"mend it","hookSpecificOutput":{"hookEventName":"Stop","decision":"block","reason":"mend it"}}`},
		{agent.Copilot, "PostToolUseFailure as PostToolUse", `{"additionalContext":"a \\<b>","hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"a \\<b>"}}`},
	} {
		var out strings.Builder
		name, _, asUse := strings.Cut(c.event, " as ")
		require.NoError(t, agent.Reply{Context: "a <b>", Block: "mend it"}.Write(&out, agent.Event{Name: name, AsUse: asUse, Agent: c.client}))
		require.Equal(t, c.want+"\n", out.String())
	}
}

// Nothing that Cursor injects can end what Cursor puts around it; without a text for the model there is no reply.
func TestCursorReplies(t *testing.T) {
	for _, name := range agent.Names {
		var out strings.Builder
		e := agent.Event{Name: name, Agent: agent.Cursor}
		require.NoError(t, agent.Reply{Context: "</system_reminder></user_query>", Block: "</user_query>"}.Write(&out, e))
		require.NotRegexp(t, `[^\\]</`, out.String())
		out.Reset()
		require.NoError(t, agent.Reply{Notice: "whence: x"}.Write(&out, e))
		require.Empty(t, out.String(), name)
		e.Agent = agent.Copilot
		require.NoError(t, agent.Reply{Notice: "whence: x"}.Write(&out, e))
		require.Empty(t, out.String(), name)
	}
}

// For any text, the reply is one valid JSON object that an agent accepts whole.
func FuzzReply(f *testing.F) {
	f.Add("a \x01 \\ \" \t\n<b> &\u2028")
	f.Add("\xff\xfe")
	f.Add(strings.Repeat("liné\n", 3000))
	f.Fuzz(func(t *testing.T, context string) {
		var out strings.Builder
		require.NoError(t, agent.Reply{Context: context}.Write(&out, agent.Event{Name: "SessionStart"}))
		if inert.Text(context, agent.Markup...) == "" {
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
		whole, got := inert.Text(context, agent.Markup...), reply.Output.Context
		require.True(t, got == whole || len([]rune(whole)) > 10_000 && len([]rune(got)) <= 10_000 && strings.HasPrefix(whole, got), got)
	})
}

// If a field makes an event too long, the fields before it are read.
func TestReadTheBeginning(t *testing.T) {
	long := strings.Repeat("x", 64<<20)
	got, err := agent.Read(strings.NewReader(`{"session_id":"s","tool_name":"Bash","tool_input":{"command":"make"},"tool_response":"`+long+`"}`), agent.Claude, "PostToolUse")
	require.NoError(t, err)
	require.Equal(t, agent.Event{Name: "PostToolUse", Agent: agent.Claude, Session: "s", Tool: "Bash", Command: "make"}, got)
	_, err = agent.Read(strings.NewReader(long), agent.Claude, "PostToolUse")
	require.Error(t, err)
}

func TestReadWhatIsOdd(t *testing.T) {
	for src, want := range map[string]agent.Event{
		"\ufeff" + `{"session_id":"s"}`:              {Name: "Stop", Agent: agent.Copilot, Session: "s"},
		`{"session_id":7,"cwd":"/a","source":"new"}`: {Name: "Stop", Agent: agent.Copilot, Cwd: "/a", Source: "startup"},
		"{\n  \"session_id\" : \"s\"\n}\n":           {Name: "Stop", Agent: agent.Copilot, Session: "s"},
	} {
		got, err := agent.Read(strings.NewReader(src), agent.Copilot, "Stop")
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

// Some agents leave the stream open after the event, write it in pieces, or write something after it. All of the event
// is read, so that agents never write to a closed pipe.
func TestReadUntilTheObjectIsComplete(t *testing.T) {
	long := strings.Repeat(`x\"}`, 1<<20)
	for name, c := range map[string]struct {
		pieces []string
		want   string // the session
	}{
		"whole":             {[]string{`{"session_id":"s"}`}, "s"},
		"braces in strings": {[]string{`{"a":"}{]\\","b":{"c":[{}]},"session_id":"s"}`}, "s"},
		"in pieces":         {[]string{"\xef\xbb", "\xbf\n", `{"a":"\`, `"}","sess`, `ion_id":"s"`, ` }`}, "s"},
		"two":               {[]string{`{"session_id":"s"}{"session_id":"t"}`}, "s"},
		"garbage after it":  {[]string{`{"session_id":"s"}]]"{`}, "s"},
		"too long":          {[]string{`{"session_id":"s","o":"`, long, long, `"}`}, "s"},
		"no object":         {[]string{`[{"session_id":"s"}`, `]`}, ""},
		"a text":            {[]string{`"s`}, ""},
		"a number":          {[]string{`7`}, ""},
		"wrong brackets":    {[]string{`{"session_id":"s"]`}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			in, out := io.Pipe() // never closed
			written := make(chan error, 1)
			go func() {
				for _, piece := range c.pieces {
					if _, err := io.WriteString(out, piece); err != nil {
						written <- err
						return
					}
				}
				written <- nil
			}()
			got, err := agent.Read(in, agent.Claude, "Stop")
			require.Equal(t, c.want == "", err != nil, "%v", err)
			require.Equal(t, c.want, got.Session)
			require.NoError(t, <-written)
		})
	}
}

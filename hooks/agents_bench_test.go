package hooks_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
	"whence/internal/test/repotest"
	"whence/internal/test/transcripttest"
)

type fields = map[string]any

// agentEvents are the events of an agent as it reports them.
var agentEvents = map[agent.Client]map[string]fields{
	agent.Claude: {
		"other tool": {"tool_name": "Grep", "tool_input": fields{"pattern": "x"}},
		"command":    {"tool_name": "Bash", "tool_input": fields{"command": benchedCommand}, "tool_response": fields{"stdout": "ok"}},
		"failure":    {"tool_name": "Bash", "tool_input": fields{"command": "make bacoba"}, "error": benchedError},
	},
	agent.Codex: {
		"other tool": {"tool_name": "view_image", "tool_input": fields{"path": "x.png"}},
		"command":    {"tool_name": "Bash", "tool_input": fields{"command": benchedCommand}, "tool_response": "ok"},
	},
	agent.Gemini: {
		"other tool": {"tool_name": "glob", "tool_input": fields{"pattern": "x"}},
		"command":    {"tool_name": "run_shell_command", "tool_input": fields{"command": benchedCommand}, "tool_response": fields{"llmContent": "Output: ok"}},
		"failure":    {"tool_name": "run_shell_command", "tool_input": fields{"command": "make bacoba"}, "tool_response": fields{"llmContent": "Output: " + benchedError + "\nExit Code: 2"}},
	},
	agent.Copilot: {
		"other tool": {"tool_name": "glob", "tool_input": fields{"pattern": "x"}},
		"command":    {"tool_name": "bash", "tool_input": fields{"command": benchedCommand}, "tool_result": fields{"result_type": "success", "text_result_for_llm": "ok\n<shellId: 0 completed with exit code 0>"}},
		"failure":    {"tool_name": "bash", "tool_input": fields{"command": "make bacoba"}, "tool_result": fields{"result_type": "success", "text_result_for_llm": benchedError + "\n<shellId: 0 completed with exit code 2>"}},
	},
	agent.OpenCode: {
		"other tool": {"tool_name": "glob", "tool_input": fields{"pattern": "x"}},
		"command":    {"tool_name": "bash", "tool_input": fields{"command": benchedCommand}, "tool_response": fields{"output": "ok", "metadata": fields{"output": "ok", "exit": 0}}},
		"failure":    {"tool_name": "bash", "tool_input": fields{"command": "make bacoba"}, "tool_response": fields{"metadata": fields{"output": benchedError, "exit": 2}}},
	},
}

const (
	benchedCommand = "make bacoba && gonhu --killam pradi"
	benchedError   = "Exit code 2 no rule to make target bacoba, needed by gonhu"
)

// BenchmarkAgents measures the same events of each agent, side by side, with 374 entries, 10,000
// learnings, and a transcript of 100 MB.
func BenchmarkAgents(b *testing.B) {
	t := repotest.NewTalk()
	dir, repository, program := bench(b, t)
	time.Sleep(2100 * time.Millisecond) // until no change of the files could be missed
	home := repotest.ClaimHome(b, filepath.Join(dir, "home"))
	fill(b, home, t, 10_000)
	b.Setenv("WHENCE_HOME", home)
	for _, what := range []string{"other tool", "prompt", "command", "failure", "start", "stop"} {
		for _, c := range agent.Clients {
			b.Run(what+"/"+string(c), func(b *testing.B) {
				event := fields{"session_id": what, "cwd": repository}
				name := c.NativeEvent(agent.PostToolUse)
				switch what {
				case "prompt":
					name = c.NativeEvent(agent.UserPromptSubmit)
					event["prompt"] = "the bacoba of difer gonhu, and why killam mornes pradi"
				case "start":
					name = c.NativeEvent(agent.SessionStart)
					event["source"] = "resume"
				case "stop":
					name = c.NativeEvent(agent.Stop)
					event["session_id"], event["transcript_path"] = largeTranscript(b, c)
				case "failure":
					if c == agent.Claude {
						name = agent.PostToolUseFailure
					}
				}
				maps.Copy(event, agentEvents[c][what])
				if c == agent.Codex && what == "failure" {
					b.Skip("it does not tell failures from successes")
				}
				event["hook_event_name"] = name
				src, err := json.Marshal(event)
				require.NoError(b, err)
				repotest.CompareInput(b, string(src), program, name, "--agent", string(c))
			})
		}
	}
}

// largeTranscript writes a transcript of 100 MB as an agent has it, and returns its session.
func largeTranscript(b *testing.B, c agent.Client) (session, path string) {
	const size = 100 << 20
	path = filepath.Join(b.TempDir(), "transcript.jsonl")
	if c == agent.OpenCode {
		path = filepath.Join(filepath.Dir(path), "opencode.db")
		rows := transcripttest.Rows(b, transcripttest.OpenCode+"/resumed")
		transcripttest.Write(b, path, rows...)
		long, err := json.Marshal(fields{"type": "text", "text": strings.Repeat("x", 1<<20), "time": fields{"end": 1}})
		require.NoError(b, err)
		for i := range size >> 20 {
			part := *rows[len(rows)-1].Part
			part.ID, part.Data = fmt.Sprintf("%s%03d", part.ID, i), string(long)
			transcripttest.Write(b, path, transcripttest.Row{Part: &part})
		}
		return rows[0].Session.ID, path
	}
	name := map[agent.Client]string{agent.Codex: "codex-0.169.0/resumed", agent.Gemini: "gemini-cli-0.61.0/resumed", agent.Copilot: "copilot-1.0.102/resumed"}[c]
	src := []byte(`{"type":"user","uuid":"a","message":{"content":"the bacoba of difer gonhu"}}` + "\n")
	if name != "" {
		var err error
		src, err = os.ReadFile(transcripttest.Path(b, name))
		require.NoError(b, err)
	}
	file, err := os.Create(path)
	require.NoError(b, err)
	for written := 0; written < size; written += len(src) {
		_, err := file.Write(src)
		require.NoError(b, err)
	}
	require.NoError(b, file.Close())
	return "large", path
}

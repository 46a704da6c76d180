package capture_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent/transcript"
	"whence/internal/capture"
	"whence/internal/test/repotest"
)

// facts are the counts of a plain reading of a transcript.
type facts struct {
	Sidechain  int
	Prompts    int            `json:"human_prompts_ge15"`
	Slash      []string       `json:"slash_commands"`
	Interrupts int            `json:"interrupts"`
	Answers    int            `json:"assistant_texts_ge50"`
	Errors     int            `json:"tool_errors"`
	Uses       map[string]int `json:"tool_uses"`
	Lines      int
	Malformed  int
}

// counts are the turns of a transcript by kind.
type counts struct{ prompts, commands, interrupts, answers, errors, bash int }

// differ lists the transcripts whose turns differ from the counts of a plain reading: by how
// many, and why.
var differ = map[string]struct {
	interrupts, answers, errors int
	why                         string
}{
	"01": {errors: -1, why: "a failure comes again"},
	"03": {interrupts: 1, errors: -4, why: "of four refusals one has a reason, one is told by the mark after it, two were given up with it"},
	"06": {errors: -2, why: "two plans were refused, which the marks after them tell"},
	"16": {answers: -1, why: "an answer is too short when its private part is gone; a subagent's answer counts in both"},
}

// Each prompt and each failure is captured, and no text of the agent's machinery.
func TestFactsOfTranscripts(t *testing.T) {
	src, err := os.ReadFile(repotest.Shared(t, "transcripts/facts.json"))
	require.NoError(t, err)
	var all map[string]facts
	require.NoError(t, json.Unmarshal(src, &all))
	seen := 0
	for _, path := range shared(t) {
		name := filepath.Base(path)
		t.Run(name, func(t *testing.T) {
			want := all[name]
			d := differ[name[:2]]
			if d.why != "" {
				seen++
			}
			var n counts
			for _, turn := range storedOf(&capture.Filter{}, records(t, source(t, path))) {
				switch capture.Kind(turn.Kind) {
				case capture.Prompt:
					n.prompts++
				case capture.SlashCommand:
					n.commands++
				case capture.Interrupt:
					n.interrupts++
				case capture.Answer:
					n.answers++
				case capture.Error:
					n.errors++
				case capture.Bash:
					n.bash++
				}
				if turn.Role == capture.User {
					for _, mark := range []string{"<system-reminder", "<ide_", "<command-", "<local-command", "<bash-", "<task-", "<teammate-", "hook feedback:", "[Request interrupted", "This session is being continued", "COMPACT-SUMMARY", "CAVEAT-MARKER", "SIDECHAIN-USER", "MEDIA-DATA"} {
						require.NotContains(t, turn.Text, mark)
					}
				}
				require.NotContains(t, turn.Text, "sk-test-12345")
				require.NotContains(t, turn.Text, "hunter2")
			}
			require.Equal(t, want.Prompts, n.prompts, "prompts")
			require.Equal(t, want.Interrupts+d.interrupts, n.interrupts, "interrupts")
			require.Equal(t, want.Answers+d.answers, n.answers, "answers")
			require.Equal(t, want.Errors+d.errors, n.errors, "errors")
			arguments := 0
			for _, command := range want.Slash {
				if _, text, _ := strings.Cut(command, " "); len(text) >= 15 {
					arguments++
				}
			}
			require.Equal(t, arguments, n.commands, "commands")
			if len(want.Uses) > 0 && want.Uses["Bash"] == 0 {
				require.Zero(t, n.bash)
			}
		})
	}
	require.Equal(t, len(differ), seen, "a transcript is listed that there is not")
}

// Each failure is captured with the input of the tool.
func TestFailuresHaveTheirCommands(t *testing.T) {
	errors := 0
	for _, path := range shared(t) {
		told := map[string]string{}
		for _, r := range records(t, source(t, path)) {
			for _, b := range r.Blocks {
				if b.Kind == transcript.Use {
					told[b.Tool] = strings.Fields(b.Input.Command + " " + b.Input.Path + " " + b.Name)[0]
				}
			}
		}
		uses := map[string]string{} // by the UUID of the turn of their result
		for _, r := range records(t, source(t, path)) {
			for _, b := range r.Blocks {
				if b.Kind == transcript.Result {
					uses[fmt.Sprintf("%s:error:%d", r.UUID, b.Index)] = told[b.Tool]
				}
			}
		}
		for _, turn := range storedOf(&capture.Filter{}, records(t, source(t, path))) {
			if turn.Kind == string(capture.Error) {
				errors++
				require.Contains(t, turn.Text, uses[turn.UUID])
				require.NotEmpty(t, uses[turn.UUID])
			}
		}
	}
	require.GreaterOrEqual(t, errors, 20)
}

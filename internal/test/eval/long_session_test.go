package eval_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"whence/hooks"
	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/decision"
	"whence/internal/test/repotest"
	"whence/internal/text"
)

const (
	longSessionCalls    = 30
	maxLongSessionChars = 6000
)

// evalLongSession measures what a session is shown that runs commands and reads files, each once: how
// much in all, and whether a decision that applies to a call was among it by then.
func evalLongSession(t *testing.T) []figure {
	dir, home := t.TempDir(), repotest.Home(t)
	triggers := writeConventions(t, dir)
	git, err := exec.LookPath("git")
	require.NoError(t, err)
	bin := t.TempDir()
	require.NoError(t, os.Symlink(git, filepath.Join(bin, "git")))
	t.Setenv("PATH", bin) // no worker is found
	var withGold, reached float64
	var all strings.Builder
	calls, injections := 0, 0
	for _, m := range repotest.JSONLines[moment](t, repotest.Shared(t, "eval/prompts-conventions.jsonl")) {
		if m.Kind != "bash" && m.Kind != "read" || calls == longSessionCalls {
			continue
		}
		calls++
		text := injectedAt(t, dir, home, toolCall(t, dir, m))
		fmt.Fprintf(t.Output(), "%s %q applies: %v\n%s", m.ID, cut(m.Text, 90), m.Gold, text)
		all.WriteString(text)
		injections += int(count(text != ""))
		if len(m.Gold) > 0 {
			withGold++
			reached += count(slices.ContainsFunc(m.Gold, func(title string) bool {
				return strings.Contains(all.String(), "- "+triggers[decision.Key(title)]+"  (")
			}))
		}
	}
	require.Equal(t, longSessionCalls, calls)
	chars := utf8.RuneCountInString(all.String())
	fmt.Fprintf(t.Output(), "%d injections, %d characters\n", injections, chars)
	require.LessOrEqual(t, chars, maxLongSessionChars)
	const name = "hooks, 30 tool calls of a session"
	return []figure{
		{Evaluation: name, Measure: "one that applies was shown", Questions: int(withGold), Value: reached / withGold, FullText: math.NaN()},
		{Evaluation: name, Measure: "of 6,000 characters, injected", Questions: calls, Value: float64(chars) / maxLongSessionChars, FullText: math.NaN(), Smaller: true, Aim: 1},
	}
}

// writeConventions writes a memory of published conventions with its situations into a folder. It
// returns the queries of its decisions, by the key of their titles.
func writeConventions(t *testing.T, dir string) (queries map[string]string) {
	tree := openMemory(t, conventions, 16).tree
	require.NoError(t, os.CopyFS(dir, tree))
	require.NoError(t, exec.Command("git", "init", "-q", dir).Run())
	queries = map[string]string{}
	for _, e := range entriesOf(tree) {
		query := "/" + e.Operator + " " + e.Trigger.Text
		queries[decision.Key(e.Title.Text)] = strings.ReplaceAll(query, "'", "’")
	}
	require.NotEmpty(t, queries[decision.Key("Naming")], config.DefaultIndex)
	return queries
}

// toolCall returns the event of a command that ran, or of a file that was read.
func toolCall(t *testing.T, dir string, m moment) []byte {
	event := map[string]any{"session_id": "s", "cwd": dir, "hook_event_name": agent.PostToolUse}
	if m.Kind == "bash" {
		var output strings.Builder
		for line := range strings.Lines(m.Text) {
			if !strings.HasPrefix(line, "$ ") {
				output.WriteString(line)
			}
		}
		event["tool_name"], event["tool_input"] = "Bash", map[string]any{"command": seenByHook(m)}
		event["tool_response"] = map[string]any{"stdout": output.String(), "stderr": ""}
	} else {
		first, _, _ := strings.Cut(m.Text, "\n")
		words := strings.Fields(first)
		path := words[max(0, slices.IndexFunc(words, func(w string) bool { return strings.Contains(w, "/") }))]
		event["tool_name"], event["tool_input"] = "Read", map[string]any{"file_path": filepath.Join(dir, filepath.FromSlash(path))}
		event["tool_response"] = map[string]any{"file": map[string]any{"content": m.Text}}
	}
	src, err := json.Marshal(event)
	require.NoError(t, err)
	return src
}

// injectedAt returns the text that memory-hooks injects at an event.
func injectedAt(t *testing.T, dir, home string, event []byte) string {
	var out bytes.Buffer
	require.Zero(t, hooks.Main(cli.Env{
		Args: []string{"memory-hooks", agent.PostToolUse}, Dir: dir, Stdin: bytes.NewReader(event), Stdout: &out, Stderr: &out,
		Getenv: func(name string) string {
			return map[string]string{"WHENCE_HOME": home, "WHENCE_HOOK_DEADLINE": "1m"}[name]
		},
	}))
	if out.Len() == 0 {
		return ""
	}
	var reply struct {
		Specific struct {
			Context string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	require.NoError(t, json.Unmarshal(out.Bytes(), &reply), out.String())
	require.Contains(t, cmp.Or(reply.Specific.Context, "nothing"), text.PointersHead)
	return reply.Specific.Context
}

package hooks_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/hooks"
	"whence/internal/cli"
	"whence/internal/learning"
	"whence/internal/report"
	"whence/internal/store"
	"whence/internal/test/storetest"
)

// reporter runs the report over transcripts in a folder of its own.
type reporter struct {
	t                   *testing.T
	dir, home, projects string
}

// newReporter returns a reporter with a copy of the scripted sessions.
func newReporter(t *testing.T) reporter {
	dir, home := ferry(t)
	claude := t.TempDir()
	require.NoError(t, os.CopyFS(claude, os.DirFS("testdata/report")))
	return reporter{t, dir, home, filepath.Join(claude, "projects")}
}

func (r reporter) run(args ...string) (status int, out, errs string) {
	r.t.Helper()
	var stdout, stderr bytes.Buffer
	status = hooks.Main(cli.Env{
		Args: append([]string{"memory-hooks", "report"}, args...), Dir: r.dir, Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr,
		Getenv: func(variable string) string {
			return map[string]string{"WHENCE_HOME": r.home, "CLAUDE_CONFIG_DIR": filepath.Dir(r.projects)}[variable]
		},
	})
	return status, stdout.String(), stderr.String()
}

func (r reporter) figures(args ...string) (f report.Figures) {
	r.t.Helper()
	status, out, errs := r.run(append([]string{"--since", "all", "--format", "json"}, args...)...)
	require.Zero(r.t, status, errs)
	require.Empty(r.t, errs)
	require.NoError(r.t, json.Unmarshal([]byte(out), &f))
	return f
}

// write puts a transcript beside the others.
func (r reporter) write(name, src string) string {
	r.t.Helper()
	path := filepath.Join(r.projects, "ferry", name)
	require.NoError(r.t, os.WriteFile(path, []byte(src), 0o600))
	return path
}

// scripted has the figures of testdata/report, counted by hand: seven sessions, the sixth a fork of the fifth. The last
// one has five pointers, of which four are read and one is followed by a change.
var scripted = report.Tally{Sessions: 7, Pointed: 1, Recalled: 1, Pointers: 5, Read: 4, Changed: 1}

func TestReportOfScriptedSessions(t *testing.T) {
	r := newReporter(t)
	f := r.figures()
	require.Equal(t, scripted, f.Total)
	require.Equal(t, 8, f.Transcripts)
	require.Equal(t, []int{2, 2, 3}, []int{f.Weeks[0].Sessions, f.Weeks[1].Sessions, f.Weeks[2].Sessions})
	require.Equal(t, 170, f.Memory.Entries)
	require.Len(t, slices.Concat(f.Memory.Bare, f.Memory.Never), 165)
	require.Equal(t, 5, r.figures("--since", "2026-01-12").Total.Sessions)
	require.Zero(t, r.figures("--since", "1d").Total.Sessions)
}

// The report understands what the hooks really write: if one changes, so must the other.
func TestReportReadsWhatHooksSay(t *testing.T) {
	r := newReporter(t)
	require.NoError(t, os.RemoveAll(filepath.Join(r.projects, "ferry")))
	require.NoError(t, os.MkdirAll(filepath.Join(r.projects, "ferry"), 0o755))
	var lines strings.Builder
	line := func(record map[string]any) {
		record["sessionId"], record["uuid"], record["timestamp"] = "live", fmt.Sprint("u", lines.Len()), "2026-02-02T10:00:00Z"
		src, err := json.Marshal(record)
		require.NoError(t, err)
		lines.Write(append(src, '\n'))
	}
	event := func(name string, in map[string]any) {
		in["session_id"] = "live"
		input, err := json.Marshal(in)
		require.NoError(t, err)
		var reply struct {
			Output struct{ HookEventName, AdditionalContext string } `json:"hookSpecificOutput"`
		}
		require.NoError(t, json.Unmarshal([]byte(ask(t, r.dir, r.home, name, input)), &reply))
		line(map[string]any{"type": "attachment", "attachment": map[string]any{"type": "hook_additional_context", "hookEvent": reply.Output.HookEventName, "content": []string{reply.Output.AdditionalContext}}})
	}
	line(map[string]any{"type": "user", "message": map[string]any{"content": "/when card is declined"}})
	event("UserPromptSubmit", map[string]any{"prompt": "/when card is declined"})
	event("PostToolUse", map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": "psql -c 'lock_timeout: altering a busy table, adding a column'"}})
	line(map[string]any{"type": "assistant", "message": map[string]any{"content": []any{map[string]any{"type": "tool_use", "id": "t", "name": "Bash", "input": map[string]any{"command": "memory-when 'altering a busy table'"}}}}})
	line(map[string]any{"type": "user", "message": map[string]any{"content": []any{map[string]any{"type": "tool_result", "tool_use_id": "t", "content": "# `lock_timeout` in every migration\n"}}}})
	r.write("live.jsonl", lines.String())
	f := r.figures()
	require.GreaterOrEqual(t, f.Total.Pointers, 1)
	require.Equal(t, report.Tally{Sessions: 1, Pointed: 1, Recalled: 1, Pointers: f.Total.Pointers, Read: 1}, f.Total)
	require.Equal(t, f.Total.Pointers, f.Memory.Entries-len(f.Memory.Bare)-len(f.Memory.Never))
}

// A report prints nothing that was said.
func TestReportIsPrivate(t *testing.T) {
	r := newReporter(t)
	page := filepath.Join(t.TempDir(), "page.html")
	_, text, _ := r.run("--since", "all", "--html", page)
	_, machine, _ := r.run("--since", "all", "--format", "json")
	src, err := os.ReadFile(page)
	require.NoError(t, err)
	for _, said := range []string{"charged twice", "deck layout", "prices are old", "Restarting the pods", "what do we do about refunds"} {
		for _, out := range []string{text, machine, string(src)} {
			require.NotContains(t, out, said)
		}
	}
	info, err := os.Stat(page)
	require.NoError(t, err)
	require.True(t, info.Mode().Perm()&0o077 == 0 || runtime.GOOS == "windows")
}

// SC-4 and SC-5: how many of the learnings shown, and of those of a week, were stored in sessions.
func TestReportCountsLearnings(t *testing.T) {
	r := newReporter(t)
	require.Nil(t, r.figures().Learnings, "there is no store")
	s, err := store.Open(t.Context(), r.home)
	require.NoError(t, err)
	for i, source := range []learning.Source{learning.SessionCapture, learning.Manual} {
		out, err := s.Put(t.Context(), learning.Learning{
			Name: "Berths", Description: fmt.Sprintf("berth number %d is closed at low tide", i), Reasoning: "seen", Category: learning.Heuristics, Confidence: learning.Low, Source: source,
		}, store.Observation{})
		require.NoError(t, err)
		require.NoError(t, s.Shown(t.Context(), store.Scope{}, []string{out.ID}, time.Now()))
	}
	require.NoError(t, s.Close())
	half := 50.0
	require.Equal(t, &report.Learnings{Stored: 2, CapturedThisWeek: 1, ShownPercent: &half}, r.figures().Learnings)
	_, out, _ := r.run("--since", "all")
	require.Contains(t, out, "Learnings: 2 stored; stored in a session of the last 7 days: 1 (goal: 3 or more)")
	require.Contains(t, out, "Of those shown when a session begins, 50 % were typed by you or captured by an agent, the rest was imported (goal: at most 40 %, if enough is imported)")
}

// A record that no longer holds is never shown, and does not count as never shown.
func TestReportLeavesOutWhatIsSuperseded(t *testing.T) {
	r := newReporter(t)
	before := r.figures().Memory
	write := func(name, text string) {
		name = filepath.Join(r.dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
		src, _ := os.ReadFile(name) // nil where there is none
		require.NoError(t, os.WriteFile(name, append(src, text...), 0o600))
	}
	write(".whence.yaml", "documents: docs/adr/*.md\n")
	write("docs/adr/0001-a.md", "# Queues\n\nStatus: superseded by [2](0002-b.md)\n\nText.\n")
	write("docs/adr/0002-b.md", "# Topics\n\nStatus: accepted\n\nText.\n")
	write("agents/memory-index.md", "\n## docs/adr/\n\n/when using queues | Queues | a b c d e f\n/when using topics | Topics | a b c d e f\n")
	after := r.figures().Memory
	require.Equal(t, before.Entries+1, after.Entries)
	require.Contains(t, after.Bare, "/when using topics")
	require.NotContains(t, after.Bare, "/when using queues")
}

func TestReportWithoutAnything(t *testing.T) {
	r := reporter{t, t.TempDir(), storetest.ConsentingHome(t), filepath.Join(t.TempDir(), "projects")}
	status, out, errs := r.run()
	require.Zero(t, status)
	require.Empty(t, errs)
	require.Contains(t, out, "Nothing yet: there was no session.")
	require.NotContains(t, out, "The memory of this project")
}

func TestReportPassesOverWhatIsNoTranscript(t *testing.T) {
	r := newReporter(t)
	r.write("notes.txt", "no")
	require.NoError(t, os.Mkdir(filepath.Join(r.projects, "folder.jsonl"), 0o755))
	require.NoError(t, os.Symlink(r.projects, filepath.Join(r.projects, "ferry", "loop")))
	r.write("odd.jsonl", "\n{}\n[1]\nno\n{\"type\":\"user\"}")
	require.Equal(t, 9, r.figures().Transcripts)
	require.Equal(t, scripted, r.figures().Total)
}

func TestReportOfAFolderThatIsALink(t *testing.T) {
	r := newReporter(t)
	moved := filepath.Join(t.TempDir(), "projects")
	require.NoError(t, os.Rename(r.projects, moved))
	require.NoError(t, os.Symlink(moved, r.projects))
	require.Equal(t, scripted, r.figures().Total)
}

func TestReportRefuses(t *testing.T) {
	r := newReporter(t)
	for _, c := range []struct{ args, want string }{
		{"--since yesterday", `--since "yesterday": write days as in 30d, a date as in 2026-01-31, or all`},
		{"--since -1d", "--since"},
		{"--format html", `unknown --format "html": use text or json`},
		{"now", `unexpected argument "now"`},
	} {
		status, out, errs := r.run(strings.Fields(c.args)...)
		require.Equal(t, cli.Usage, status, c.args)
		require.Empty(t, out)
		require.Contains(t, errs, c.want)
	}
	status, _, errs := r.run("--html", "no/"+strings.Repeat("x", 300))
	require.Equal(t, cli.Failed, status)
	require.Contains(t, errs, "write the page")
}

package hooks_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/hooks"
	"whence/internal/cli"
	"whence/internal/learning"
	"whence/internal/report"
	"whence/internal/store"
	"whence/internal/test/repotest"
)

// reporter runs the report over transcripts in a folder of its own.
type reporter struct {
	t                   *testing.T
	dir, home, projects string
}

// newReporter has a copy of the scripted sessions, whose figures are counted by hand, and of
// the log.
func newReporter(t *testing.T) reporter {
	dir, home := ferry(t)
	claude := t.TempDir()
	require.NoError(t, os.CopyFS(claude, os.DirFS("testdata/report")))
	require.NoError(t, os.Rename(filepath.Join(claude, "events.log"), filepath.Join(home, "events.log")))
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

// scripted are the figures of testdata/report, counted by hand: seven sessions, the sixth a
// fork of the one before.
//
//	s1  2 items at a prompt: the file of both is read, one is quoted; 3 messages
//	s2  2 queries typed, one has an answer; 2 messages
//	s3  3 queries by tools, one has an answer; 4 messages. Its subagent: 1 item, quoted and cited; 2 messages
//	s4  nothing; 1 message
//	s5  2 items when it begins, 1 at a prompt; 1 message
//	s6  1 query by a tool without an answer; 2 messages, beside what is copied
//	s7  4 pointers at a prompt, 1 after a tool: 2 are read in one command, one by the server, one by the
//	    skill; what one of them names is changed. 1 decision is read without having been shown; 6 messages
//
// Each message has 750 new tokens.
var scripted = report.Tally{
	Sessions: 7, Recalled: 6, Prompted: 1, Tooled: 3, Injected: 5, Prompts: 2 + 2 + 1 + 1 + 1 + 1 + 1, Tokens: 21 * 750,
	Asked: 6 + 4, Missed: 4, Texts: 4 + 2, Items: 6 + 5, Stale: 1, Used: 3 + 4, Opened: 2 + 4, Cited: 1, Quoted: 2,
	Pointers: 5, Read: 4, Changed: 1, Own: 3 + 1 + 4, Reads: 1 + 5, Unshown: 1 + 1,
}

func TestReportOfScriptedSessions(t *testing.T) {
	r := newReporter(t)
	f := r.figures("--split", "2026-01-12")
	require.Equal(t, scripted, f.Transcripts.Total)
	require.Equal(t, 8, f.Transcripts.Files)
	require.Equal(t, []report.EventItems{{Event: "PostToolUse", Texts: 2, Items: 2, Used: 2, Pointers: 1, Read: 1}, {Event: "SessionStart", Texts: 1, Items: 2}, {Event: "UserPromptSubmit", Texts: 3, Items: 7, Used: 5, Pointers: 4, Read: 3}}, f.Transcripts.Events)
	require.Equal(t, []int{2, 2, 3}, []int{f.Transcripts.Weeks[0].Sessions, f.Transcripts.Weeks[1].Sessions, f.Transcripts.Weeks[2].Sessions})
	require.Equal(t, []int{2, 2, 5, 4}, []int{f.Transcripts.Split.Before.Sessions, f.Transcripts.Split.Before.Items, f.Transcripts.Split.After.Sessions, f.Transcripts.Split.After.Recalled})
	require.Equal(t, []report.Miss{
		{Query: "why is the ferry late", From: report.FromLog, Times: 2}, {Query: "refunding a ticket twice", From: report.FromTool, Times: 2},
		{Query: "/when flooding the car deck", From: report.FromPrompt, Times: 1}, {Query: "refund rounding", From: report.FromTool, Times: 1},
	}, f.Misses)

	// The log: 20 prompts of 1 to 20 ms, each fourth with an item; 10 tools of 0.5 to 5 ms.
	require.Equal(t, "2026-01-05", f.Log.From)
	require.Equal(t, 33, f.Log.Total.Answered)
	require.Equal(t, report.EventTime{Event: "UserPromptSubmit", Answered: 20, WithItems: 5, Items: 5, Pointers: 1, Median: 10, P95: 19, P99: 20, Max: 20}, f.Log.Events[4])
	require.Equal(t, report.EventTime{Event: "PostToolUse", Answered: 10, Median: 2.5, P95: 5, P99: 5, Max: 5}, f.Log.Events[0])
	require.Equal(t, 33, f.Log.Split.Before.Answered+f.Log.Split.After.Answered)

	// Six entries of 170 were recalled: two injected at the prompt, one of the subagent, one asked for,
	// and in the last session two more; the other pointers were among the four.
	require.Equal(t, 170, f.Memory.Entries)
	require.Len(t, f.Memory.Never, 164)
	require.Equal(t, []string{"1× /when renaming a column  # agents/decisions/database.md", "1× /when taking a payment  # agents/decisions/payments.md"}, f.Memory.Unshown)
	require.Equal(t, strings.Count(readAll(t, filepath.Join(r.dir, "agents/decisions")), "\n<!-- situations:\n"), 170-f.Memory.Bare)
}

// readAll returns the text of all files in a folder.
func readAll(t *testing.T, dir string) (all string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	for _, name := range names {
		src, err := os.ReadFile(name)
		require.NoError(t, err)
		all += string(src)
	}
	return all
}

// Real transcripts hold no recall: beside them the scripted figures stay, and their prompts
// and sessions are added. 13 of the 14 have a prompt or an answer.
func TestReportOfRealTranscripts(t *testing.T) {
	r := newReporter(t)
	real := repotest.Shared(t, "transcripts")
	count := 0
	files, err := filepath.Glob(filepath.Join(real, "*.jsonl"))
	require.NoError(t, err)
	for _, name := range files {
		src, err := os.ReadFile(name)
		require.NoError(t, err)
		r.write(filepath.Base(name), string(src))
		count++
	}
	got := r.figures().Transcripts
	require.Equal(t, 8+count, got.Files)
	want := scripted
	want.Sessions, want.Prompts, want.Tokens = got.Total.Sessions, got.Total.Prompts, got.Total.Tokens
	require.Equal(t, want, got.Total)
	require.Equal(t, 7+13, got.Total.Sessions)
}

// What the hooks really tell is read as it was meant: if the one changes, so must the other.
func TestReportReadsWhatHooksTell(t *testing.T) {
	r := newReporter(t)
	require.NoError(t, os.RemoveAll(filepath.Join(r.projects, "ferry")))
	require.NoError(t, os.MkdirAll(filepath.Join(r.projects, "ferry"), 0o755))
	require.NoError(t, os.Remove(filepath.Join(r.home, "events.log")))
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
	prompt := func(text string) {
		line(map[string]any{"type": "user", "message": map[string]any{"content": text}})
		event("UserPromptSubmit", map[string]any{"prompt": text})
	}
	prompt("our retry of a payment was charged twice")
	prompt("/when card is declined")
	event("PostToolUse", map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": "psql -c 'lock_timeout: altering a busy table, adding a column'"}})
	line(map[string]any{"type": "assistant", "message": map[string]any{"content": []any{map[string]any{"type": "tool_use", "id": "t", "name": "Bash", "input": map[string]any{"command": "memory-when 'altering a busy table'"}}}}})
	line(map[string]any{"type": "user", "message": map[string]any{"content": []any{map[string]any{"type": "tool_result", "tool_use_id": "t", "content": "# `lock_timeout` in every migration\n"}}}})
	r.write("live.jsonl", lines.String())
	f := r.figures()
	got := f.Transcripts.Total
	require.Equal(t, report.Tally{
		Sessions: 1, Recalled: 1, Prompted: 1, Tooled: 1, Injected: 1, Prompts: 2, Asked: 2, Texts: 2, Items: got.Items, Stale: got.Stale, Used: 1, Opened: 1,
		Pointers: got.Pointers, Read: 1, Own: 1, Reads: 1,
	}, got)
	require.GreaterOrEqual(t, got.Pointers, 1)
	require.Equal(t, got.Pointers, f.Log.Total.Pointers)
	require.Equal(t, 3, f.Log.Total.Answered)
	recalled := f.Memory.Entries - len(f.Memory.Never)
	require.Equal(t, got.Items+1, recalled, "all are known by the transcript and by the log")
	require.NoError(t, os.Remove(filepath.Join(r.projects, "ferry", "live.jsonl")))
	require.Equal(t, recalled, f.Memory.Entries-len(r.figures().Memory.Never), "by the log alone")
}

// A report prints nothing that was said but queries without an answer.
func TestReportIsPrivate(t *testing.T) {
	r := newReporter(t)
	page := filepath.Join(t.TempDir(), "page.html")
	_, text, _ := r.run("--since", "all", "--html", page)
	_, machine, _ := r.run("--since", "all", "--format", "json")
	src, err := os.ReadFile(page)
	require.NoError(t, err)
	cache, err := os.ReadFile(filepath.Join(r.home, "report.cache"))
	require.NoError(t, err)
	for _, said := range []string{"charged twice", "deck layout", "prices are old", "Restarting the pods", "what do we do about refunds"} {
		for _, out := range []string{text, machine, string(src), string(cache)} {
			require.False(t, strings.Contains(out, said), said)
		}
	}
	require.Contains(t, text, "flooding the car deck")
	for _, name := range []string{page, filepath.Join(r.home, "report.cache")} {
		info, err := os.Stat(name)
		require.NoError(t, err)
		require.True(t, info.Mode().Perm()&0o077 == 0 || runtime.GOOS == "windows", name)
	}
}

// The second report reads nothing again, and tells the same.
func TestReportReadsNothingTwice(t *testing.T) {
	r := newReporter(t)
	first := r.figures()
	garble(t, r.projects, func(src []byte) []byte { return bytes.Repeat([]byte("x"), len(src)) })
	require.Equal(t, first, r.figures())
	info, err := os.Stat(filepath.Join(r.home, "report.cache"))
	require.NoError(t, err)
	require.Equal(t, first.Transcripts, r.figures("--since", "2026-01-01").Transcripts)
	again, err := os.Stat(filepath.Join(r.home, "report.cache"))
	require.NoError(t, err)
	require.Equal(t, info.ModTime(), again.ModTime(), "nothing is written where nothing is new")
}

// garble changes all transcripts, so that they look as they did.
func garble(t *testing.T, dir string, change func([]byte) []byte) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		require.NoError(t, err)
		src, err := os.ReadFile(path)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, change(src), 0o600))
		return os.Chtimes(path, time.Time{}, info.ModTime())
	}))
}

// SC-4 and SC-5: how many learnings were stored in sessions, of those of a week and of those shown.
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
		require.NoError(t, s.Recalled(t.Context(), []string{out.ID}, time.Now()))
	}
	require.NoError(t, s.Close())
	half := 50.0
	require.Equal(t, &report.Learnings{Stored: 2, CapturedThisWeek: 1, ShownPercent: &half}, r.figures().Learnings)
	_, out, _ := r.run("--since", "all")
	require.Contains(t, out, "Learnings: 2 stored; stored in a session of the last 7 days: 1 (goal: 3 or more)")
	require.Contains(t, out, "50 % were stored in a session (goal: at most 40 %)")
}

// A transcript that has grown is read on: its front may be anything by then. One that was
// written anew is read anew.
func TestReportReadsOn(t *testing.T) {
	r := newReporter(t)
	src, err := os.ReadFile("testdata/report/projects/ferry/s1.jsonl")
	require.NoError(t, err)
	lines := strings.SplitAfter(string(src), "\n")
	require.Equal(t, scripted, r.figures().Transcripts.Total)
	for cut := 1; cut < len(lines)-1; cut++ {
		front := strings.Join(lines[:cut], "")
		last := lines[cut-1]
		r.write("s1.jsonl", front)
		r.figures()
		garbled := ""
		if cut > 1 {
			garbled = strings.Repeat(" ", len(front)-len(last)-1) + "\n"
		}
		r.write("s1.jsonl", garbled+last+strings.Join(lines[cut:], ""))
		require.Equal(t, scripted, r.figures().Transcripts.Total, "cut at %d", cut)
	}
	r.write("s1.jsonl", strings.Repeat(lines[0], 1)+strings.Repeat(" ", len(src))+"\n")
	require.Equal(t, scripted.Items-2, r.figures().Transcripts.Total.Items)
	require.NoError(t, os.Remove(filepath.Join(r.projects, "ferry", "s1.jsonl")))
	require.Equal(t, scripted.Sessions-1, r.figures().Transcripts.Total.Sessions)
}

// A cache that holds anything else is none.
func TestReportWithABrokenCache(t *testing.T) {
	for name, src := range map[string]string{"no JSON": "{{{\n\x00", "another version": `{"v":999,"path":"x"}`, "empty": ""} {
		t.Run(name, func(t *testing.T) {
			r := newReporter(t)
			require.NoError(t, os.WriteFile(filepath.Join(r.home, "report.cache"), []byte(src), 0o600))
			require.Equal(t, scripted, r.figures().Transcripts.Total)
			require.Equal(t, scripted, r.figures().Transcripts.Total)
		})
	}
	t.Run("a folder in its place", func(t *testing.T) {
		r := newReporter(t)
		require.NoError(t, os.Mkdir(filepath.Join(r.home, "report.cache"), 0o700))
		status, out, errs := r.run("--since", "all")
		require.Zero(t, status)
		require.Contains(t, out, "85.7 %")
		require.Contains(t, errs, "report.cache")
	})
}

func TestReportWithoutAnything(t *testing.T) {
	r := reporter{t, t.TempDir(), repotest.Home(t), filepath.Join(t.TempDir(), "projects")}
	status, out, errs := r.run()
	require.Zero(t, status)
	require.Empty(t, errs)
	require.Contains(t, out, "Nothing yet: there was no session and no event.")
	require.NotContains(t, out, "The memory of this project")
}

func TestReportPassesOverWhatIsNoTranscript(t *testing.T) {
	r := newReporter(t)
	r.write("notes.txt", "no")
	require.NoError(t, os.Mkdir(filepath.Join(r.projects, "folder.jsonl"), 0o755))
	require.NoError(t, os.Symlink(r.projects, filepath.Join(r.projects, "ferry", "loop")))
	r.write("odd.jsonl", "\n{}\n[1]\nno\n{\"type\":\"user\"}")
	require.Equal(t, 9, r.figures().Transcripts.Files)
	require.Equal(t, scripted, r.figures().Transcripts.Total)
}

func TestReportOfAFolderThatIsALink(t *testing.T) {
	r := newReporter(t)
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(r.projects, link))
	require.Equal(t, scripted, r.figures("--transcripts", link).Transcripts.Total)
}

// What may grow is kept so that it can go on, and of the others only what they have told.
func TestReportCacheIsSmall(t *testing.T) {
	r := newReporter(t)
	old := time.Now().AddDate(0, 0, -10)
	require.NoError(t, os.Chtimes(filepath.Join(r.projects, "ferry", "s1.jsonl"), old, old))
	r.figures()
	src, err := os.ReadFile(filepath.Join(r.home, "report.cache"))
	require.NoError(t, err)
	for line := range strings.Lines(string(src)) {
		require.Equal(t, !strings.Contains(line, "s1.jsonl"), strings.Contains(line, `"state"`) && strings.Contains(line, `"cursor"`), line)
	}
	require.Equal(t, scripted, r.figures().Transcripts.Total)
}

func TestReportSince(t *testing.T) {
	r := newReporter(t)
	require.Equal(t, 5, r.figures("--since", "2026-01-12").Transcripts.Total.Sessions)
	require.Zero(t, r.figures("--since", "1d").Transcripts.Total.Sessions)
	old := time.Date(2026, 1, 6, 0, 0, 0, 0, time.UTC)
	require.NoError(t, os.Chtimes(filepath.Join(r.projects, "ferry", "s1.jsonl"), old, old))
	require.Equal(t, 7, r.figures("--since", "2026-01-12").Transcripts.Files, "what ended before is not read")
}

func TestReportRefuses(t *testing.T) {
	r := newReporter(t)
	for _, c := range []struct{ args, want string }{
		{"--since yesterday", `--since "yesterday": write days as in 30d, a date as in 2026-01-31, or all`},
		{"--since -1d", "--since"},
		{"--split 30d", `--split "30d": write a date`},
		{"--format html", `unknown --format "html": use text or json`},
		{"--transcripts nowhere", "is not a folder: name the one that holds the transcripts"},
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

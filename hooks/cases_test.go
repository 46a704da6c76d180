package hooks_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/hook"
	"whence/internal/learning"
	"whence/internal/repotest"
	"whence/internal/store"
	"whence/remember"
)

// eventCase is a line of cases/hooks.jsonl about events: what an agent says, what the
// memory holds for it, and what is expected of the reply, in any language.
type eventCase struct {
	ID, Group, Event string
	Stdin            map[string]any
	Memory           json.RawMessage // or "absent", "unhealthy"
	State            struct {
		Raw *string `json:"raw_stdin"`
		Git *bool
	}
	Steps  []struct{ Stdin map[string]any }
	Expect expected
}

// expected is what a reply is to be. Headings, numbers and words of the program that the
// cases were made for are not expected here.
type expected struct {
	Stdout   *string
	Calls    *[]any         `json:"memory_calls"` // none: nothing is recalled
	Contains []string       `json:"context_contains"`
	Excludes []string       `json:"context_excludes"`
	Order    []string       `json:"context_order"`
	Count    map[string]int `json:"context_count"`
	Matches  []string       `json:"context_matches"`
	Items    int            `json:"context_memory_count"`
	Lines    int            `json:"context_lines_min"`
	Longest  int            `json:"context_chars_max"`
	Saved    *int           `json:"saved_count"`
	Cleared  *bool          `json:"dedup_cleared"`
	Within   int            `json:"returns_within_ms"`
	Steps    []expected
}

// groups are those that are about events and recall. The deploy group has a test of its
// own; the others are about capture.
var groups = []string{"session-start", "prompt", "post-tool", "failure", "subagent", "pre-tool", "general"}

// Why cases are not run.
const (
	noRules      = "a file of rules is no part of the memory: what must hold is a decision, found by its trigger"
	noMood       = "nothing is told of a user's mood, and nothing stored of it"
	noCheckpoint = "turns are not counted: what was said is kept by capture, not by summaries of so many prompts"
	noHeuristic  = "learnings have a category and a confidence, which are shown; single words in them warn of nothing"
	noChange     = "there are no changes with names: a prompt is looked up by its words"
	inCapture    = "about capture: TestCaptureCases"
	noCommits    = "what was committed is in the repository; the command is kept with the turns when it has had output"
	ownQuery     = "about the wording of a query to another program's memory"
	noSubagent   = "the event says nothing that could be looked up; a subagent is told at its own tools (pt-040)"
)

// unrunEvents are the cases that are not run, with the reason.
var unrunEvents = map[string]string{
	"ss-004": "the shortest learning is a matter of what is stored, not of what is shown",
	"ss-013": "an agent no longer has what it was shown once its conversation is compacted: it is shown again",
	"ss-006": ownQuery, "ss-008": "about a number that another program's memory gives; what a learning needs here is measured (make eval)",
	"up-002": ownQuery, "up-003": noChange, "up-004": noChange,
	"up-011": noHeuristic, "up-014": noHeuristic, "up-015": noHeuristic, "up-016": noHeuristic, "up-017": noHeuristic,
	"up-022": noRules, "up-024": noRules, "up-027": noRules, "up-028": noRules,
	"up-031": noMood, "up-032": noMood, "up-035": noMood, "up-036": noMood, "up-037": noMood,
	"up-040": noCheckpoint, "up-041": noCheckpoint, "up-045": noCheckpoint, "up-046": noCheckpoint,
	"up-051": "learnings belong to a repository, whose worktrees and branches share them; none has a branch",
	"pt-002": ownQuery, "pt-024": "as ss-008",
	"pt-031": noCommits, "pt-034": noCommits, "pt-038": noCommits,
	"pf-002":  ownQuery,
	"sa-006":  "no client says in SubagentStart what the subagent is to do (sa-007)",
	"sa-008":  noSubagent,
	"gen-002": "without an event it is somebody at a terminal, who gets the help",
	"gen-010": "how to remember is told before anything is learned",
	"gen-039": inCapture, "gen-043": inCapture,
}

// ownWords are headings of the program that the cases were made for, and what stands there
// here.
var ownWords = map[string]string{
	"=== OPERATIONAL CHEAT SHEET ===": "", "=== PROJECT CONTEXT ===": "", "OPERATIONAL CHEAT SHEET": "OPERATIONAL CHEAT SHEET",
	"  - line one of it line two of it": "line one of it\nline two of it",
}

func TestEventCases(t *testing.T) {
	src, err := os.ReadFile(repotest.Shared(t, "cases/hooks.jsonl"))
	require.NoError(t, err)
	withoutWorkers(t)
	ran, unrun := 0, 0
	for line := range strings.Lines(string(src)) {
		var kind struct{ ID, Group string }
		require.NoError(t, json.Unmarshal([]byte(line), &kind))
		if !slices.Contains(groups, kind.Group) {
			continue
		}
		if unrunEvents[kind.ID] != "" {
			unrun++
			continue
		}
		run := ownRuns[kind.ID]
		var c eventCase
		require.NoError(t, json.Unmarshal([]byte(line), &c), kind.ID)
		if run == nil {
			run = runEvent
		}
		ran++
		t.Run(c.ID, func(t *testing.T) { run(t, c, newStage(t, c)) })
	}
	require.Equal(t, len(unrunEvents), unrun, "a case is listed that there is not")
	require.GreaterOrEqual(t, ran, 45)
	t.Logf("%d cases were run, %d are listed", ran, unrun)
}

// withoutWorkers keeps events of this process from starting a worker, which would go on beside
// the test, and after it: there is no program for one.
func withoutWorkers(t *testing.T) {
	t.Helper()
	folders := slices.DeleteFunc(filepath.SplitList(os.Getenv("PATH")), func(folder string) bool {
		found, err := filepath.Glob(filepath.Join(folder, "memory-remember*"))
		return err == nil && len(found) > 0
	})
	t.Setenv("PATH", strings.Join(folders, string(filepath.ListSeparator)))
	require.Empty(t, remember.Program())
}

// work does what a worker would do.
func (s *stage) work(t *testing.T) {
	t.Helper()
	var errs strings.Builder
	require.Zero(t, remember.Main(cli.Env{
		Args: []string{"memory-remember", "capture", "--quiet", "--store", s.home}, Dir: s.dir, Stdin: strings.NewReader(""), Stdout: &errs, Stderr: &errs,
		Getenv: func(name string) string { return map[string]string{"WHENCE_HOME": s.home}[name] },
	}, nil, store.Servers{}), &errs)
}

// stage is where a case plays: a repository, and a store with what the memory holds.
type stage struct {
	dir, home string
	texts     []string // of the learnings
}

// newStage makes the stage of a case.
func newStage(t *testing.T, c eventCase) *stage {
	s := &stage{dir: t.TempDir(), home: filepath.Join(t.TempDir(), "store")}
	if c.State.Git == nil || *c.State.Git {
		require.NoError(t, exec.Command("git", "init", "-q", s.dir).Run())
	}
	switch string(c.Memory) {
	case `"absent"`, "":
		return s
	case `"unhealthy"`:
		require.NoError(t, os.Mkdir(s.home, 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(s.home, "memory.db"), []byte(strings.Repeat("no database ", 100)), 0o600))
		return s
	}
	var memory map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(c.Memory, &memory))
	for _, from := range []string{"recall", "proactive"} {
		var found []struct{ Content string }
		if memory[from] != nil {
			require.NoError(t, json.Unmarshal(memory[from], &found))
		}
		for _, f := range found {
			if !slices.Contains(s.texts, f.Content) {
				s.texts = append(s.texts, f.Content)
			}
		}
	}
	s.learn(t, s.texts...)
	return s
}

// learn stores learnings, of the repository.
func (s *stage) learn(t *testing.T, texts ...string) {
	t.Helper()
	ctx := context.Background()
	db, err := store.Open(ctx, s.home)
	require.NoError(t, err)
	project, err := filepath.EvalSymlinks(filepath.Join(s.dir, ".git"))
	if err != nil {
		project = ""
	}
	for i, text := range texts {
		_, err := db.Import(ctx, []learning.Learning{{
			Name: fmt.Sprint("Thing ", i), Description: text, Category: learning.Heuristics, Confidence: learning.Medium, Source: learning.Retro, Project: project,
		}}, time.Now())
		require.NoError(t, err)
	}
	require.NoError(t, db.Close())
}

// say is what an agent says in a case. What the memory of the case returns is looked up by
// words here: those are in the prompt, the path, the command or the error, unless it is a
// case in which nothing of them is.
func (s *stage) say(t *testing.T, c eventCase, stdin map[string]any) []byte {
	if c.State.Raw != nil {
		return []byte(*c.State.Raw)
	}
	about := strings.Join(s.texts, " ")
	said := map[string]any{"session_id": "s-0001", "cwd": s.dir, "hook_event_name": c.Event}
	for key, value := range stdin {
		said[key] = value
	}
	if cwd, given := said["cwd"].(string); given {
		said["cwd"] = strings.ReplaceAll(cwd, "{PROJECT}", s.dir)
		require.NoError(t, os.MkdirAll(said["cwd"].(string), 0o755))
	}
	if prompt, _ := said["prompt"].(string); prompt != "" {
		said["prompt"] = prompt + "\n" + about
	}
	if failure, _ := said["error"].(string); len(failure) > 10 {
		said["error"] = failure + "\n" + about
	}
	if input, _ := said["tool_input"].(map[string]any); input != nil {
		more := map[string]any{}
		for key, value := range input {
			more[key] = value
		}
		if path, _ := input["file_path"].(string); path != "" {
			more["file_path"] = "/" + regexp.MustCompile(`\W+`).ReplaceAllString(about, "/") + path
		}
		said["tool_input"] = more
	}
	src, err := json.MarshalIndent(said, "", "  ") // pretty: a session id is found all the same
	require.NoError(t, err)
	return src
}

// told is the text in a reply.
func told(t *testing.T, reply string) string {
	if reply == "" {
		return ""
	}
	var out struct {
		Specific struct {
			Context string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	require.NoError(t, json.Unmarshal([]byte(reply), &out))
	return out.Specific.Context
}

func runEvent(t *testing.T, c eventCase, s *stage) {
	if len(c.Steps) == 0 {
		reply := ask(t, s.dir, s.home, c.Event, s.say(t, c, c.Stdin))
		requireReply(t, c.Event, reply)
		requireExpected(t, s, c.Expect, reply)
		return
	}
	for i, step := range c.Steps {
		reply := ask(t, s.dir, s.home, c.Event, s.say(t, c, step.Stdin))
		requireReply(t, c.Event, reply)
		requireExpected(t, s, c.Expect.Steps[i], reply)
	}
}

// requireExpected verifies a reply.
func requireExpected(t *testing.T, s *stage, want expected, reply string) {
	t.Helper()
	if want.Stdout != nil {
		require.Equal(t, *want.Stdout, reply)
	}
	if want.Calls != nil && len(*want.Calls) == 0 {
		require.Empty(t, reply)
	}
	text := told(t, reply)
	in := func(part string) string {
		if own, translated := ownWords[part]; translated {
			part = own
		}
		return part
	}
	for _, part := range want.Contains {
		require.Contains(t, text, in(part))
	}
	for _, part := range want.Excludes {
		require.NotContains(t, text, in(part))
	}
	for _, part := range want.Order { // the order among learnings is that of the ranking
		require.Contains(t, text, in(part))
	}
	for part, n := range want.Count {
		require.Equal(t, n, strings.Count(text, part), text)
	}
	for _, expression := range want.Matches {
		require.Regexp(t, expression, text)
	}
	if want.Lines > 0 {
		require.GreaterOrEqual(t, strings.Count(text, "\n"), want.Lines)
	}
	if want.Longest > 0 {
		require.NotEmpty(t, text)
		require.LessOrEqual(t, len([]rune(text)), want.Longest)
	}
	if want.Saved != nil && *want.Saved == 0 {
		require.Equal(t, len(s.texts), s.stored(t))
	}
}

// stored is how many learnings there are.
func (s *stage) stored(t *testing.T) (n int) {
	db, err := store.OpenReadOnly(context.Background(), s.home)
	if err != nil {
		return 0
	}
	n, err = db.Count(context.Background(), store.Filter{Everywhere: true})
	require.NoError(t, err)
	require.NoError(t, db.Close())
	return n
}

// files are all files below a folder.
func files(t *testing.T, dir string) (names []string) {
	require.NoError(t, filepath.WalkDir(dir, func(name string, e os.DirEntry, err error) error {
		if err == nil && e.Name() == ".git" {
			return filepath.SkipDir
		}
		if err == nil && !e.IsDir() {
			names = append(names, name)
		}
		return err
	}))
	return names
}

// ownRuns are the cases whose expectation needs more than a reply.
var ownRuns = map[string]func(*testing.T, eventCase, *stage){
	"ss-005": oneOfTwo, "ss-010": forgets, "ss-011": forgets, "ss-020": forgets,
	"up-048": isData, "up-049": isLate, "pt-005": runShape, "pt-040": runSubagent, "pf-007": noExitCode, "pf-008": theEnd,
	"gen-033": leavesNothing, "gen-034": leavesNothing, "gen-036": leavesNothing, "gen-037": leavesNothing,
}

// oneOfTwo: what is alike becomes one learning when it is stored.
func oneOfTwo(t *testing.T, c eventCase, s *stage) {
	require.NoError(t, os.RemoveAll(s.home))
	for _, text := range s.texts {
		require.Zero(t, remember.Main(cli.Env{
			Args: []string{"memory-remember", text}, Dir: s.dir, Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard,
			Getenv: func(name string) string { return map[string]string{"WHENCE_HOME": s.home}[name] },
		}, nil, store.Servers{}))
	}
	requireExpected(t, s, c.Expect, ask(t, s.dir, s.home, c.Event, s.say(t, c, c.Stdin)))
}

// forgets: what a session was shown is shown again if it has begun anew. What it is told
// as it begins is not told again at its first prompt, so that is switched off meanwhile.
func forgets(t *testing.T, c eventCase, s *stage) {
	const fact = "the harbour crane needs a fresh permit before every lift"
	s.learn(t, fact)
	prompt := []byte(`{"session_id":"s-0001","prompt":"does the harbour crane need a fresh permit before a lift?"}`)
	require.Contains(t, ask(t, s.dir, s.home, "UserPromptSubmit", prompt), fact)
	require.Empty(t, ask(t, s.dir, s.home, "UserPromptSubmit", prompt))
	settings := filepath.Join(s.dir, config.ProjectFile)
	require.NoError(t, os.WriteFile(settings, []byte("memory_injection_limit: 0\n"), 0o644))
	require.NotContains(t, ask(t, s.dir, s.home, c.Event, s.say(t, c, c.Stdin)), fact)
	require.Equal(t, *c.Expect.Cleared, ask(t, s.dir, s.home, "UserPromptSubmit", prompt) != "")
	require.NoError(t, os.Remove(settings))
	require.Contains(t, ask(t, s.dir, s.home, c.Event, s.say(t, c, c.Stdin)), fact)
	require.Empty(t, ask(t, s.dir, s.home, "UserPromptSubmit", prompt))
}

// isData: facts, and no orders.
func isData(t *testing.T, c eventCase, s *stage) {
	text := told(t, ask(t, s.dir, s.home, c.Event, s.say(t, c, c.Stdin)))
	require.Contains(t, text, s.texts[0])
	require.Contains(t, text, "it is data")
	require.NotRegexp(t, `(?i)\bmust\b|mandatory|cite it|===`, text)
}

// isLate: who has to wait gives no reply, in time.
func isLate(t *testing.T, c eventCase, s *stage) {
	input := s.say(t, c, c.Stdin)
	release := hold(t, s.home, "s-0001")
	start := time.Now()
	require.Equal(t, *c.Expect.Stdout, askWithin(t, hook.Deadline, s.dir, s.home, c.Event, input))
	require.Less(t, time.Since(start), time.Duration(c.Expect.Within)*time.Millisecond)
	release()
	require.Contains(t, ask(t, s.dir, s.home, c.Event, input), s.texts[0], "it was not shown, and does not count as shown")
}

func runShape(t *testing.T, c eventCase, s *stage) {
	reply := ask(t, s.dir, s.home, c.Event, s.say(t, c, c.Stdin))
	requireReply(t, c.Event, reply) // which allows no additionalContext outside
	require.Contains(t, told(t, reply), s.texts[0])
}

// runSubagent: what a subagent was shown, the main agent was not.
func runSubagent(t *testing.T, c eventCase, s *stage) {
	input := s.say(t, c, c.Stdin)
	require.Contains(t, ask(t, s.dir, s.home, c.Event, input), s.texts[0])
	require.Empty(t, ask(t, s.dir, s.home, c.Event, input))
	delete(c.Stdin, "agent_id")
	require.Contains(t, ask(t, s.dir, s.home, c.Event, s.say(t, c, c.Stdin)), s.texts[0])
}

// noExitCode: the line that an agent puts before every failure is not looked up.
func noExitCode(t *testing.T, c eventCase, s *stage) {
	s.learn(t, "exit code 1: that is what grep says if there is nothing")
	require.Empty(t, ask(t, s.dir, s.home, c.Event, s.say(t, c, c.Stdin)))
	s.learn(t, "cannot find module express: run the install of the workspace first")
	require.Contains(t, ask(t, s.dir, s.home, c.Event, s.say(t, c, c.Stdin)), "workspace first")
}

// theEnd: a long error is looked up by its end too.
func theEnd(t *testing.T, c eventCase, s *stage) {
	s.learn(t, "the real cause stands at the end")
	require.Contains(t, ask(t, s.dir, s.home, c.Event, s.say(t, c, c.Stdin)), "real cause stands")
}

// leavesNothing: what is kept of a session lies in its store, under a name of ours.
func leavesNothing(t *testing.T, c eventCase, s *stage) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	ask(t, s.dir, s.home, c.Event, s.say(t, c, c.Stdin))
	s.work(t)
	require.Empty(t, files(t, s.dir))
	require.Empty(t, files(t, temp))
	if _, err := os.Stat(s.home); err != nil {
		return
	}
	for _, name := range files(t, s.home) {
		rel, err := filepath.Rel(s.home, name)
		require.NoError(t, err)
		require.Regexp(t, `^(memory\.db(-wal|-shm)?|(hooks|events)\.log(\.1|\.lock)?|spool[/\\](\.lock|[0-9a-f.-]+)|sessions[/\\][0-9a-f]{24}\.(json|lock))$`, rel)
	}
}

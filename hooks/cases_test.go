package hooks_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
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
	"whence/internal/dispatch"
	"whence/internal/learning"
	"whence/internal/store"
	"whence/internal/test/repotest"
	"whence/internal/test/storetest"
)

// Why cases are not met.
const (
	noRules      = "a file of rules is no part of the memory: what must hold is a decision, found by its trigger"
	noMood       = "nothing is stored of a user's mood, and nothing is injected about it"
	noCheckpoint = "turns are not counted: capture keeps them, not summaries of so many prompts"
	noHeuristic  = "learnings have a category and a confidence, which are shown; single words in them warn of nothing"
	noChange     = "there are no changes with names: a prompt is looked up by its words"
	noCommits    = "what was committed is in the repository; the command is captured when it has had output"
	ownQuery     = "about the wording of a query to another program's memory"
	ownStore     = "about the store of another program: tags of branches, counts of access, clusters"
	noTopics     = "PreToolUse is not registered (seed D5): a command is looked up after it has run"
)

// unmetEvents lists the cases that are not met, with the reasons.
var unmetEvents = map[string]string{
	"ss-005": "design, third edition: texts that differ are two learnings",
	"ss-001": "expects two lists under headings: learnings are one list, in the order of their ranking",
	"ss-004": "the shortest learning is a matter of what is stored, not of what is shown",
	"ss-013": "an agent no longer has what it was shown once its conversation is compacted: it is shown again",
	"ss-006": ownQuery, "ss-008": "about a number that another program's memory gives; what a learning needs here is measured (make eval)",
	"up-002": ownQuery, "up-003": noChange, "up-004": noChange,
	"up-011": noHeuristic, "up-014": noHeuristic, "up-015": noHeuristic, "up-016": noHeuristic, "up-017": noHeuristic,
	"up-022": noRules, "up-024": noRules, "up-027": noRules,
	"up-031": noMood, "up-032": noMood, "up-035": noMood, "up-036": noMood, "up-037": noMood,
	"up-040": noCheckpoint, "up-041": noCheckpoint, "up-045": noCheckpoint, "up-046": noCheckpoint,
	"up-051": "learnings belong to a repository, whose worktrees and branches share them; none has a branch",
	"up-047": "expects three lines: a learning is one line below a heading",
	"pt-002": ownQuery, "pt-021": "about how often another program's memory is asked", "pt-024": "as ss-008",
	"pt-031": noCommits, "pt-034": noCommits, "pt-038": noCommits,
	"pf-002":  ownQuery,
	"sa-006":  "no client says in SubagentStart what the subagent is to do (sa-007)",
	"sa-008":  "the event says nothing that could be looked up; a subagent gets items at its own tools (pt-040)",
	"gen-002": "without an event it is somebody at a terminal, who gets the help",
	"gen-010": "the hint about /remember is shown before anything is learned",
	"ht-000":  noTopics, "ht-001": noTopics, "ht-003": noTopics, "ht-006": noTopics, "ht-010": noTopics,
	"ht-013":           "no list of topics is kept",
	"ht-011":           "no list of topics is kept: any command is looked up",
	"store":            ownStore,
	"metrics":          "about the numbers of another program; what is counted here is tested by internal/report",
	"real-transcripts": "counts of another reader; internal/agent/transcript and internal/capture test what is read of each",
}

// ownWords maps headings of the program for which the cases were made to what is printed instead.
var ownWords = map[string]string{
	"=== OPERATIONAL CHEAT SHEET ===": "", "=== PROJECT CONTEXT ===": "", "OPERATIONAL CHEAT SHEET": "OPERATIONAL CHEAT SHEET",
	"  - line one of it line two of it": "line one of it\nline two of it",
}

// TestEventCases runs the cases of events and recall: an event, what the memory holds for it,
// and the reply.
func TestEventCases(t *testing.T) {
	withoutWorkers(t)
	run := map[string]func(*repotest.Case){}
	for _, group := range []string{"session-start", "prompt", "post-tool", "failure", "subagent", "pre-tool", "general", "hot-topics"} {
		run[group] = func(c *repotest.Case) { runEvent(c, newStage(c)) }
	}
	for id, own := range ownRuns {
		run[id] = func(c *repotest.Case) { own(c, newStage(c)) }
	}
	repotest.Cases{File: "hooks.jsonl", Package: "hooks", Run: run, Unmet: unmetEvents}.Test(t)
}

// withoutWorkers keeps events of this process from starting a worker, which would run beside the test and after it. It
// hides the program.
func withoutWorkers(t *testing.T) {
	t.Helper()
	folders := slices.DeleteFunc(filepath.SplitList(os.Getenv("PATH")), func(folder string) bool {
		found, err := filepath.Glob(filepath.Join(folder, "memory-remember*"))
		return err == nil && len(found) > 0
	})
	t.Setenv("PATH", strings.Join(folders, string(filepath.ListSeparator)))
	_, err := cli.Program("memory-remember")
	require.ErrorIs(t, err, exec.ErrNotFound)
}

// work does what a worker would do.
func (s *stage) work(t testing.TB) {
	t.Helper()
	var errs strings.Builder
	require.Zero(t, remembers(cli.Env{
		Args: []string{"memory-remember", "capture", "--quiet", "--store", s.home}, Dir: s.dir, Stdin: strings.NewReader(""), Stdout: &errs, Stderr: &errs,
		Getenv: func(name string) string { return map[string]string{"WHENCE_HOME": s.home}[name] },
	}), &errs)
}

// stage is the scene of a case: a repository, and a store with the memory of the case.
type stage struct {
	dir, home  string
	transcript string
	raw        *string  // the input of the event, if the case has one
	texts      []string // of the learnings
}

// memoryOf describes what the memory of a case returns, or its fault.
type memoryOf struct {
	Recall, Proactive []struct {
		ID, Content string
		Score       float64 `json:"relevance_score"`
		Tags        []string
	}
	Delay int `json:"recall_delay_ms"`
}

// emptyStage returns a stage with nothing in it, not even a repository.
func emptyStage(t testing.TB) *stage {
	return &stage{dir: t.TempDir(), home: storetest.ConsentingHome(t), transcript: filepath.Join(t.TempDir(), "t.jsonl")}
}

// newStage returns the stage of a case.
func newStage(c *repotest.Case) *stage {
	s := emptyStage(c)
	state := c.Object("state")
	if state.Has("raw_stdin") {
		raw := state.Text("raw_stdin")
		s.raw = &raw
	}
	if !state.Has("git") || state.True("git") {
		require.NoError(c, exec.Command("git", "init", "-q", s.dir).Run())
	}
	for name, file := range c.Object("files").All() {
		name = filepath.Join(s.dir, filepath.FromSlash(strings.ReplaceAll(name, "{AGENT_TRANSCRIPT}", "agent.jsonl")))
		text, isText := file.(string)
		if !isText {
			text = string(transcriptOf(c, file))
		}
		require.NoError(c, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(c, os.WriteFile(name, []byte(text), 0o644))
	}
	if c.Has("transcript") {
		require.NoError(c, os.WriteFile(s.transcript, transcriptOf(c, c.Any("transcript")), 0o600))
	}
	switch string(c.Raw("memory")) {
	case `"absent"`, "":
		return s
	case `"unhealthy"`:
		require.NoError(c, os.WriteFile(filepath.Join(s.home, "memory.db"), []byte(strings.Repeat("no database ", 100)), 0o600))
		return s
	}
	var memory memoryOf
	c.Decode("memory", &memory)
	for _, found := range slices.Concat(memory.Recall, memory.Proactive) {
		if !slices.Contains(s.texts, found.Content) {
			s.texts = append(s.texts, found.Content)
		}
	}
	s.learn(c, s.texts...)
	return s
}

// learn stores learnings of the repository.
func (s *stage) learn(t testing.TB, texts ...string) {
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
func (s *stage) say(c *repotest.Case, from *repotest.Fields) []byte {
	stdin := from.Object("stdin")
	if s.raw != nil {
		return []byte(*s.raw)
	}
	about := strings.Join(s.texts, " ")
	said := map[string]any{"session_id": "s-0001", "cwd": s.dir, "hook_event_name": c.Text("event")}
	for key, value := range stdin.All() {
		if text, is := value.(string); is {
			value = strings.NewReplacer("{PROJECT}", s.dir, "{TRANSCRIPT}", s.transcript, "{AGENT_TRANSCRIPT}", filepath.Join(s.dir, "agent.jsonl")).Replace(text)
		}
		said[key] = value
	}
	if cwd, given := said["cwd"].(string); given {
		require.NoError(c, os.MkdirAll(cwd, 0o755))
	}
	if prompt, _ := said["prompt"].(string); prompt != "" {
		said["prompt"] = prompt + "\n" + about
	}
	if failure, _ := said["error"].(string); len(failure) > 10 {
		said["error"] = failure + "\n" + about
	}
	if input, _ := said["tool_input"].(map[string]any); input != nil {
		input = maps.Clone(input)
		if path, _ := input["file_path"].(string); path != "" {
			input["file_path"] = "/" + regexp.MustCompile(`\W+`).ReplaceAllString(about, "/") + path
		}
		said["tool_input"] = input
	}
	src, err := json.MarshalIndent(said, "", "  ") // pretty: a session id is found all the same
	require.NoError(c, err)
	return src
}

// told returns the text in a reply.
func told(t testing.TB, reply string) string {
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

// reply returns the reply to the event of a case, or of one of its steps.
func (s *stage) reply(c *repotest.Case, from *repotest.Fields) string {
	reply := ask(c, s.dir, s.home, c.Text("event"), s.say(c, from)) // which exits 0 and writes nothing to stderr
	requireReply(c, c.Text("event"), reply)
	return reply
}

func runEvent(c *repotest.Case, s *stage) {
	if !c.Has("steps") {
		requireExpected(c, s, c.Expect, s.reply(c, c.Fields))
		return
	}
	expected := c.Expect.Objects("steps")
	for i, step := range c.Objects("steps") {
		requireExpected(c, s, expected[i], s.reply(c, step))
	}
}

// requireExpected verifies a reply, and what it left behind. It does not expect headings, numbers and words of the
// program for which the cases were made.
func requireExpected(c *repotest.Case, s *stage, want *repotest.Fields, reply string) {
	c.Helper()
	require.Zero(c, want.Number("exit"))
	require.Empty(c, want.Text("stderr"))
	if want.Has("no_crash") {
		require.True(c, want.True("no_crash"))
	}
	if want.Has("stdout") {
		require.Equal(c, want.Text("stdout"), reply)
	}
	if want.Has("memory_calls") { // none: nothing is recalled
		require.Empty(c, want.List("memory_calls"))
		require.Empty(c, reply)
	}
	if want.Has("recall_called") {
		require.Equal(c, want.True("recall_called"), reply != "")
	}
	if want.Has("hook_event_name") {
		require.Contains(c, reply, `"hookEventName":"`+want.Text("hook_event_name")+`"`)
	}
	text := told(c, reply)
	in := func(part string) string {
		if own, translated := ownWords[part]; translated {
			part = own
		}
		return part
	}
	require.True(c, strings.HasPrefix(text, want.Text("context_starts")), text)
	for _, part := range want.Texts("context_contains") {
		require.Contains(c, text, in(part))
	}
	for _, part := range want.Texts("context_excludes") {
		require.NotContains(c, text, in(part))
	}
	rest := text
	for _, part := range want.Texts("context_order") {
		_, behind, found := strings.Cut(rest, in(part))
		require.True(c, found, "%q is not in its place: %s", part, text)
		rest = behind
	}
	for part, n := range want.Object("context_count").All() {
		require.EqualValues(c, n, strings.Count(text, part), text)
	}
	for _, expression := range want.Texts("context_matches") {
		require.Regexp(c, expression, text)
	}
	if want.Has("context_lines_min") {
		require.GreaterOrEqual(c, strings.Count(text, "\n"), want.Number("context_lines_min"))
	}
	if want.Has("context_chars_max") {
		require.NotEmpty(c, text)
		require.LessOrEqual(c, len([]rune(text)), want.Number("context_chars_max"))
	}
	for _, name := range want.Texts("files_absent") {
		require.NoFileExists(c, filepath.Join(s.dir, filepath.FromSlash(name)))
	}
	for _, path := range want.Texts("json_has") {
		require.True(c, hasPath(c, reply, path), path)
	}
	for _, path := range want.Texts("json_lacks") {
		require.False(c, hasPath(c, reply, path), path)
	}
	if want.Has("saved_count") {
		s.work(c)
		turns := captured(c, s.home)
		require.Equal(c, want.Number("saved_count"), s.stored(c)-len(s.texts)+len(turns))
	}
}

// hasPath reports whether a reply has a value at a path such as "a.b".
func hasPath(t testing.TB, reply, path string) bool {
	var value any
	require.NoError(t, json.Unmarshal([]byte(reply), &value))
	for key := range strings.SplitSeq(path, ".") {
		object, _ := value.(map[string]any)
		inner, found := object[key]
		if !found {
			return false
		}
		value = inner
	}
	return true
}

// stored returns the number of learnings.
func (s *stage) stored(t testing.TB) (n int) {
	db, err := store.OpenReadOnly(context.Background(), s.home)
	if err != nil {
		return 0
	}
	n, err = db.Count(context.Background(), store.Query{Scope: store.Scope{Everywhere: true}})
	require.NoError(t, err)
	require.NoError(t, db.Close())
	return n
}

// files returns the names of all files below a folder.
func files(t testing.TB, dir string) (names []string) {
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

// ownRuns holds the functions of those cases whose expectations need more than a reply.
var ownRuns = map[string]func(*repotest.Case, *stage){
	"ss-005": oneOfTwo, "ss-010": forgets, "ss-011": forgets, "ss-013": forgets, "ss-020": forgets,
	"up-048": isData, "up-049": isLate, "pt-005": runShape, "pt-040": runSubagent, "pf-007": noExitCode, "pf-008": theEnd,
	"gen-033": leavesNothing, "gen-034": leavesNothing, "gen-036": leavesNothing, "gen-037": leavesNothing,
}

// oneOfTwo: similar texts become one learning when they are stored.
func oneOfTwo(c *repotest.Case, s *stage) {
	require.NoError(c, os.RemoveAll(s.home))
	storetest.ConsentingClaim(c, s.home)
	for _, text := range s.texts {
		require.Zero(c, remembers(cli.Env{
			Args: []string{"memory-remember", text}, Dir: s.dir, Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard,
			Getenv: func(name string) string { return map[string]string{"WHENCE_HOME": s.home}[name] },
		}))
	}
	requireExpected(c, s, c.Expect, s.reply(c, c.Fields))
}

// forgets: what a session was shown is shown again if it has begun anew. What it is told
// as it begins is not told again at its first prompt, so that is switched off meanwhile.
func forgets(c *repotest.Case, s *stage) {
	c.Object("state").Prose("dedup", "turn_count") // of another program: what was shown is here what was shown before
	c.Expect.Prose("state_kept")
	const fact = "the harbour crane needs a fresh permit before every lift"
	s.learn(c, fact)
	prompt := []byte(`{"session_id":"s-0001","prompt":"does the harbour crane need a fresh permit before a lift?"}`)
	require.Contains(c, ask(c, s.dir, s.home, "UserPromptSubmit", prompt), fact)
	require.Empty(c, ask(c, s.dir, s.home, "UserPromptSubmit", prompt))
	settings := filepath.Join(s.dir, config.ProjectFile)
	require.NoError(c, os.WriteFile(settings, []byte("memory_injection_limit: 0\n"), 0o644))
	reply := s.reply(c, c.Fields)
	require.NotContains(c, reply, fact)
	requireExpected(c, s, c.Expect, reply)
	require.Equal(c, c.Expect.True("dedup_cleared"), ask(c, s.dir, s.home, "UserPromptSubmit", prompt) != "")
	require.NoError(c, os.Remove(settings))
	require.Contains(c, s.reply(c, c.Fields), fact)
	require.Empty(c, ask(c, s.dir, s.home, "UserPromptSubmit", prompt))
}

// isData: facts, and no orders.
func isData(c *repotest.Case, s *stage) {
	reply := s.reply(c, c.Fields)
	requireExpected(c, s, c.Expect, reply)
	text := told(c, reply)
	require.Contains(c, text, s.texts[0])
	require.Contains(c, text, "it is data")
	require.NotRegexp(c, `(?i)\bmust\b|mandatory|cite it|===`, text)
}

// isLate: an event that has to wait gives no reply, and ends in time.
func isLate(c *repotest.Case, s *stage) {
	input := s.say(c, c.Fields)
	release := hold(c, s.home)
	requireExpected(c, s, c.Expect, askWithin(c, dispatch.Deadline, s.dir, s.home, c.Text("event"), input))
	c.Expect.Prose("returns_within_ms") // it has returned, though it was not released
	release()
	require.Contains(c, ask(c, s.dir, s.home, c.Text("event"), input), s.texts[0], "it was not shown, and does not count as shown")
}

// runShape: a reply that shows something has the shape that is expected.
func runShape(c *repotest.Case, s *stage) {
	reply := s.reply(c, c.Fields)
	requireExpected(c, s, c.Expect, reply)
	require.Contains(c, told(c, reply), s.texts[0])
}

// runSubagent: what a subagent was shown, the main agent was not.
func runSubagent(c *repotest.Case, s *stage) {
	reply := s.reply(c, c.Fields)
	requireExpected(c, s, c.Expect, reply)
	require.Contains(c, reply, s.texts[0])
	require.Empty(c, s.reply(c, c.Fields))
	delete(c.Any("stdin").(map[string]any), "agent_id")
	require.Contains(c, s.reply(c, c.Fields), s.texts[0])
}

// queries returns the parts of queries that a case expects or forbids.
func queries(c *repotest.Case, key string) (parts []string) {
	for _, call := range c.Expect.Objects("memory_calls_include") {
		call.Prose("op")
		parts = append(parts, call.Texts(key)...)
	}
	require.NotEmpty(c, parts)
	return parts
}

// noExitCode: the line that an agent puts before every failure is not looked up.
func noExitCode(c *repotest.Case, s *stage) {
	for _, part := range queries(c, "query_excludes") {
		s.learn(c, part+": that is what grep says if there is nothing")
	}
	reply := s.reply(c, c.Fields)
	requireExpected(c, s, c.Expect, reply)
	require.Empty(c, reply)
	s.learn(c, "cannot find module express: run the install of the workspace first")
	require.Contains(c, s.reply(c, c.Fields), "workspace first")
}

// theEnd: a long error is looked up by its end, too.
func theEnd(c *repotest.Case, s *stage) {
	parts := queries(c, "query_contains")
	s.learn(c, parts...)
	reply := s.reply(c, c.Fields)
	requireExpected(c, s, c.Expect, reply)
	for _, part := range parts {
		require.Contains(c, reply, part)
	}
}

// leavesNothing: everything that is kept of a session is in its store, under a name of ours.
func leavesNothing(c *repotest.Case, s *stage) {
	c.Expect.Prose("no_file_outside", "tmp_files_left", "no_dir_created", "state_dir") // which are all below
	temp := c.TempDir()
	c.Setenv("TMPDIR", temp)
	requireExpected(c, s, c.Expect, s.reply(c, c.Fields))
	s.work(c)
	require.Empty(c, files(c, s.dir))
	require.Empty(c, files(c, temp))
	if _, err := os.Stat(s.home); err != nil {
		return
	}
	documented := documentedFiles(c)
	for _, name := range files(c, s.home) {
		rel, err := filepath.Rel(s.home, name)
		require.NoError(c, err)
		require.True(c, slices.ContainsFunc(documented, func(listed string) bool {
			return rel == listed || strings.HasPrefix(filepath.ToSlash(rel), listed) && (strings.HasSuffix(listed, "/") || variants[rel[len(listed):]])
		}), "docs/hooks.md does not list %s", rel)
	}
}

// variants follow the names of files that are listed.
var variants = map[string]bool{"-wal": true, "-shm": true, ".1": true, ".lock": true}

// documentedFiles returns the names of the files of the store, as docs/hooks.md lists them.
func documentedFiles(t testing.TB) (names []string) {
	src, err := os.ReadFile("../docs/hooks.md")
	require.NoError(t, err)
	_, table, _ := strings.Cut(string(src), "| file | what is in it |")
	table, _, _ = strings.Cut(table, "\n\n")
	for line := range strings.Lines(table) {
		cell, _, _ := strings.Cut(strings.TrimPrefix(line, "|"), "|")
		for _, name := range regexp.MustCompile("`(.+?)`").FindAllStringSubmatch(cell, -1) {
			names = append(names, name[1])
		}
	}
	require.Greater(t, len(names), 5)
	return names
}

package remember_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
)

// The acceptance criteria (AC) and success criteria (SC) of the specification of
// /remember, each as its number says.

const suppress = "always suppress stderr in hook subprocesses to prevent JSON corruption"

func (l *learner) local(settings string) {
	l.t.Helper()
	require.NoError(l.t, os.MkdirAll(filepath.Join(l.dir, ".claude"), 0o755))
	require.NoError(l.t, os.WriteFile(filepath.Join(l.dir, ".claude", "whence.local.md"), []byte("---\n"+settings+"\n---\n"), 0o644))
}

// insight is a call of store_memory.
func insight(description string, more ...any) map[string]any {
	call := map[string]any{"name": "Insight", "description": description, "reasoning": "seen", "category": "heuristics", "confidence": "low"}
	for i := 0; i < len(more); i += 2 {
		call[more[i].(string)] = more[i+1]
	}
	return call
}

func TestAC1ALearningIsStored(t *testing.T) {
	l := newLearner(t)
	message := l.good(suppress)
	m := regexp.MustCompile(`^Stored: (.+) \((anti-patterns|patterns|heuristics)\)$`).FindStringSubmatch(message)
	require.NotNil(t, m, message)
	require.LessOrEqual(t, utf8.RuneCountInString(m[1]), 60)
	var name, category, description, reasoning, confidence, source string
	l.query(`SELECT name, category, description, reasoning, confidence, source FROM entries`, &name, &category, &description, &reasoning, &confidence, &source)
	require.Equal(t, []string{m[1], m[2], suppress, "low", "session-capture"}, []string{name, category, description, confidence, source})
	require.NotEmpty(t, reasoning)
}

func TestAC2WhatIsTooShortIsNotStored(t *testing.T) {
	l := newLearner(t)
	for _, text := range []string{"fix bug", "", "   fix bug            ", "nineteen characters"} {
		got := l.run(text)
		require.Equal(t, 3, got.Status)
		require.Contains(t, got.Stderr, "Learning too short (need at least 20 characters). Please provide more detail.")
		require.Empty(t, got.Stdout)
	}
	require.NoFileExists(t, l.file())
	l.good("twenty characters it")
}

func TestAC3ADuplicateReinforces(t *testing.T) {
	l := newLearner(t)
	l.good(suppress)
	require.Regexp(t, `^Reinforced: .+ — observation count incremented$`, l.good("  ALWAYS suppress\tstderr  in hook subprocesses to prevent JSON corruption "))
	var rows, observations int
	var description string
	l.query(`SELECT count(*), max(observation_count), max(description) FROM entries`, &rows, &observations, &description)
	require.Equal(t, 1, rows)
	require.Equal(t, 2, observations)
	require.Equal(t, suppress, description)
	l.good("hooks print to stdout alone, whatever their children say")
	require.Equal(t, 2, l.rows())
}

func TestAC4AskFirst(t *testing.T) {
	l := newLearner(t)
	for _, settings := range []string{"# nothing is set", "memory_model_capture_mode: ask-first"} {
		l.local(settings)
		texts, isError := l.call("store_memory", insight("the linter wants tabs, not blanks"))
		require.False(t, isError)
		require.Contains(t, texts[0], "Proposed, not stored: Insight (heuristics)")
		for _, shown := range []string{"Insight", "heuristics", "the linter wants tabs", "seen"} {
			require.Contains(t, strings.Join(texts, "\n"), shown)
		}
		require.Zero(t, l.rows())
	}
	texts, _ := l.call("store_memory", insight("the linter wants tabs, not blanks", "approved", false))
	require.Contains(t, texts[0], "Discarded")
	texts, _ = l.call("store_memory", insight("The linter wants tabs, not blanks!"))
	require.Contains(t, texts[0], "Do not propose it again")
	require.Len(t, texts, 1)
	require.Zero(t, l.rows())
	texts, _ = l.call("store_memory", insight("the fixtures are made by make fixtures", "approved", true))
	require.Regexp(t, `^Stored: Insight \(id: [0-9a-f]{16}\)$`, texts[0])
	require.Equal(t, 1, l.rows())
}

func TestAC5Silent(t *testing.T) {
	l := newLearner(t)
	l.local("memory_model_capture_mode: silent")
	texts, isError := l.call("store_memory", insight("the linter wants tabs, not blanks"))
	require.False(t, isError)
	require.Equal(t, "Captured: Insight (heuristics)", texts[0])
	var confidence, source string
	l.query(`SELECT confidence, source FROM entries`, &confidence, &source)
	require.Equal(t, "low session-capture", confidence+" "+source)
}

// Each call has a server of its own: the count is that of the session, not of a process.
func TestAC6TheBudgetOfASession(t *testing.T) {
	const reached = "Silent capture budget reached. Proposing remaining learnings for approval."
	l := newLearner(t)
	l.local("memory_model_capture_mode: silent")
	for i := range 5 {
		texts, _ := l.call("store_memory", insight(fmt.Sprintf("insight %d%d%d of this long session", i, i, i)))
		require.Contains(t, texts[0], "Captured: ", i)
		require.Contains(t, texts[1], fmt.Sprintf("Silent captures this session: %d/5", i+1))
	}
	for range 2 {
		texts, _ := l.call("store_memory", insight("one insight more than there may be"))
		require.Equal(t, reached, texts[0])
		require.Contains(t, texts[1], "one insight more than there may be")
		require.Equal(t, 5, l.rows())
	}
	l.settings["WHENCE_SESSION"] = "s2"
	texts, _ := l.call("store_memory", insight("one insight more than there may be"))
	require.Contains(t, texts[0], "Captured: ")
	l.local("memory_model_capture_mode: silent\nmemory_silent_capture_budget: 0")
	l.settings["WHENCE_SESSION"] = "s3"
	texts, _ = l.call("store_memory", insight("nothing at all is captured in silence"))
	require.Equal(t, reached, texts[0])
}

func TestAC7Off(t *testing.T) {
	l := newLearner(t)
	l.local("memory_model_capture_mode: off")
	texts, _ := l.call("store_memory", insight("the linter wants tabs, not blanks"))
	require.Len(t, texts, 1)
	require.Contains(t, texts[0], "Do not propose learnings")
	require.Zero(t, l.rows())
	l.good("what the user types is stored all the same")
	require.Equal(t, 1, l.rows())
}

func TestAC8WithoutAServer(t *testing.T) {
	l := newLearner(t)
	entry := `{"name": "Quote variables", "description": "always quote shell variables in hooks", "reasoning": "r", "category": "patterns", "source": "session-capture", "confidence": "low"}`
	store := func() string { return l.runWith(entry, "store", "--stdin", "--approved").Stdout }
	require.Equal(t, "Stored: Quote variables (id: e0999ca62efa4a19)\n", store())
	require.Equal(t, "Reinforced: Quote variables (id: e0999ca62efa4a19, observations: 2)\n", store())
}

func TestAC9ConfidenceIsOptional(t *testing.T) {
	l := newLearner(t)
	call := insight("the linter wants tabs, not blanks", "approved", true)
	for _, want := range []string{"low", "high", "medium"} {
		call["confidence"], call["description"] = want, "a learning of "+want+" confidence, said once"
		if want == "medium" {
			delete(call, "confidence")
		}
		texts, isError := l.call("store_memory", call)
		require.False(t, isError, texts)
		var got string
		l.query(`SELECT confidence FROM entries ORDER BY seq DESC LIMIT 1`, &got)
		require.Equal(t, want, got)
	}
	call["confidence"] = "lowest"
	texts, isError := l.call("store_memory", call)
	require.True(t, isError)
	require.Equal(t, "Error: invalid confidence 'lowest'. Must be one of: high, low, medium", texts[0])
}

// begin returns the text that an agent gets when a session begins.
func (l *learner) begin(session string, flags ...string) string {
	l.t.Helper()
	event, err := json.Marshal(map[string]string{"session_id": session, "hook_event_name": "SessionStart", "source": "startup", "cwd": l.dir})
	require.NoError(l.t, err)
	got := l.runWith(string(event), append([]string{"hook", "SessionStart"}, flags...)...)
	require.Zero(l.t, got.Status)
	require.Empty(l.t, got.Stderr)
	if got.Stdout == "" {
		return ""
	}
	var reply struct {
		HookSpecificOutput struct{ HookEventName, AdditionalContext string }
	}
	require.NoError(l.t, json.Unmarshal([]byte(got.Stdout), &reply))
	require.Equal(l.t, "SessionStart", reply.HookSpecificOutput.HookEventName)
	return reply.HookSpecificOutput.AdditionalContext
}

func TestAC10TheHintAtTheStart(t *testing.T) {
	const tip = "Tip: Use `/remember <learning>` to capture insights, or use the `store_memory` MCP tool directly."
	l := newLearner(t)
	l.settings["CLAUDE_PLUGIN_ROOT"] = repotest.Root(t)
	lines := strings.Split(l.begin("s1"), "\n")
	require.Contains(t, lines, tip)
	for i, line := range lines {
		if line == tip {
			require.Contains(t, lines[i-1], "Available commands: ")
		}
	}
	l.local("memory_injection_enabled: false")
	require.Empty(t, l.begin("s1"))
}

func TestAC11TheSkillNamesItsTriggers(t *testing.T) {
	s := readSkill(t, "capturing-learnings")
	for number, words := range []string{"(?i)user corrects", "(?i)nobody would expect|unexpected", "(?i)same error .*twice", "(?i)preference or a convention", "(?i)workaround is found"} {
		part := regexp.MustCompile(fmt.Sprintf(`(?ms)^%d\. (.*?)(^%d\. |^Not worth|\z)`, number+1, number+2)).FindStringSubmatch(s.text)
		require.NotNil(t, part, words)
		require.Regexp(t, words, strings.Join(strings.Fields(part[1]), " "))
		require.Contains(t, part[1], "Example: ")
	}
}

func TestAC12TheCategoryIsInferred(t *testing.T) {
	l := newLearner(t)
	for text, want := range map[string]string{
		"never use --force-push on main":        "anti-patterns",
		"always run tests before committing":    "patterns",
		"Python hooks need stderr suppression":  "heuristics",
		"qqq zzz www lorem ipsum dolor sit":     "heuristics",
		"the staging DB is reset every morning": "heuristics",
	} {
		require.Contains(t, l.good(text), "("+want+")", text)
	}
}

func TestAC13AnAgentWithoutAServer(t *testing.T) {
	args := []string{"store", "--name", "Insight", "--description", "the linter wants tabs, not blanks", "--reasoning", "seen", "--category", "heuristics", "--confidence", "low"}
	l := newLearner(t)
	got := l.run(args...)
	require.Equal(t, 1, got.Status)
	require.Contains(t, got.Stdout, "Proposed, not stored: Insight (heuristics)")
	require.Contains(t, l.good(append(args, "--approved")...), "Stored: Insight (id: ")
	l = newLearner(t)
	l.local("memory_model_capture_mode: silent")
	require.Contains(t, l.good(args...), "Captured: Insight (heuristics)\n")

	// Neither server nor command: an error is shown, and nothing is counted.
	require.NoError(t, os.WriteFile(filepath.Join(l.dir, "file"), nil, 0o644))
	l.settings["WHENCE_HOME"] = filepath.Join(l.dir, "file")
	got = l.run(args...)
	require.Equal(t, 4, got.Status)
	require.Regexp(t, `^memory-remember: Failed to store learning: .+\n$`, got.Stderr)
	texts, isError := l.call("store_memory", insight("the linter wants tabs, not blanks"))
	require.True(t, isError)
	require.Regexp(t, `^Failed to store learning: `, texts[0])
}

// counting is an endpoint for embeddings that counts what it is asked.
func counting(t *testing.T, asked *atomic.Int32) (url string) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		var question struct{ Input []string }
		if json.NewDecoder(r.Body).Decode(&question) != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		type item struct {
			Index     int       `json:"index"`
			Embedding []float32 `json:"embedding"`
		}
		var data []item
		for i := range question.Input {
			data = append(data, item{i, []float32{1, float32(i), 2}})
		}
		json.NewEncoder(w).Encode(map[string]any{"data": data})
	}))
	t.Cleanup(server.Close)
	return server.URL + "/v1"
}

// The program that confirms does not ask the endpoint, and so waits for none: another process
// does, later.
func TestSC1TheConfirmationComesAtOnce(t *testing.T) {
	beside := repotest.Build(t, t.TempDir(), "whence/remember/memory-remember")
	alone := filepath.Join(t.TempDir(), "alone") // it finds no other
	require.NoError(t, os.Link(beside, alone))
	l := newLearner(t)
	var asked atomic.Int32
	l.usesEmbeddings(counting(t, &asked), "m")
	remembers := func(binary string) {
		t.Helper()
		cmd := exec.Command(binary, suppress)
		cmd.Dir = l.dir
		cmd.Env = append(os.Environ(), "PATH=", "WHENCE_HOME="+l.settings["WHENCE_HOME"])
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		require.Regexp(t, `^(Stored|Reinforced): `, string(out))
	}
	remembers(alone)
	require.Zero(t, asked.Load())
	remembers(beside)
	require.Eventually(t, func() bool {
		var n int
		l.query(`SELECT count(embedding) FROM entries`, &n)
		return n == 1
	}, 5*time.Minute, 50*time.Millisecond)
}

func TestSC2TheModeIsASetting(t *testing.T) {
	for mode, want := range map[string]string{"ask-first": "Proposed", "silent": "Captured", "off": "Not stored"} {
		l := newLearner(t)
		l.local("memory_model_capture_mode: " + mode)
		texts, _ := l.call("store_memory", insight("the linter wants tabs, not blanks"))
		require.Contains(t, texts[0], want)
		l.local("")
		l.sets("memory_model_capture_mode: " + mode)
		l.settings["WHENCE_SESSION"] = "s2"
		texts, _ = l.call("store_memory", insight("the fixtures are made by make fixtures"))
		require.Contains(t, texts[0], want)
	}
}

func TestSC3CapturesSurfaceInLaterSessions(t *testing.T) {
	l := newLearner(t)
	l.good(suppress)
	require.Contains(t, l.begin("s2"), suppress)
}

// The share is that of all that was ever put before an agent, by the specification's own
// statement.
func TestSC4TheShareOfSessionCaptures(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing here runs side by side")
	}
	l := newLearner(t)
	var lines strings.Builder
	for i := range 60 {
		source, confidence := "session-capture", "low"
		if i%4 == 0 {
			source, confidence = "retro", "medium"
		}
		fmt.Fprintf(&lines, `{"name":"Matter %[1]d","description":"matter %[1]d concerns topic%[1]d and nothing besides","category":"patterns","source":%[2]q,"confidence":%[3]q}`+"\n", i, source, confidence)
	}
	require.Zero(t, l.runWith(lines.String(), "import", "-").Status)
	for session := range 5 { // each on a topic of its own, of which a capture speaks
		branch := fmt.Sprintf("topic%d", 4*session+1)
		require.NoError(t, exec.Command("git", "-C", l.dir, "-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-q", "--allow-empty", "-m", branch).Run())
		require.NoError(t, exec.Command("git", "-C", l.dir, "checkout", "-q", "-b", branch).Run())
		require.NotEmpty(t, l.begin(fmt.Sprint("s", session)))
	}
	var share float64
	l.query(`SELECT ROUND(100.0 * SUM(CASE WHEN source='session-capture' THEN 1 ELSE 0 END) / COUNT(*), 1) FROM entries WHERE last_recalled_at IS NOT NULL`, &share)
	require.Greater(t, share, 0.0)
	require.LessOrEqual(t, share, 40.0)
}

func TestSC5TheCapturesOfAWeekAreCounted(t *testing.T) {
	l := newLearner(t)
	l.good(suppress)
	l.good("the fixtures are made by make fixtures")
	texts, _ := l.call("store_memory", insight("the linter wants tabs, not blanks", "approved", true))
	require.Contains(t, texts[0], "Stored: ")
	require.Zero(t, l.runWith(`{"description":"an older one, that does not count","source":"session-capture","created":"2020-01-02T03:04:05Z"}`, "import", "-").Status)
	var n int
	l.query(`SELECT COUNT(*) FROM entries WHERE source='session-capture' AND created_at > date('now', '-7 days')`, &n)
	require.Equal(t, 3, n)
}

package remember_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"whence/internal/test/repotest"

	"github.com/stretchr/testify/require"
)

// nowhere is a learner outside of any repository.
func nowhere(t testing.TB) *learner {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	return &learner{t, dir, map[string]string{"WHENCE_HOME": repotest.Home(t), "WHENCE_SESSION": "s1"}}
}

// exec changes the database behind the program's back.
func (l *learner) exec(statement string) error {
	l.t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(l.file())+"?_pragma=busy_timeout(20000)")
	require.NoError(l.t, err)
	defer db.Close()
	_, err = db.Exec(statement)
	return err
}

// broken makes the store one that cannot be used.
func (l *learner) broken() {
	l.t.Helper()
	l.settings["WHENCE_HOME"] = filepath.Join(l.dir, "file")
	require.NoError(l.t, os.WriteFile(l.settings["WHENCE_HOME"], nil, 0o600))
}

func lengthCase(c *repotest.Case) string {
	l := nowhere(c)
	in, want := c.Object("input"), c.Expect
	if in.Has("store") {
		call := approved(in.Any("store"))
		texts, isError := l.call("store_memory", call)
		return repotest.Differs(want.True("stored"), !isError) + repotest.Differs(0, l.rows()) + problemUnless(len(texts) == 1, texts)
	}
	if in.Has("cli_upsert") {
		got := l.runWith(string(in.Raw("cli_upsert")), "store", "--stdin", "--approved")
		return repotest.Differs("non-zero", want.Text("exit")) + repotest.Differs(1, got.Status) + repotest.Differs(want.True("stored"), l.rows() > 0)
	}
	got := l.run(in.Text("remember"))
	if problem := repotest.Differs(want.True("stored"), got.Status == 0); problem != "" {
		return problem + got.Stderr
	}
	if message := want.Text("message"); !strings.Contains(got.Stderr, message) {
		return got.Stderr
	}
	if want.Has("rows_after") {
		return repotest.Differs(want.Number("rows_after"), l.rows())
	}
	return ""
}

// approved is a call that the user has approved of.
func approved(call any) map[string]any {
	arguments := call.(map[string]any)
	arguments["approved"] = true
	return arguments
}

func problemUnless(fine bool, what any) string {
	if fine {
		return ""
	}
	return fmt.Sprint(what)
}

func rememberCase(c *repotest.Case) string {
	l := nowhere(c)
	in, want := c.Object("input"), c.Expect
	if in.Has("title") {
		l.good("a text that is long enough for any learning", "--name", in.Text("title"))
		return repotest.Differs(want.Text("name"), l.column("name"))
	}
	if in.True("both_backends_down") {
		l.broken()
	}
	var messages []string
	for range max(1, in.Number("repeat")) {
		got := l.runWith(in.Text("remember"), "-")
		message := strings.TrimSuffix(got.Stdout, "\n")
		if got.Status != 0 {
			message = strings.TrimPrefix(strings.TrimSuffix(got.Stderr, "\n"), "memory-remember: ")
		}
		if want.Has("stored") && want.True("stored") != (got.Status == 0) {
			return message
		}
		messages = append(messages, message)
	}
	patterns := want.Texts("messages")
	if want.Has("message_regex") {
		patterns = []string{want.Text("message_regex")}
	}
	for i, pattern := range patterns {
		expression := strings.ReplaceAll(pattern, `\u2014`, "—") // which Go's expressions do not know
		if !regexp.MustCompile(expression).MatchString(messages[i]) {
			return messages[i]
		}
	}
	if in.True("both_backends_down") {
		return ""
	}
	row := want.Object("row")
	for _, column := range row.Keys() {
		if problem := repotest.Differs(row.Any(column), l.column(column)); problem != "" {
			return column + ": " + problem
		}
	}
	if want.Has("observation_count") {
		return repotest.Differs(want.Number("observation_count"), l.column("observation_count")) + repotest.Differs(want.Number("rows"), l.rows())
	}
	if want.Has("name_max_chars") && utf8.RuneCountInString(fmt.Sprint(l.column("name"))) > want.Number("name_max_chars") {
		return "the name is too long"
	}
	if want.True("reasoning_non_empty") && l.column("reasoning") == "" {
		return "there is no reasoning"
	}
	if want.True("nothing_executed") { // no shell is started, which would have changed the text
		return repotest.Differs(strings.TrimSpace(in.Text("remember")), l.column("description"))
	}
	return ""
}

// column is a value of the first row.
func (l *learner) column(name string) (value any) {
	l.t.Helper()
	l.query(`SELECT "`+name+`" FROM entries ORDER BY seq LIMIT 1`, &value)
	return value
}

// storeCase makes calls that the user has approved of.
func storeCase(c *repotest.Case) string {
	l := nowhere(c)
	in := c.Object("input")
	if in.Has("columns_check") {
		in.Prose("columns_check")
		l.good("a text that is long enough for any learning")
		for _, column := range []string{"category", "source", "confidence"} {
			if c.Expect.True("db_rejects_other_values") != (l.exec(`UPDATE entries SET `+column+` = 'tips'`) != nil) {
				return column + " takes anything"
			}
		}
		return ""
	}
	calls, several := in.Any("store_memory").([]any)
	if !several {
		calls = []any{in.Any("store_memory")}
	}
	var returns []string
	for _, call := range calls {
		texts, isError := l.call("store_memory", approved(call))
		require.False(c, isError, texts)
		returns = append(returns, texts[0])
	}
	last := returns[len(returns)-1]
	for _, key := range c.Expect.Keys() {
		want := c.Expect.Any(key)
		problem := ""
		switch key {
		case "returns":
			problem = repotest.Differs(want, returns)
		case "last_return":
			problem = repotest.Differs(want, last)
		case "rows":
			if rows, isList := want.([]any); isList {
				problem = repotest.Differs(len(rows), l.rows())
				for column, value := range rows[0].(map[string]any) {
					problem += repotest.Differs(value, l.column(column))
				}
			} else {
				problem = repotest.Differs(want, l.rows())
			}
		case "confidence", "observation_count":
			problem = repotest.Differs(want, l.column(key))
		case "row_description":
			problem = repotest.Differs(want, l.column("description"))
		case "confirmation_shows_stored_name_and_category": // name to an agent; both to who types it
			name, _, _ := strings.Cut(want.(string), " (")
			typed := l.good(calls[0].(map[string]any)["description"].(string))
			problem = problemUnless(strings.HasPrefix(last, "Reinforced: "+name+" (") && strings.HasPrefix(typed, "Reinforced: "+want.(string)), last+typed)
		default:
			problem = "unknown expectation"
		}
		if problem != "" {
			return key + ": " + problem
		}
	}
	return ""
}

func validateCase(c *repotest.Case) string {
	l := nowhere(c)
	texts, isError := l.call("store_memory", approved(c.Object("input").Any("store_memory")))
	if !isError {
		return "is accepted"
	}
	return repotest.Differs(c.Expect.Text("returns"), texts[0]) + repotest.Differs(c.Expect.Number("rows"), l.rows())
}

func cliCase(c *repotest.Case) string {
	l := newLearner(c)
	got := l.runWith(c.Object("input").Text("entry_json"), "store", "--stdin", "--approved")
	for _, key := range c.Expect.Keys() {
		want := c.Expect.Any(key)
		problem := ""
		switch key {
		case "exit":
			problem = repotest.Differs(want, got.Status)
		case "stdout":
			problem = repotest.Differs(want, strings.TrimSuffix(got.Stdout, "\n"))
		case "stderr":
			problem = repotest.Differs(want, strings.TrimSuffix(got.Stderr, "\n"))
		case "rows":
			problem = repotest.Differs(want, l.rows())
		case "stderr_names_allowed_values":
			problem = repotest.Differs(want, strings.Contains(got.Stderr, "'high', 'low', 'medium'"))
		case "stderr_one_line":
			problem = repotest.Differs(want, strings.Count(got.Stderr, "\n") == 1)
		case "no_traceback":
			problem = repotest.Differs(want, !strings.Contains(got.Stderr, "goroutine") && got.Stdout == "")
		case "row_description_has_no_nul": // it is refused, so there is no row
			problem = repotest.Differs(want, l.rows() == 0)
		default:
			problem = "unknown expectation"
		}
		if problem != "" {
			return key + ": " + problem + got.Stderr
		}
	}
	return ""
}

// actions has the names that the cases give to decisions, by the beginning of the answer.
var actions = map[string]string{
	"Stored:": "store", "Captured:": "store", "Proposed,": "propose", "Silent capture budget reached.": "propose", "Discarded:": "discard",
	"Not stored: the user has turned": "nothing", "Not stored: capture is switched off": "off", "Reinforced:": "store",
}

// policyCase captures as an agent does, on the command line.
func policyCase(c *repotest.Case) string {
	l := newLearner(c)
	in := c.Object("input")
	in.Prose("event", "user", "same_insight_again", "already_announced", "two_processes", "mcp", "cli")
	settings := ""
	if mode := in.Text("mode"); mode != "" {
		settings = "memory_model_capture_mode: " + mode
	}
	if in.Has("budget") {
		settings += fmt.Sprint("\nmemory_silent_capture_budget: ", in.Number("budget"))
	}
	l.local(settings)
	type reply struct {
		action, message, text string
		silent                int
	}
	capture := func(description string, more ...string) (got reply) {
		run := l.run(append([]string{"store", "--name", "Insight", "--description", description, "--reasoning", "seen", "--category", "patterns", "--confidence", "low"}, more...)...)
		if run.Stdout == "" {
			return reply{action: "failed", message: run.Stderr}
		}
		got.text = run.Stdout
		got.message, _, _ = strings.Cut(run.Stdout, "\n")
		for beginning, action := range actions {
			if strings.HasPrefix(run.Stdout, beginning) {
				got.action = action
			}
		}
		if _, count, found := strings.Cut(run.Stdout, "Silent captures this session: "); found {
			_, err := fmt.Sscanf(count, "%d/", &got.silent)
			require.NoError(c, err)
		}
		return got
	}
	for i := range in.Number("captures_so_far") {
		capture(fmt.Sprintf("matter %d%d%d concerns topic%d only", i, i, i, i))
	}
	const insight = "the linter wants tabs, not blanks"
	differs := func(key string, got any) string { return repotest.Differs(c.Expect.Any(key), got) }
	switch c.ID {
	case "policy-03":
		got := capture(insight, "--approved")
		return differs("action", got.action) + differs("confidence", l.column("confidence")) + differs("source", l.column("source"))
	case "policy-04":
		return differs("first", capture(insight, "--rejected").action) + differs("second", capture(insight).action)
	case "policy-11":
		require.NoError(c, l.exec(`CREATE TRIGGER full BEFORE INSERT ON entries BEGIN SELECT raise(ABORT, 'disk full'); END`))
		if got := capture(insight); got.action != "failed" {
			return got.message
		}
		require.NoError(c, l.exec(`DROP TRIGGER full`))
		return differs("captures_after", capture(insight).silent-1)
	case "policy-13":
		if got := l.run(insight); got.Status != 0 {
			return got.Stderr
		}
		return repotest.Differs(1, l.rows()) + differs("action", "store")
	case "policy-15": // "disabled" is a word for off: no mistake, so that there is nothing to warn of
		c.Expect.Prose("warn")
		return differs("effective_mode", capture(insight).action)
	case "policy-17":
		for i := range in.Number("budget") {
			capture(fmt.Sprintf("matter %d%d%d concerns topic%d only", i, i, i, i))
		}
		return differs("budget_still_counts", strings.HasPrefix(capture(insight).message, "Silent capture budget reached."))
	case "policy-19":
		l.broken()
		got := capture(insight)
		return repotest.Differs("failed", got.action) + differs("action", "none") + differs("shows_error", strings.Contains(got.message, "Failed to store learning: ")) +
			differs("session_continues", l.runWith("{}", "hook", "SessionStart").Status == 0)
	}
	got := capture(insight)
	for _, key := range c.Expect.Keys() {
		want := c.Expect.Any(key)
		problem := ""
		switch key {
		case "action":
			problem = repotest.Differs(want, got.action)
		case "stores_before_approval":
			problem = repotest.Differs(want, l.rows() > 0)
		case "shows":
			for _, field := range want.([]any) {
				part := map[string]string{"name": "Insight", "category": "patterns", "description": insight, "reasoning": "seen"}[field.(string)]
				problem += problemUnless(part != "" && strings.Contains(got.text, part), field)
			}
		case "confidence":
			problem = repotest.Differs(want, l.column(key))
		case "message_regex":
			problem = problemUnless(regexp.MustCompile(want.(string)).MatchString(got.message), got.message)
		case "message":
			problem = repotest.Differs(want, got.message)
		case "captures_after":
			problem = repotest.Differs(want, got.silent)
		case "blocking":
			problem = repotest.Differs(want, got.action == "propose")
		default:
			problem = "unknown expectation"
		}
		if problem != "" {
			return key + ": " + problem
		}
	}
	return ""
}

func lifecycleCase(c *repotest.Case) string {
	l := nowhere(c)
	in, want := c.Object("input"), c.Expect
	const known = "always quote shell variables in hooks"
	switch c.ID {
	case "lifecycle-11": // confidence wanes when it is read: nothing is written for that
		in.Prose("decay")
		for _, args := range [][]string{{"list"}, {"search", "anything"}, {"export"}, {"hook", "SessionStart"}} {
			l.runWith("{}", args...)
		}
		_, err := os.Stat(filepath.Join(l.settings["WHENCE_HOME"], "memory.db"))
		return repotest.Differs(want.True("db_created"), err == nil) + repotest.Differs(0, want.Number("writes"))
	case "lifecycle-20":
		l.good(known)
		texts, isError := l.call("forget_memory", map[string]any{"id": in.Text("delete_memory")})
		var wanted, got any
		if json.Unmarshal([]byte(want.Text("returns")), &wanted) != nil || json.Unmarshal([]byte(texts[0]), &got) != nil {
			return texts[0]
		}
		return repotest.Differs(wanted, got) + repotest.Differs(true, isError)
	}
	return "no such case"
}

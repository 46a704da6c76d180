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

	"whence/internal/repotest"

	"github.com/stretchr/testify/require"
)

// nowhere is a learner outside of any repository.
func nowhere(t *testing.T) *learner {
	t.Helper()
	return &learner{t, t.TempDir(), map[string]string{"WHENCE_HOME": filepath.Join(t.TempDir(), "store"), "WHENCE_SESSION": "s1"}}
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

func lengthCase(t *testing.T, c sharedCase) string {
	l := nowhere(t)
	if call := repotest.Object(c.Input, "store"); call != nil {
		call["approved"] = true
		texts, isError := l.call("store_memory", call)
		return repotest.Differs("true 0", fmt.Sprint(isError, " ", l.rows())) + problemUnless(len(texts) == 1, texts)
	}
	if entry := repotest.Object(c.Input, "cli_upsert"); entry != nil {
		src, _ := json.Marshal(entry)
		return repotest.Differs("1 0", fmt.Sprint(l.run("write", "--entry-json", string(src)).Status, " ", l.rows()))
	}
	got := l.run(repotest.Text(c.Input, "remember"))
	if problem := repotest.Differs(c.Expect["stored"], got.Status == 0); problem != "" {
		return problem + got.Stderr
	}
	if want := repotest.Text(c.Expect, "message"); !strings.Contains(got.Stderr, want) {
		return got.Stderr
	}
	if has(c.Expect, "rows_after") {
		return repotest.Differs(repotest.Number(c.Expect, "rows_after"), l.rows())
	}
	return ""
}

func problemUnless(fine bool, what any) string {
	if fine {
		return ""
	}
	return fmt.Sprint(what)
}

func rememberCase(t *testing.T, c sharedCase) string {
	l := nowhere(t)
	if title := repotest.Text(c.Input, "title"); title != "" {
		l.good("a text that is long enough for any learning", "--name", title)
		return repotest.Differs(c.Expect["name"], l.column("name"))
	}
	if c.Input["both_backends_down"] == true {
		l.broken()
	}
	var messages []string
	for range max(1, repotest.Number(c.Input, "repeat")) {
		got := l.runWith(repotest.Text(c.Input, "remember"), "-")
		message := strings.TrimSuffix(got.Stdout, "\n")
		if got.Status != 0 {
			message = strings.TrimPrefix(strings.TrimSuffix(got.Stderr, "\n"), "memory-remember: ")
		}
		if has(c.Expect, "stored") && c.Expect["stored"] != (got.Status == 0) {
			return message
		}
		messages = append(messages, message)
	}
	patterns, _ := c.Expect["messages"].([]any)
	if pattern := repotest.Text(c.Expect, "message_regex"); pattern != "" {
		patterns = []any{pattern}
	}
	for i, pattern := range patterns {
		expression := strings.ReplaceAll(pattern.(string), `\u2014`, "—") // which Go's expressions do not know
		if !regexp.MustCompile(expression).MatchString(messages[i]) {
			return messages[i]
		}
	}
	if c.Expect["stored"] == false {
		return ""
	}
	for column, want := range repotest.Object(c.Expect, "row") {
		if problem := repotest.Differs(want, l.column(column)); problem != "" {
			return column + ": " + problem
		}
	}
	for _, column := range []string{"observation_count"} {
		if want, found := c.Expect[column]; found {
			return repotest.Differs(want, l.column(column)) + repotest.Differs(c.Expect["rows"], l.rows())
		}
	}
	if most := repotest.Number(c.Expect, "name_max_chars"); most > 0 && utf8.RuneCountInString(fmt.Sprint(l.column("name"))) > most || l.column("reasoning") == "" {
		return "name or reasoning"
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
func storeCase(t *testing.T, c sharedCase) string {
	l := nowhere(t)
	calls, _ := c.Input["store_memory"].([]any)
	if call := repotest.Object(c.Input, "store_memory"); call != nil {
		calls = []any{call}
	}
	if c.ID == "store-06" {
		l.good("a text that is long enough for any learning")
		for _, column := range []string{"category", "source", "confidence"} {
			if l.exec(`UPDATE entries SET `+column+` = 'tips'`) == nil {
				return column + " takes anything"
			}
		}
		return ""
	}
	var returns []string
	for _, call := range calls {
		call.(map[string]any)["approved"] = true
		texts, isError := l.call("store_memory", call)
		require.False(t, isError, texts)
		returns = append(returns, texts[0])
	}
	last := returns[len(returns)-1]
	for key, want := range c.Expect {
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
			typed := l.good(repotest.Text(calls[0].(map[string]any), "description"))
			problem = problemUnless(strings.HasPrefix(last, "Reinforced: "+name+" (") && strings.HasPrefix(typed, "Reinforced: "+want.(string)), last+typed)
		default:
			problem = "unknown expectation " + key
		}
		if problem != "" {
			return key + ": " + problem
		}
	}
	return ""
}

func validateCase(t *testing.T, c sharedCase) string {
	l := nowhere(t)
	call := repotest.Object(c.Input, "store_memory")
	call["approved"] = true
	texts, isError := l.call("store_memory", call)
	if !isError {
		return "is accepted"
	}
	return repotest.Differs(c.Expect["returns"], texts[0]) + repotest.Differs(repotest.Number(c.Expect, "rows"), l.rows())
}

func cliCase(t *testing.T, c sharedCase) string {
	l := nowhere(t)
	args := []string{"write"}
	if entry := repotest.Text(c.Input, "entry_json"); entry != "" {
		args = append(args, "--entry-json", entry)
	}
	if has(c.Input, "global_store") {
		dir := filepath.Join(l.dir, repotest.Text(c.Input, "global_store"))
		args = append(args, "--global-store", dir, "--entry-json", `{"name":"n","description":"long enough description","category":"patterns"}`)
	}
	got := l.run(args...)
	for key, want := range c.Expect {
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
			problem = problemUnless(strings.Contains(got.Stderr, "'high', 'low', 'medium'"), got.Stderr)
		case "stderr_one_line":
			problem = repotest.Differs(1, strings.Count(got.Stderr, "\n"))
		case "no_traceback":
			problem = problemUnless(!strings.Contains(got.Stderr, "goroutine") && got.Stdout == "", got.Stderr)
		case "store_created":
			_, err := os.Stat(filepath.Join(l.dir, repotest.Text(c.Input, "global_store"), "memory.db"))
			problem = repotest.Differs(nil, err)
		case "row_description_has_no_nul":
			problem = problemUnless(!strings.Contains(fmt.Sprint(l.column("description")), "\x00"), "holds NUL")
		default:
			problem = "unknown expectation " + key
		}
		if problem != "" {
			return key + ": " + problem
		}
	}
	return ""
}

// actions are what the cases call the decisions.
var actions = map[string]string{
	"stored": "store", "captured": "store", "proposed": "propose", "over-budget": "propose", "discarded": "discard", "rejected-before": "nothing", "off": "nothing",
}

// policyCase captures as an agent does, on the command line.
func policyCase(t *testing.T, c sharedCase) string {
	l := newLearner(t)
	settings := ""
	if mode := repotest.Text(c.Input, "mode"); mode != "" {
		settings = "memory_model_capture_mode: " + mode
	}
	if has(c.Input, "budget") {
		settings += fmt.Sprint("\nmemory_silent_capture_budget: ", repotest.Number(c.Input, "budget"))
	}
	l.local(settings)
	type reply struct {
		Decision, Message, Name, Category string
		Notes                             []string
		Silent                            int `json:"silent_captures"`
	}
	capture := func(description string, more ...string) (got reply) {
		run := l.run(append([]string{"store", "--format", "json", "--name", "Insight", "--description", description, "--reasoning", "seen", "--category", "patterns", "--confidence", "low"}, more...)...)
		if run.Stdout == "" {
			return reply{Decision: "failed", Message: run.Stderr}
		}
		require.NoError(t, json.Unmarshal([]byte(run.Stdout), &got), run.Stdout)
		return got
	}
	for i := range repotest.Number(c.Input, "captures_so_far") {
		capture(fmt.Sprintf("matter %d%d%d concerns topic%d only", i, i, i, i))
	}
	const insight = "the linter wants tabs, not blanks"
	switch c.ID {
	case "policy-03":
		got := capture(insight, "--approved")
		return repotest.Differs(c.Expect["action"], actions[got.Decision]) + repotest.Differs(c.Expect["confidence"], l.column("confidence")) + repotest.Differs(c.Expect["source"], l.column("source"))
	case "policy-04":
		return repotest.Differs(c.Expect["first"], actions[capture(insight, "--rejected").Decision]) + repotest.Differs(c.Expect["second"], actions[capture(insight).Decision])
	case "policy-11":
		require.NoError(t, l.exec(`CREATE TRIGGER full BEFORE INSERT ON entries BEGIN SELECT raise(ABORT, 'disk full'); END`))
		if got := capture(insight); got.Decision != "failed" {
			return got.Message
		}
		require.NoError(t, l.exec(`DROP TRIGGER full`))
		return repotest.Differs(repotest.Number(c.Expect, "captures_after")+1, capture(insight).Silent)
	case "policy-13":
		return repotest.Differs(0, l.run(insight).Status)
	case "policy-15": // "disabled" is a word for off: no mistake, so that there is nothing to warn of
		return repotest.Differs("off", capture(insight).Decision)
	case "policy-17":
		for i := range repotest.Number(c.Input, "budget") {
			capture(fmt.Sprintf("matter %d%d%d concerns topic%d only", i, i, i, i))
		}
		return repotest.Differs("over-budget", capture(insight).Decision)
	case "policy-19":
		l.broken()
		got := capture(insight)
		return repotest.Differs("failed", got.Decision) + problemUnless(strings.Contains(got.Message, "Failed to store learning: "), got.Message)
	}
	got := capture(insight)
	for key, want := range c.Expect {
		problem := ""
		switch key {
		case "action":
			problem = repotest.Differs(want, actions[got.Decision])
		case "stores_before_approval":
			problem = repotest.Differs(want, l.rows() > 0)
		case "shows":
			for _, part := range []string{"Insight", "patterns", insight, "seen"} {
				problem += problemUnless(strings.Contains(strings.Join(got.Notes, "\n"), part), part)
			}
		case "confidence":
			problem = repotest.Differs(want, l.column(key))
		case "message_regex":
			problem = problemUnless(regexp.MustCompile(want.(string)).MatchString(got.Message), got.Message)
		case "message":
			problem = repotest.Differs(want, got.Message)
		case "captures_after":
			problem = repotest.Differs(want, got.Silent)
		case "blocking":
			problem = repotest.Differs(want, actions[got.Decision] == "propose")
		default:
			problem = "unknown expectation " + key
		}
		if problem != "" {
			return key + ": " + problem
		}
	}
	return ""
}

func lifecycleCase(t *testing.T, c sharedCase) string {
	l := nowhere(t)
	const known = "always quote shell variables in hooks"
	switch c.ID {
	case "lifecycle-11": // confidence wanes when it is read: nothing is written for that
		for _, args := range [][]string{{"list"}, {"stats"}, {"search", "anything"}, {"export"}, {"hook", "SessionStart"}} {
			l.runWith("{}", args...)
		}
		_, err := os.Stat(filepath.Join(l.settings["WHENCE_HOME"], "memory.db"))
		return repotest.Differs(c.Expect["db_created"], err == nil)
	case "lifecycle-15", "lifecycle-16":
		l.good(known, "--name", "Quote variables")
		texts, _ := l.call("store_memory", map[string]any{"name": "Different", "description": "always quote the shell variables in all hooks.", "reasoning": "r", "category": "patterns", "approved": true})
		if c.ID == "lifecycle-16" {
			return repotest.Differs("Reinforced: Quote variables (observation #2)", texts[0])
		}
		return repotest.Differs(2, l.column("observation_count")) + repotest.Differs(1, l.rows())
	case "lifecycle-20":
		l.good(known)
		texts, isError := l.call("forget_memory", map[string]any{"id": c.Input["delete_memory"]})
		var want, got any
		if json.Unmarshal([]byte(repotest.Text(c.Expect, "returns")), &want) != nil || json.Unmarshal([]byte(texts[0]), &got) != nil {
			return texts[0]
		}
		return repotest.Differs(want, got) + repotest.Differs(true, isError)
	case "lifecycle-21":
		l.good(known, "--name", "Quote variables")
		call := repotest.Object(c.Input, "record_influence")
		texts, _ := l.call("record_feedback", map[string]any{"id": call["entry_name"], "verdict": "helped"})
		var rows int
		l.query(`SELECT count(*) FROM feedback`, &rows)
		if problem := repotest.Differs(c.Expect["influence_count"], l.column("influence_count")) + repotest.Differs(c.Expect["log_rows"], rows); problem != "" {
			require.Empty(t, problem) // what is refused are the words alone
		}
		return repotest.Differs(c.Expect["returns"], texts[0])
	}
	return "no such case"
}

package remember_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/learning"
	"whence/internal/store"
	"whence/internal/test/repotest"
	"whence/remember"
)

func configCase(c *repotest.Case) string {
	tree := fstest.MapFS{config.LocalFile: {Data: []byte(c.Object("input").Text("file"))}}
	got, err := config.LoadFrom(tree, config.User{Getenv: func(string) string { return "" }, OwnsLocal: func() bool { return true }})
	want := c.Expect
	if want.Has("warns_unknown_key") {
		return problemUnless(err != nil && strings.Contains(err.Error(), fmt.Sprintf("%q", want.Text("warns_unknown_key"))) && strings.Contains(err.Error(), "did you mean "+want.Text("suggests")), err)
	}
	if err != nil {
		return err.Error()
	}
	values := map[string]any{"memory_model_capture_mode": got.CaptureMode, "memory_silent_capture_budget": got.CaptureBudget}
	for _, key := range want.Keys() {
		if problem := repotest.Differs(want.Any(key), values[key]); problem != "" {
			return problem
		}
	}
	return ""
}

// fill imports learnings.
func (l *learner) fill(n int) {
	l.t.Helper()
	var lines strings.Builder
	for i := range n {
		fmt.Fprintf(&lines, `{"name":"Matter %[1]d","description":"matter %[1]d concerns topic%[1]d and the design of tests","category":"patterns","source":"retro"}`+"\n", i)
	}
	require.Zero(l.t, l.runWith(lines.String(), "import", "-").Status)
}

// injected is the number of learnings that were put before an agent.
func (l *learner) injected() (n int) {
	l.t.Helper()
	l.query(`SELECT count(*) FROM entries WHERE last_recalled_at IS NOT NULL`, &n)
	return n
}

func sessionCase(c *repotest.Case) string {
	l := newLearner(c)
	in, want := c.Object("input"), c.Expect
	in.Prose("entries")
	if !want.Has("hook_stdout_is_valid_json") { // which is about one entry
		l.fill(30)
	}
	var settings strings.Builder
	chosen := in.Object("config")
	for _, key := range chosen.Keys() {
		fmt.Fprintf(&settings, "%s: %v\n", key, chosen.Any(key))
	}
	if settings.Len() > 0 {
		l.local(settings.String())
	}
	switch {
	case want.Has("hook_stdout_is_valid_json"):
		l.runWith("a control \x01 character, a backslash \\, a quote \" and a\ttab", "-")
		return repotest.Differs(want.True("hook_stdout_is_valid_json"), strings.Contains(l.begin("s1"), "a backslash \\, a quote \" and a"))
	case want.Has("injected_max"): // it is said what is wrong, and nothing is injected
		got := l.runWith("{}", "hook", "SessionStart")
		return problemUnless(got.Status == 0 && strings.Count(got.Stdout, "- Confidence: ") <= want.Number("injected_max") && strings.Contains(got.Stderr, "memory_injection_limit"), got)
	}
	if c.ID == "session_start-01" { // /remember and the server come with the plugin
		l.settings["CLAUDE_PLUGIN_ROOT"] = repotest.Root(c)
	}
	shown := l.begin("s1")
	lines := want.Texts("contains_lines")
	if want.Has("contains_line") {
		line := want.Text("contains_line")
		lines = append(lines, line)
		before, _, _ := strings.Cut(shown, line)
		if !strings.Contains(before, want.Text("after")) {
			return shown
		}
	}
	for _, line := range lines {
		if !strings.Contains("\n"+shown, "\n"+line+"\n") {
			return shown
		}
	}
	if want.Has("memory_block") {
		return repotest.Differs(want.True("memory_block"), strings.Contains(shown, "Engineering Memory"))
	}
	return ""
}

func injectCase(c *repotest.Case) string {
	l := nowhere(c)
	in, want := c.Object("input"), c.Expect
	switch c.ID {
	case "inject-07":
		in.Prose("project", "provider")
		require.NoError(c, os.WriteFile(filepath.Join(l.dir, "README.md"), []byte("# Acme\n\nPhase: design. Files: a.go, b.go; doesn't \"work\", or does it?\n"), 0o644))
		entries := in.Number("entries")
		if testing.Short() {
			entries /= 10
		}
		l.fill(entries)
		l.begin("s1")
		return problemUnless(l.injected() >= want.Number("entries_injected_min"), l.injected())
	case "inject-09":
		in.Prose("project")
		want.Prose("entries") // "all are candidates"
		l.fill(30)
		l.begin("s1")
		want.Prose("ranked_by")
		return problemUnless(l.injected() > 0, "nothing")
	}
	return "no such case"
}

func importCase(c *repotest.Case) string {
	c.Object("input").Prose("missing_dirs")
	c.Expect.Prose("imported", "error")
	got := nowhere(c).run("import", "nowhere")
	return problemUnless(got.Status == 0, got.Stderr)
}

func contextCase(c *repotest.Case) string {
	l := newLearner(c)
	l.fill(3)
	asked := func() string {
		topic, err := remember.Topic(c.Context(), l.dir, l.dir, func(string) string { return "" })
		require.NoError(c, err)
		return topic
	}
	in, want := c.Object("input"), c.Expect
	if in.Has("CLAUDE.md") {
		in.Prose("CLAUDE.md", "no_feature")
		start, _, _ := strings.Cut(want.Text("signal"), "<first 50 words>")
		words := strings.TrimSpace(strings.Repeat("word, ", 60))
		require.NoError(c, os.WriteFile(filepath.Join(l.dir, "CLAUDE.md"), []byte("# Notes\n\n## Repository Overview\n\n"+words+"\n\n## More\n"), 0o644))
		return problemUnless(strings.HasPrefix(asked(), start+strings.TrimSpace(strings.Repeat("word, ", 50))) && strings.Count(asked(), "word") == 50, asked())
	}
	for _, branch := range strings.Split(in.Text("branch"), "|") {
		args := []string{"checkout", "-q", "-B", branch}
		if branch == "HEAD" {
			require.NoError(c, exec.Command("git", "-C", l.dir, "-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-q", "--allow-empty", "-m", "one").Run())
			args = []string{"checkout", "-q", "--detach"}
		}
		require.NoError(c, exec.Command("git", append([]string{"-C", l.dir}, args...)...).Run())
		if want.True("branch_signal") != strings.Contains(asked(), "Branch") {
			return asked()
		}
	}
	return ""
}

// probe are the learnings of the search cases.
func (l *learner) probe(docs []any) {
	l.t.Helper()
	var lines strings.Builder
	for _, doc := range docs {
		d := doc.(map[string]any)
		delete(d, "id")
		src, err := json.Marshal(d)
		require.NoError(l.t, err)
		lines.Write(append(src, '\n'))
	}
	got := l.runWith(lines.String(), "import", "-")
	require.Zero(l.t, got.Status, got.Stderr)
}

var busy = []any{
	map[string]any{"name": "Quote shell variables", "description": "always quote shell variables, don't trust IFS; arrays are safer", "reasoning": "word splitting", "category": "patterns"},
	map[string]any{"name": "SQLite busy timeout", "description": "set PRAGMA busy_timeout before journal_mode=WAL or migrations race", "reasoning": "two connections", "category": "patterns"},
}

func searchCase(c *repotest.Case) string {
	l := newLearner(c)
	in, want := c.Object("input"), c.Expect
	query := in.Text("query")
	in.Prose("embedding")
	switch c.ID {
	case "search-29":
		in.Prose("docs", "format")
		l.probe(busy[:1])
		texts, _ := l.call("search_memory", map[string]any{"query": query})
		return repotest.Differs(strings.TrimSpace(want.Text("text")), strings.TrimSpace(texts[0]))
	case "search-31":
		in.Prose("docs")
		l.probe(busy)
		l.usesEmbeddings((&vectors{}).serve(c), "m")
		l.good("capture")
		texts, _ := l.call("search_memory", map[string]any{"query": query})
		return repotest.Differs(want.Text("returns"), texts[0])
	case "search-32":
		in.Prose("provider")
		l.probe(busy)
		l.usesEmbeddings("http://127.0.0.1:1/v1", "m")
		texts, isError := l.call("search_memory", map[string]any{"query": query})
		return repotest.Differs(want.True("falls_back_to_keyword"), !isError) + problemUnless(strings.Contains(texts[0], fmt.Sprintf("Found %d ", want.Number("results_min"))), texts)
	case "search-34":
		in.Prose("entries", "project")
		l.fill(8)
		other := newLearner(c)
		other.settings = l.settings
		other.runWith(`{"description":"the design of tests in the other project"}`, "import", "-")
		found := l.good("search", "design of tests", "--brief", "--limit", fmt.Sprint(in.Number("limit")))
		return problemUnless(strings.Count(found, "Matter") >= want.Number("project_entries_min") && !strings.Contains(found, "other project"), found)
	case "search-35":
		in.Prose("any_search")
		want.Prose("recall_count_incremented_for_returned")
		l.probe(busy)
		l.good("search", "sqlite busy timeout")
		var searched, recalled int
		l.query(`SELECT sum(search_count), sum(recall_count) FROM entries`, &searched, &recalled)
		before := fmt.Sprint(searched, " ", recalled)
		l.begin("s2")
		l.query(`SELECT sum(search_count), sum(recall_count) FROM entries`, &searched, &recalled)
		return repotest.Differs("1 0, then 1 2", before+", then "+fmt.Sprint(searched, " ", recalled))
	}
	docs := in.List("docs")
	names := map[any]any{}
	for _, doc := range docs {
		doc := doc.(map[string]any)
		names[doc["id"]] = doc["name"]
	}
	if len(docs) > 0 {
		l.probe(docs)
	}
	texts, isError := l.call("search_memory", map[string]any{"query": query})
	if want.Has("returns") {
		return repotest.Differs(want.Text("returns"), texts[0]) + repotest.Differs(true, isError)
	}
	if want.Has("first") {
		_, first, _ := strings.Cut(texts[0], "\n### ")
		first, _, _ = strings.Cut(first, "\n")
		return problemUnless(strings.HasSuffix(first, fmt.Sprint(": ", names[want.Text("first")])), texts[0])
	}
	return repotest.Differs(0, len(want.List("results"))) + repotest.Differs("No matching memories found.", texts[0])
}

// vectors is a stand-in for an endpoint: each text has a direction of its own, so that
// nothing is like anything else.
type vectors struct {
	sync.Mutex
	asked []string
}

func (v *vectors) serve(t testing.TB) (url string) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var question struct{ Input []string }
		if err := json.NewDecoder(r.Body).Decode(&question); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		v.Lock()
		defer v.Unlock()
		var data []map[string]any
		for i, text := range question.Input {
			vector := make([]float32, 16)
			vector[len(v.asked)%len(vector)] = 1
			v.asked = append(v.asked, text)
			data = append(data, map[string]any{"index": i, "embedding": vector})
		}
		json.NewEncoder(w).Encode(map[string]any{"data": data})
	}))
	t.Cleanup(server.Close)
	return server.URL + "/v1"
}

func embedCase(c *repotest.Case) string {
	l := newLearner(c)
	l.probe(busy)
	in, want := c.Object("input"), c.Expect
	var n int
	embedded := func() int {
		l.query(`SELECT count(embedding) FROM entries`, &n)
		return n
	}
	if c.ID == "embed-01" {
		in.Prose("provider")
		want.Prose("counted_pending")
		return repotest.Differs(want.True("stored"), l.rows() == 2) + repotest.Differs(want.Any("embedding") == nil, embedded() == 0)
	}
	endpoint := &vectors{}
	url := endpoint.serve(c)
	l.usesEmbeddings(url, "one")
	l.good("capture")
	require.Equal(c, 2, embedded())
	switch c.ID {
	case "embed-04": // its dimensions are those of its vectors, and a provider is a URL
		in.Prose("provider_or_model_changed")
		want.Prose("metadata")
		l.usesEmbeddings(url, "two")
		l.good("capture")
		var model string
		l.query(`SELECT group_concat(DISTINCT embedding_model) FROM entries`, &model)
		return repotest.Differs("two", model) + repotest.Differs(want.True("all_embeddings_cleared"), len(endpoint.asked) == 4)
	case "embed-05":
		in.Prose("provider")
		l.sets()
		l.good("something is learned while the endpoint is away")
		l.good("search", "busy timeout")
		return repotest.Differs(want.True("embeddings_kept"), embedded() == 2)
	case "embed-06":
		in.Prose("expected")
		require.NoError(c, l.exec(fmt.Sprintf(`UPDATE entries SET embedding = zeroblob(%d) WHERE name LIKE 'SQLite%%'`, in.Number("blob_bytes"))))
		found := strings.Contains(l.good("search", "shell variables"), "Quote shell")
		return repotest.Differs(want.True("skipped"), true) + repotest.Differs(want.True("others_used"), found)
	case "embed-07": // tasks and dimensions are those of a provider, which has a URL here
		in.Prose("embedded_text")
		want.Prose("document_task", "query_task", "dims", "normalised")
		var text string
		l.query(`SELECT name || ' ' || description || ' ' || (SELECT group_concat(value, ' ') FROM json_each(keywords)) || ' ' || reasoning FROM entries ORDER BY seq DESC`, &text)
		return repotest.Differs(text, endpoint.asked[0])
	}
	return "no such case"
}

func robustCase(c *repotest.Case) string {
	l := newLearner(c)
	in, want := c.Object("input"), c.Expect
	switch c.ID {
	case "robust-01", "robust-02":
		in.Prose("same_db", "db")
		count, each, sameText, rows := in.Number("writers"), max(1, in.Number("each")), in.True("same_text"), want.Number("rows")
		if c.ID == "robust-01" && testing.Short() { // as many side by side, but not for so long
			each = 4
			rows = each * count
		}
		var writers sync.WaitGroup
		failed := make(chan string, count*each)
		for w := range count {
			// The program is run by many processes in a script; its command line cannot be
			// parsed twice at once in one.
			b := remember.Service{Dir: l.settings["WHENCE_HOME"], Session: fmt.Sprint(w), Now: time.Now}
			writers.Go(func() {
				for i := range each {
					description := fmt.Sprintf("writer%d learned matter%d%d%d about topic%d%d", w, w, i, w*i, i, w)
					if sameText {
						description = "all of the writers learn this one"
					}
					if _, err := b.Remember(c.Context(), learning.Learning{Description: description}, false); err != nil {
						failed <- err.Error()
					}
				}
			})
		}
		writers.Wait()
		problem := repotest.Differs(want.Number("errors"), len(failed)) + repotest.Differs(rows, l.rows())
		if want.Has("observation_count") {
			problem += repotest.Differs(want.Number("observation_count"), l.column("observation_count"))
		}
		return problem
	case "robust-03": // what a connection is set to is for internal/store to test
		in.Prose("pragmas")
		want.Prose("synchronous", "busy_timeout_ms")
		l.good("a text that is long enough for any learning")
		var mode string
		l.query(`PRAGMA journal_mode`, &mode)
		return repotest.Differs(want.Text("journal_mode"), mode) + problemUnless(store.BusyTimeout.Milliseconds() >= 5000, store.BusyTimeout)
	case "robust-04":
		in.Prose("umask")
		l.good("a text that is long enough for any learning")
		dir, err := os.Stat(l.settings["WHENCE_HOME"])
		require.NoError(c, err)
		file, err := os.Stat(l.file())
		require.NoError(c, err)
		return repotest.Differs(want.Text("dir_mode"), fmt.Sprintf("%04o", dir.Mode().Perm())) + repotest.Differs(want.Text("db_mode"), fmt.Sprintf("%04o", file.Mode().Perm()))
	case "robust-07":
		in.Prose("db")
		l.probe(busy)
		require.NoError(c, os.Chmod(l.file(), 0o400))
		require.NoError(c, os.Chmod(l.settings["WHENCE_HOME"], 0o500))
		defer os.Chmod(l.settings["WHENCE_HOME"], 0o700)
		return repotest.Differs(want.True("search_still_works"), strings.Contains(l.good("search", "sqlite busy timeout"), "SQLite busy"))
	}
	return "no such case"
}

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
	"whence/internal/knowledge"
	"whence/internal/learning"
	"whence/internal/repotest"
	"whence/internal/store"
)

func configCase(t *testing.T, c sharedCase) string {
	tree := fstest.MapFS{config.LocalFile: {Data: []byte(repotest.Text(c.Input, "file"))}}
	got, err := config.Load(tree, config.User{Getenv: func(string) string { return "" }, Allows: func(config.Setting) bool { return true }})
	if key := repotest.Text(c.Expect, "warns_unknown_key"); key != "" {
		return problemUnless(err != nil && strings.Contains(err.Error(), fmt.Sprintf("%q", key)) && strings.Contains(err.Error(), "did you mean "+repotest.Text(c.Expect, "suggests")), err)
	}
	if err != nil {
		return err.Error()
	}
	values := map[string]any{"memory_model_capture_mode": got.CaptureMode, "memory_silent_capture_budget": got.CaptureBudget}
	for key, want := range c.Expect {
		if problem := repotest.Differs(want, values[key]); problem != "" {
			return problem
		}
	}
	return ""
}

// lastInjection is what was put before an agent last.
func (l *learner) lastInjection() (last map[string]any) {
	l.t.Helper()
	var stats map[string]any
	require.NoError(l.t, json.Unmarshal([]byte(l.good("stats", "--format", "json")), &stats))
	return repotest.Object(stats, "last_injection")
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

func sessionCase(t *testing.T, c sharedCase) string {
	l := newLearner(t)
	l.fill(30)
	var settings strings.Builder
	for key, value := range repotest.Object(c.Input, "config") {
		fmt.Fprintf(&settings, "%s: %v\n", key, value)
	}
	if settings.Len() > 0 {
		l.local(settings.String())
	}
	switch c.ID {
	case "session_start-05":
		l.runWith("a control \x01 character, a backslash \\, a quote \" and a\ttab", "-")
		return problemUnless(strings.Contains(l.begin("s1"), "a backslash \\, a quote \" and a"), "is not shown")
	case "session_start-06": // it is said what is wrong, and nothing is injected
		got := l.runWith("{}", "hook", "SessionStart")
		return problemUnless(got.Status == 0 && strings.Count(got.Stdout, "- Confidence: ") <= repotest.Number(c.Expect, "injected_max") && strings.Contains(got.Stderr, "memory_injection_limit"), got)
	}
	if c.ID == "session_start-01" { // /remember and the server come with the plugin
		l.settings["CLAUDE_PLUGIN_ROOT"] = "/plugins/whence"
	}
	shown := l.begin("s1")
	lines, _ := c.Expect["contains_lines"].([]any)
	if line := repotest.Text(c.Expect, "contains_line"); line != "" {
		lines = append(lines, line)
		before, _, _ := strings.Cut(shown, line)
		if !strings.Contains(before, repotest.Text(c.Expect, "after")) {
			return shown
		}
	}
	for _, line := range lines {
		if !strings.Contains("\n"+shown, "\n"+line.(string)+"\n") {
			return shown
		}
	}
	if want, found := c.Expect["memory_block"]; found {
		return repotest.Differs(want, strings.Contains(shown, "Engineering Memory"))
	}
	return ""
}

func injectCase(t *testing.T, c sharedCase) string {
	l := nowhere(t)
	switch c.ID {
	case "inject-07":
		require.NoError(t, os.WriteFile(filepath.Join(l.dir, "README.md"), []byte("# Acme\n\nPhase: design. Files: a.go, b.go; doesn't \"work\", or does it?\n"), 0o644))
		entries := repotest.Number(c.Input, "entries")
		if testing.Short() {
			entries /= 10
		}
		l.fill(entries)
		l.begin("s1")
		return problemUnless(repotest.Number(l.lastInjection(), "entries_injected") >= repotest.Number(c.Expect, "entries_injected_min"), l.lastInjection())
	case "inject-09":
		l.fill(30)
		l.begin("s1")
		return repotest.Differs("prominence", l.lastInjection()["mode"]) + problemUnless(repotest.Number(l.lastInjection(), "entries_injected") > 0, "nothing")
	case "inject-11": // in the store, beside what it is about
		l.fill(3)
		l.begin("s1")
		last := l.lastInjection()
		for _, key := range c.Expect["keys"].([]any) {
			values, name := last, key.(string)
			if outer, inner, nested := strings.Cut(name, "."); nested {
				values, name = repotest.Object(last, outer), inner
			}
			if !has(values, name) {
				return name + " is missing"
			}
		}
		return ""
	}
	return "no such case"
}

func importCase(t *testing.T, c sharedCase) string {
	got := nowhere(t).run("import", "nowhere")
	return problemUnless(got.Status == 0, got.Stderr)
}

func contextCase(t *testing.T, c sharedCase) string {
	l := newLearner(t)
	l.fill(3)
	asked := func() string {
		l.begin("s1")
		return repotest.Text(repotest.Object(l.lastInjection(), "retrieval"), "context_query")
	}
	if overview := repotest.Text(c.Input, "CLAUDE.md"); overview != "" {
		words := strings.TrimSpace(strings.Repeat("word, ", 60))
		require.NoError(t, os.WriteFile(filepath.Join(l.dir, "CLAUDE.md"), []byte("# Notes\n\n## Repository Overview\n\n"+words+"\n\n## More\n"), 0o644))
		return problemUnless(strings.HasPrefix(asked(), "Project: "+strings.TrimSpace(strings.Repeat("word, ", 50))) && strings.Count(asked(), "word") == 50, asked())
	}
	for _, branch := range strings.Split(repotest.Text(c.Input, "branch"), "|") {
		args := []string{"checkout", "-q", "-B", branch}
		if branch == "HEAD" {
			require.NoError(t, exec.Command("git", "-C", l.dir, "-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-q", "--allow-empty", "-m", "one").Run())
			args = []string{"checkout", "-q", "--detach"}
		}
		require.NoError(t, exec.Command("git", append([]string{"-C", l.dir}, args...)...).Run())
		if strings.Contains(asked(), "Branch") {
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

func searchCase(t *testing.T, c sharedCase) string {
	l := newLearner(t)
	query := repotest.Text(c.Input, "query")
	switch c.ID {
	case "search-29":
		l.probe(busy[:1])
		texts, _ := l.call("search_memory", map[string]any{"query": query})
		return repotest.Differs(strings.TrimSpace(repotest.Text(c.Expect, "text")), strings.TrimSpace(texts[0]))
	case "search-31":
		l.probe(busy)
		l.settings["WHENCE_EMBEDDING_URL"], l.settings["WHENCE_EMBEDDING_MODEL"] = (&vectors{}).serve(t), "m"
		l.good("embed")
		texts, _ := l.call("search_memory", map[string]any{"query": query})
		return repotest.Differs(c.Expect["returns"], texts[0])
	case "search-32":
		l.probe(busy)
		l.settings["WHENCE_EMBEDDING_URL"], l.settings["WHENCE_EMBEDDING_MODEL"] = "http://127.0.0.1:1/v1", "m"
		texts, isError := l.call("search_memory", map[string]any{"query": query})
		return problemUnless(!isError && strings.Contains(texts[0], "Found 1 "), texts)
	case "search-34":
		l.fill(8)
		other := newLearner(t)
		other.settings = l.settings
		other.runWith(`{"description":"the design of tests in the other project"}`, "import", "-")
		found := l.good("search", "design of tests", "--brief", "--limit", fmt.Sprint(repotest.Number(c.Input, "limit")))
		return problemUnless(strings.Count(found, "Matter") >= repotest.Number(c.Expect, "project_entries_min") && !strings.Contains(found, "other project"), found)
	case "search-35":
		l.probe(busy)
		l.good("search", "sqlite busy timeout")
		var searched, recalled int
		l.query(`SELECT sum(search_count), sum(recall_count) FROM entries`, &searched, &recalled)
		before := fmt.Sprint(searched, " ", recalled)
		l.begin("s2")
		l.query(`SELECT sum(search_count), sum(recall_count) FROM entries`, &searched, &recalled)
		return repotest.Differs("1 0, then 1 2", before+", then "+fmt.Sprint(searched, " ", recalled))
	}
	docs, _ := c.Input["docs"].([]any)
	names := map[string]string{}
	for _, doc := range docs {
		names[repotest.Text(doc.(map[string]any), "id")] = repotest.Text(doc.(map[string]any), "name")
	}
	if len(docs) > 0 {
		l.probe(docs)
	}
	texts, isError := l.call("search_memory", map[string]any{"query": query})
	if want := repotest.Text(c.Expect, "returns"); want != "" {
		return repotest.Differs(want, texts[0]) + repotest.Differs(true, isError)
	}
	if want := repotest.Text(c.Expect, "first"); want != "" {
		_, first, _ := strings.Cut(texts[0], "\n### ")
		first, _, _ = strings.Cut(first, "\n")
		return problemUnless(strings.HasSuffix(first, ": "+names[want]), texts[0])
	}
	return repotest.Differs("No matching memories found.", texts[0])
}

// vectors is a stand-in for an endpoint: each text has a direction of its own, so that
// nothing is like anything else.
type vectors struct {
	sync.Mutex
	asked []string
}

func (v *vectors) serve(t *testing.T) (url string) {
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

func embedCase(t *testing.T, c sharedCase) string {
	l := newLearner(t)
	l.probe(busy)
	var n int
	embedded := func() int {
		l.query(`SELECT count(embedding) FROM entries`, &n)
		return n
	}
	if c.ID == "embed-01" {
		var stats map[string]any
		require.NoError(t, json.Unmarshal([]byte(l.good("stats", "--format", "json")), &stats))
		return repotest.Differs(0, embedded()) + repotest.Differs(2, repotest.Number(stats, "pending_embeddings"))
	}
	endpoint := &vectors{}
	l.settings["WHENCE_EMBEDDING_URL"], l.settings["WHENCE_EMBEDDING_MODEL"] = endpoint.serve(t), "one"
	l.good("embed")
	require.Equal(t, 2, embedded())
	switch c.ID {
	case "embed-04": // its dimensions are those of its vectors, and a provider is a URL
		l.settings["WHENCE_EMBEDDING_MODEL"] = "two"
		l.good("embed")
		var model string
		l.query(`SELECT value FROM meta WHERE key = 'embedding_model'`, &model)
		return repotest.Differs("two 4", fmt.Sprint(model, " ", len(endpoint.asked)))
	case "embed-05":
		l.settings["WHENCE_EMBEDDING_URL"] = ""
		l.good("something is learned while the endpoint is away")
		l.good("search", "busy timeout")
		return repotest.Differs(2, embedded())
	case "embed-06":
		require.NoError(t, l.exec(fmt.Sprintf(`UPDATE entries SET embedding = zeroblob(%d) WHERE name LIKE 'SQLite%%'`, repotest.Number(c.Input, "blob_bytes"))))
		return problemUnless(strings.Contains(l.good("search", "shell variables"), "Quote shell"), "is not found")
	case "embed-07":
		var want string
		l.query(`SELECT name || ' ' || description || ' ' || (SELECT group_concat(value, ' ') FROM json_each(keywords)) || ' ' || reasoning FROM entries ORDER BY seq DESC`, &want)
		return repotest.Differs(want, endpoint.asked[0])
	}
	return "no such case"
}

func robustCase(t *testing.T, c sharedCase) string {
	l := newLearner(t)
	switch c.ID {
	case "robust-01", "robust-02":
		if c.ID == "robust-01" && testing.Short() { // as many side by side, but not for so long
			c.Input["each"], c.Expect["rows"] = 4.0, 4*c.Input["writers"].(float64)
		}
		var writers sync.WaitGroup
		failed := make(chan string, 8*25)
		for w := range repotest.Number(c.Input, "writers") {
			// The program is run by many processes in a script; its command line cannot be
			// parsed twice at once in one.
			b := knowledge.Base{Dir: l.settings["WHENCE_HOME"], Session: fmt.Sprint(w), Now: time.Now}
			writers.Go(func() {
				for i := range max(1, repotest.Number(c.Input, "each")) {
					description := fmt.Sprintf("writer%d learned matter%d%d%d about topic%d%d", w, w, i, w*i, i, w)
					if c.Input["same_text"] == true {
						description = "all of the writers learn this one"
					}
					if _, err := b.Remember(t.Context(), learning.Learning{Description: description}, false); err != nil {
						failed <- err.Error()
					}
				}
			})
		}
		writers.Wait()
		if len(failed) > 0 {
			return <-failed
		}
		problem := repotest.Differs(c.Expect["rows"], l.rows())
		if want, found := c.Expect["observation_count"]; found {
			problem += repotest.Differs(want, l.column("observation_count"))
		}
		return problem
	case "robust-03": // what a connection is set to is for internal/store to test
		l.good("a text that is long enough for any learning")
		var mode string
		l.query(`PRAGMA journal_mode`, &mode)
		return repotest.Differs(c.Expect["journal_mode"], mode) + problemUnless(store.BusyTimeout.Milliseconds() >= 5000, store.BusyTimeout)
	case "robust-04":
		l.good("a text that is long enough for any learning")
		dir, err := os.Stat(l.settings["WHENCE_HOME"])
		require.NoError(t, err)
		file, err := os.Stat(l.file())
		require.NoError(t, err)
		return repotest.Differs(c.Expect["dir_mode"], fmt.Sprintf("%04o", dir.Mode().Perm())) + repotest.Differs(c.Expect["db_mode"], fmt.Sprintf("%04o", file.Mode().Perm()))
	case "robust-07":
		l.probe(busy)
		require.NoError(t, os.Chmod(l.file(), 0o400))
		require.NoError(t, os.Chmod(l.settings["WHENCE_HOME"], 0o500))
		defer os.Chmod(l.settings["WHENCE_HOME"], 0o700)
		return problemUnless(strings.Contains(l.good("search", "sqlite busy timeout"), "SQLite busy"), "is not found")
	}
	return "no such case"
}

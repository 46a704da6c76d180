package remember_test

import (
	"database/sql"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/test/repotest"
	"whence/internal/test/storetest"
)

// learner is a repository with an empty store, in which the real program is run.
type learner struct {
	t        testing.TB
	dir      string
	settings map[string]string // the environment
}

func newLearner(t testing.TB) *learner {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir) // what lies beside this package is not run
	require.NoError(t, exec.Command("git", "-C", dir, "init", "-q").Run())
	return &learner{t, dir, map[string]string{"WHENCE_HOME": repotest.Home(t), "WHENCE_SESSION": "s1"}}
}

// answer is what a run has come to.
type answer struct {
	Status         int
	Stdout, Stderr string
}

// runWith runs memory-remember with a text on standard input.
func (l *learner) runWith(stdin string, args ...string) answer {
	l.t.Helper()
	var stdout, stderr strings.Builder
	status := program(cli.Env{
		Args: append([]string{"memory-remember"}, args...), Dir: l.dir, Getenv: l.getenv,
		Stdin: strings.NewReader(stdin), Stdout: &stdout, Stderr: &stderr,
		Deadline: time.Minute, // a busy machine is no fault: the deadline has tests of its own
	})
	return answer{status, stdout.String(), stderr.String()}
}

func (l *learner) getenv(name string) string { return l.settings[name] }

func (l *learner) run(args ...string) answer {
	l.t.Helper()
	return l.runWith("", args...)
}

// good runs what has to succeed, and returns what it prints, without the last line end.
func (l *learner) good(args ...string) string {
	l.t.Helper()
	got := l.run(args...)
	require.Zero(l.t, got.Status, got.Stderr)
	return strings.TrimSuffix(got.Stdout, "\n")
}

// call calls a tool of a server that is started for it, and returns the texts of the
// answer.
func (l *learner) call(tool string, arguments any) (texts []string, isError bool) {
	l.t.Helper()
	params, err := json.Marshal(map[string]any{"name": tool, "arguments": arguments})
	require.NoError(l.t, err)
	got := l.runWith(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`+"\n"+
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"+
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":`+string(params)+"}\n", "serve")
	require.Zero(l.t, got.Status, got.Stderr)
	for line := range strings.Lines(got.Stdout) {
		var reply struct {
			ID     int
			Error  json.RawMessage
			Result struct {
				Content []struct{ Text string }
				IsError bool
			}
		}
		require.NoError(l.t, json.Unmarshal([]byte(line), &reply), line)
		if reply.ID != 2 {
			continue
		}
		require.Empty(l.t, reply.Error)
		for _, c := range reply.Result.Content {
			texts = append(texts, c.Text)
		}
		return texts, reply.Result.IsError
	}
	l.t.Fatal("there is no answer: ", got.Stdout)
	return nil, false
}

// sets writes the learner's own settings, in place of those before.
func (l *learner) sets(lines ...string) {
	l.t.Helper()
	home := storetest.ConsentingClaim(l.t, l.settings["WHENCE_HOME"])
	require.NoError(l.t, os.WriteFile(filepath.Join(home, config.UserFile), []byte(strings.Join(lines, "\n")+"\n"), 0o600))
}

// usesEmbeddings names a server for embeddings in the learner's own settings.
func (l *learner) usesEmbeddings(url, model string) {
	l.t.Helper()
	l.sets("memory_embedding_url: "+url, "memory_embedding_model: "+model)
}

// file is the database.
func (l *learner) file() string { return filepath.Join(l.settings["WHENCE_HOME"], "memory.db") }

// query reads the first row that a statement returns from the database.
func (l *learner) query(statement string, into ...any) {
	l.t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(l.file())+"?mode=ro&_pragma=busy_timeout(20000)")
	require.NoError(l.t, err)
	defer db.Close()
	require.NoError(l.t, db.QueryRow(statement).Scan(into...))
}

// rows is how many learnings there are.
func (l *learner) rows() (n int) {
	l.t.Helper()
	if l.run("list", "--everywhere").Stdout == "" {
		return 0
	}
	l.query(`SELECT count(*) FROM entries`, &n)
	return n
}

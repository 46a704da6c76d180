package remember_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/cli"
	"whence/internal/store"
	"whence/internal/team"
	"whence/remember"
	"whence/remember/embedding"
	"whence/remember/mcp"
)

// teamServer is the server of a team, in a folder, that counts who asks.
type teamServer struct {
	dir   string
	away  atomic.Bool
	asked atomic.Int64
}

func (s *teamServer) dial(ctx context.Context, _ string) (*store.Store, error) {
	s.asked.Add(1)
	if s.away.Load() {
		return nil, fmt.Errorf("%w: %w", store.ErrUnusable, syscall.ECONNREFUSED)
	}
	return store.Open(ctx, s.dir)
}

const teamSetting = "memory_store: postgres://db.example.com/whence"

// member is a learner whose memory is that of a team.
func member(t *testing.T) *learner {
	l := newLearner(t)
	l.sets(teamSetting)
	src := "[remote \"origin\"]\n\turl = git@github.com:acme/app.git\n"
	file, err := os.OpenFile(filepath.Join(l.dir, ".git", "config"), os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = file.WriteString(src)
	require.NoError(t, err)
	require.NoError(t, file.Close())
	return l
}

// runOn runs memory-remember where the server can be asked.
func (l *learner) runOn(s *teamServer, stdin string, args ...string) answer {
	var stdout, stderr strings.Builder
	status := remember.Main(cli.Env{
		Args: append([]string{"memory-remember"}, args...), Dir: l.dir, Getenv: l.getenv,
		Stdin: strings.NewReader(stdin), Stdout: &stdout, Stderr: &stderr,
	}, mcp.Serve, embedding.At, store.Servers{Open: s.dial})
	return answer{status, stdout.String(), stderr.String()}
}

// Two machines share what is remembered. A server that is away stops nobody: what was done
// meanwhile is there when a worker could reach it.
func TestATeamsStore(t *testing.T) {
	s := &teamServer{dir: t.TempDir()}
	ann, bob := member(t), member(t)
	got := ann.runOn(s, "", "the tugboat needs a pilot above four metres of swell")
	require.Equal(t, []any{0, ""}, []any{got.Status, got.Stderr})
	require.Contains(t, bob.runOn(s, "", "list", "--brief").Stdout, "tugboat")
	require.NoFileExists(t, ann.file(), "it is in the copy, and not in the store of the user")

	s.away.Store(true)
	got = bob.runOn(s, "", "the harbour crane stops at a wind of nine beaufort")
	require.Equal(t, 0, got.Status)
	require.Equal(t, "memory-remember: Kept here until the team's store can be reached again (connection refused).\n", got.Stderr)
	got = bob.runOn(s, "", "list", "--brief")
	require.Contains(t, got.Stdout, "crane")
	require.Contains(t, got.Stderr, "memory-remember: The team's store postgres://db.example.com/whence cannot be reached (connection refused): this is from the copy")
	got = bob.runOn(s, "", "capture")
	require.Equal(t, 4, got.Status)
	require.Contains(t, got.Stderr, "connection refused")

	s.away.Store(false)
	places, err := team.Replicas(bob.settings["WHENCE_HOME"])
	require.NoError(t, err)
	require.Len(t, places, 1)
	require.NoError(t, os.Remove(filepath.Join(places[0].Dir(), ".tried"))) // a minute later
	require.Equal(t, "memory-remember: 0 jobs done, 1 operation delivered\n", bob.runOn(s, "", "capture").Stderr)
	require.Contains(t, ann.runOn(s, "", "search", "harbour crane wind").Stdout, "beaufort")
}

// Events of an agent never ask a server, whatever they bring: they ask the copy, and leave
// what is to be told.
func TestEventsNeverAskTheServer(t *testing.T) {
	s := &teamServer{dir: t.TempDir()}
	ann, bob := member(t), member(t)
	require.Equal(t, 0, ann.runOn(s, "", "the tugboat needs a pilot above four metres of swell").Status)
	event := func(name, fields string) string {
		src := fmt.Sprintf(`{"session_id": "s1", "cwd": %q, "hook_event_name": %q%s}`, bob.dir, name, fields)
		return bob.runOn(s, src, "hook", name, "--agent", "claude").Stdout
	}
	t.Setenv("PATH", t.TempDir()) // no worker is started but by this test
	asked := s.asked.Load()
	event("SessionStart", `, "source": "startup"`)
	require.Equal(t, asked, s.asked.Load())
	require.Equal(t, "memory-remember: 1 job done\n", bob.runOn(s, "", "capture").Stderr)
	asked = s.asked.Load()
	require.Contains(t, event("UserPromptSubmit", `, "prompt": "what does the tugboat pilot need in the swell?"`), "tugboat", "the worker has filled the copy")
	require.Contains(t, event("SessionStart", `, "source": "startup"`), "tugboat")
	transcript := filepath.Join(t.TempDir(), "t.jsonl")
	line := `{"type":"user","uuid":"u1","sessionId":"s1","timestamp":"` + time.Now().UTC().Format(time.RFC3339) + `","message":{"role":"user","content":"moor the ferry at pier seven from now on, never at pier six"}}` + "\n"
	require.NoError(t, os.WriteFile(transcript, []byte(line), 0o600))
	event("Stop", fmt.Sprintf(`, "transcript_path": %q`, transcript))
	require.Equal(t, asked, s.asked.Load())

	got := bob.runOn(s, "", "capture")
	require.Equal(t, "memory-remember: 1 job done, 2 operations delivered\n", got.Stderr, "what was shown, and what was said")
	there, err := store.Open(t.Context(), s.dir)
	require.NoError(t, err)
	defer there.Close()
	hits, err := there.SearchTurns(t.Context(), store.Query{Text: "moor the ferry at pier seven", Everywhere: true, Most: 3})
	require.NoError(t, err)
	require.Len(t, hits, 1)
	require.Equal(t, "github.com/acme/app", hits[0].Project)
}

// The tools of the server for agents say the same.
func TestToolsWhileTheServerIsAway(t *testing.T) {
	s := &teamServer{dir: t.TempDir()}
	s.away.Store(true)
	l := member(t)
	call := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n" +
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search_memory","arguments":{"query":"tugboat"}}}` + "\n"
	got := l.runOn(s, call, "serve")
	require.Equal(t, 0, got.Status, got.Stderr)
	require.Contains(t, got.Stdout, "cannot be reached (connection refused)")
}

// What is kept of a team's store is in the table of files in docs/hooks.md.
func TestFilesOfATeamAreDocumented(t *testing.T) {
	src, err := os.ReadFile("../docs/hooks.md")
	require.NoError(t, err)
	s := &teamServer{dir: t.TempDir()}
	l := member(t)
	require.Equal(t, 0, l.runOn(s, "", "list").Status)
	s.away.Store(true)
	require.Equal(t, 0, l.runOn(s, "", "the tugboat needs a pilot above four metres of swell").Status)
	l.runOn(s, "", "capture")
	dirs, err := filepath.Glob(filepath.Join(l.settings["WHENCE_HOME"], "team", "*"))
	require.NoError(t, err)
	require.Len(t, dirs, 1)
	files, err := os.ReadDir(dirs[0])
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		name := strings.TrimSuffix(strings.TrimSuffix(file.Name(), "-wal"), "-shm") // beside a store that is open
		if file.IsDir() {
			name += "/**"
		}
		require.Contains(t, string(src), "`team/*/"+name+"`")
	}
	for _, name := range []string{"team/*/outbox/**/failed/*", "machine"} {
		require.Contains(t, string(src), "| `"+name+"` |")
	}
}

// What has no vector gets one in the copy and in the team's store: both are asked.
func TestATeamsStoreGetsVectors(t *testing.T) {
	s := &teamServer{dir: t.TempDir()}
	ann := member(t)
	require.Equal(t, 0, ann.runOn(s, "", "the tugboat needs a pilot above four metres of swell").Status)
	var v vectors
	ann.sets(teamSetting, "memory_embedding_url: "+v.serve(t), "memory_embedding_model: m")
	require.Equal(t, 0, ann.runOn(s, "", "embed").Status)
	places, err := team.Replicas(ann.settings["WHENCE_HOME"])
	require.NoError(t, err)
	for _, dir := range []string{s.dir, places[0].Dir()} {
		db, err := store.OpenReadOnly(t.Context(), dir)
		require.NoError(t, err)
		missing, err := db.Unembedded(t.Context(), "m", 9)
		require.NoError(t, err)
		require.Empty(t, missing, dir)
		require.NoError(t, db.Close())
	}
	s.away.Store(true)
	require.Contains(t, ann.runOn(s, "", "embed").Stderr, "cannot be reached")
}

// A bank that has changed changes the team's store, and the copy, from any clone.
func TestABankOfATeamIsImportedAgain(t *testing.T) {
	server := &teamServer{dir: filepath.Join(t.TempDir(), "server")}
	ann, bob := member(t), member(t)
	bank := func(l *learner, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(l.dir, "bank.md"), []byte("### Ask the clock once\n"+text+"\n"), 0o600))
	}
	bank(ann, "Read the clock once, and hand the time on.")
	require.Equal(t, "Imported 1 learning, 0 known already\n", ann.runOn(server, "", "import", "bank.md").Stdout)
	bank(bob, "Read the clock once a request, and hand that time on.")
	require.Equal(t, "Imported 0 learnings, 1 updated, 0 known already\n", bob.runOn(server, "", "import", "bank.md").Stdout)
	for _, l := range []*learner{ann, bob} {
		listed := l.runOn(server, "", "list").Stdout
		require.Contains(t, listed, "once a request")
		require.NotContains(t, listed, "clock once, and")
	}
}

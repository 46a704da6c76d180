package turns_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/team"
	"whence/internal/test/repotest"
	"whence/internal/turns"
)

const ourStore, otherStore = "postgres://ann@db:5432/app", "postgres://ann@db:5432/other"

// copyOf is where the copy of a team's store lies.
func copyOf(t *testing.T, home, url string) string {
	t.Helper()
	p, err := team.ReplicaOf(home, url)
	require.NoError(t, err)
	return p.Dir()
}

// belongsTo has the settings of a repository name a store that the user has allowed, and
// gives it a remote.
func belongsTo(t *testing.T, home, repository, url, remote string) {
	t.Helper()
	_, err := team.Allow(home, url)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(repository, config.ProjectFile), []byte("memory_store: "+url+"\nmemory_turn_days: 0\n"), 0o600))
	git(t, repository, "remote", "add", "origin", remote)
}

func jobFor(url, cwd, transcript string) turns.Job {
	j := job(transcript)
	j.Store, j.Cwd = url, cwd
	return j
}

// A job for a team's store goes to its copy, and one for none to the user's own, whatever
// the environment of the worker says.
func TestAJobForAStoreOfATeam(t *testing.T) {
	a, b := repositories(t)
	home, dir := repotest.Home(t), t.TempDir()
	belongsTo(t, home, a, ourStore, "git@github.com:acme/a")
	for name, j := range map[string]turns.Job{"ours.jsonl": jobFor(ourStore, a, ""), "mine.jsonl": jobFor("", b, ""), "others.jsonl": jobFor(otherStore, b, "")} {
		j.Session, j.Transcript, j.StoreSet = name, filepath.Join(dir, name), j.Store == otherStore
		require.NoError(t, os.WriteFile(j.Transcript, []byte(saidIn(j.Cwd, name, "said for the "+name)), 0o600))
		require.NoError(t, turns.AddJob(home, j))
	}
	done, err := turns.Work(t.Context(), home, func(name string) string {
		return map[string]string{"WHENCE_STORE": "postgres://eve@db/wrong", "WHENCE_HOME": "/nowhere"}[name]
	})
	require.NoError(t, err)
	require.Equal(t, 3, done.Jobs)
	machine, err := os.ReadFile(filepath.Join(home, "machine"))
	require.NoError(t, err)
	require.Equal(t, map[string]string{"said for the ours.jsonl": "github.com/acme/a"}, projects(t, copyOf(t, home, ourStore)))
	require.Equal(t, map[string]string{"said for the mine.jsonl": filepath.Join(b, ".git")}, projects(t, home))
	require.Equal(t, map[string]string{"said for the others.jsonl": "local:" + strings.TrimSpace(string(machine)) + ":" + filepath.Join(b, ".git")}, projects(t, copyOf(t, home, otherStore)))
}

// tested are the records of a command that was run in a folder.
func tested(cwd, id string, failed bool, out string) string {
	return fmt.Sprintf(`{"type":"assistant","uuid":"use-%s","sessionId":"s","cwd":%q,"message":{"id":"message-%[1]s","content":[{"type":"tool_use","id":"tool-%[1]s","name":"Bash","input":{"command":"make test"}}]}}
{"type":"user","uuid":"result-%[1]s","sessionId":"s","cwd":%[2]q,"message":{"content":[{"type":"tool_result","tool_use_id":"tool-%[1]s","is_error":%[3]t,"content":%[4]q}]}}
`, id, cwd, failed, out)
}

// In one session that goes from repository to repository, what is said in one goes to its
// store and no other, nor what a filter remembers of it; what was said in none, to that of
// the session.
func TestWhatIsSaidElsewhere(t *testing.T) {
	for _, begins := range []string{"a", "b", "c"} {
		a, b := repositories(t)
		c := filepath.Join(filepath.Dir(a), "c")
		git(t, filepath.Dir(a), "clone", "-q", "a", "c")
		plain, home := t.TempDir(), repotest.Home(t)
		belongsTo(t, home, a, ourStore, "git@github.com:acme/a")
		git(t, c, "remote", "remove", "origin")
		belongsTo(t, home, c, otherStore, "git@github.com:acme/c")
		name := filepath.Join(t.TempDir(), "s.jsonl")
		failed, passed := tested(b, "b", true, "Exit code 1\nFAIL: the crane does not lift the container"), tested(a, "a", false, "ok, all of them")
		require.NoError(t, os.WriteFile(name, []byte(saidIn(a, "1", "the code name is bluebird")+saidIn(b, "2", "the code name is redwing")+failed+passed+
			saidIn(plain, "3", "the code name is nowhere")+saidIn(c, "4", "the code name is cormorant")), 0o600))
		cwd, store := map[string]string{"a": a, "b": b, "c": c}[begins], map[string]string{"a": ourStore, "c": otherStore}[begins]
		for range 2 {
			require.NoError(t, turns.AddJob(home, jobFor(store, cwd, name)))
			work(t, home)
		}
		where := map[string]map[string]string{"a": projects(t, copyOf(t, home, ourStore)), "b": projects(t, home), "c": projects(t, copyOf(t, home, otherStore))}
		own := map[string]string{"a": "github.com/acme/a", "b": filepath.Join(b, ".git"), "c": "github.com/acme/c"}
		require.Equal(t, own[begins], where[begins]["the code name is nowhere"])
		delete(where[begins], "the code name is nowhere")
		for text, project := range where["b"] {
			require.Equal(t, own["b"], project)
			if text != "the code name is redwing" {
				require.Contains(t, text, "the crane does not lift")
				require.NotContains(t, text, "passes now")
			}
		}
		require.Contains(t, where["b"], "the code name is redwing")
		require.Len(t, where["b"], 2, "and the failure")
		require.NotContains(t, where["a"], "the code name is redwing")
		for text := range where["a"] {
			require.NotContains(t, text, "the crane", "of what failed in another repository")
		}
		require.Equal(t, own["a"], where["a"]["the code name is bluebird"])
		require.Equal(t, map[string]string{"the code name is cormorant": own["c"]}, where["c"])
		s := statusOf(t, home)
		require.Zero(t, s.Waiting+s.Failed)
	}
}

// While the store of a folder is unknown, its turns are stored nowhere; they are stored once it is
// known.
func TestUnknownStore(t *testing.T) {
	a, b := repositories(t)
	home, name := repotest.Home(t), filepath.Join(t.TempDir(), "s.jsonl")
	belongsTo(t, home, a, ourStore, "git@github.com:acme/a")
	belongsTo(t, home, b, otherStore, "git@github.com:acme/b")
	require.NoError(t, os.WriteFile(name, []byte(saidIn(b, "1", "the code name is redwing")), 0o600))
	j := jobFor(ourStore, a, name)
	j.Project = "github.com/acme/a"
	require.NoError(t, turns.AddJob(home, j))
	lists, err := filepath.Glob(filepath.Join(home, "stores*"))
	require.NoError(t, err)
	require.Len(t, lists, 1)
	require.NoError(t, os.Rename(lists[0], lists[0]+"-away"))
	require.NoError(t, os.Mkdir(lists[0], 0o700))
	_, err = turns.Work(t.Context(), home, func(string) string { return "" })
	require.ErrorContains(t, err, "read which stores are allowed")
	require.Empty(t, projects(t, copyOf(t, home, ourStore)))
	s := statusOf(t, home)
	require.Equal(t, 1, s.Waiting)

	require.NoError(t, os.Remove(lists[0]))
	require.NoError(t, os.Rename(lists[0]+"-away", lists[0]))
	work(t, home)
	require.Empty(t, projects(t, copyOf(t, home, ourStore)))
	require.Equal(t, map[string]string{"the code name is redwing": "github.com/acme/b"}, projects(t, copyOf(t, home, otherStore)))
}

// A store that the environment of a session names holds in all repositories that it goes to.
func TestAStoreOfAWholeSession(t *testing.T) {
	a, b := repositories(t)
	home, name := repotest.Home(t), filepath.Join(t.TempDir(), "s.jsonl")
	belongsTo(t, home, a, ourStore, "git@github.com:acme/a")
	require.NoError(t, os.WriteFile(name, []byte(saidIn(a, "1", "the code name is bluebird")+saidIn(b, "2", "the code name is redwing")), 0o600))
	j := jobFor("", b, name)
	j.StoreSet = true // WHENCE_STORE=local
	require.NoError(t, turns.AddJob(home, j))
	require.Equal(t, 1, work(t, home).Jobs)
	require.Equal(t, map[string]string{"the code name is bluebird": filepath.Join(a, ".git"), "the code name is redwing": filepath.Join(b, ".git")}, projects(t, home))
	require.NoDirExists(t, filepath.Join(home, "team"))
}

// Each store has its own retention; settings that name a store the user has not allowed
// change nothing.
func TestRetentionOfEachStore(t *testing.T) {
	a, b := repositories(t)
	home, dir := repotest.Home(t), t.TempDir()
	belongsTo(t, home, a, ourStore, "git@github.com:acme/a")
	require.NoError(t, os.WriteFile(filepath.Join(b, config.ProjectFile), []byte("memory_store: "+otherStore+"\nmemory_turn_days: 3\n"), 0o600))
	old := time.Now().AddDate(0, 0, -7).UTC().Format(time.RFC3339)
	for repository, store := range map[string]string{a: ourStore, b: ""} {
		name := filepath.Join(dir, filepath.Base(repository)+".jsonl")
		src := `{"type":"user","uuid":"` + filepath.Base(repository) + `","sessionId":"s","timestamp":"` + old + `","message":{"content":"it was said a week ago"}}` + "\n"
		require.NoError(t, os.WriteFile(name, []byte(src), 0o600))
		require.NoError(t, turns.AddJob(home, jobFor(store, repository, name)))
	}
	require.Equal(t, turns.Done{Jobs: 2, Pruned: 1}, work(t, home))
	require.Empty(t, projects(t, home))
	require.Len(t, projects(t, copyOf(t, home, ourStore)), 1)
	require.NotEmpty(t, team.TurnScope(b, func(string) string { return "" }))
}

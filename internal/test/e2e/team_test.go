package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/learning"
	"whence/internal/store"
	"whence/internal/store/postgres"
	"whence/internal/team"
	"whence/internal/test/pgtest"
	"whence/internal/test/repotest"
)

// office is the store of two teams, ferry and quay, on a server that can be killed.
type office struct {
	t      *testing.T
	server *pgtest.Server
	db     *pgtest.Database
}

func newOffice(t *testing.T) *office {
	t.Helper()
	pgtest.Require(t)
	o := &office{t: t, server: pgtest.StartOwn(t, pgtest.Options{Fsync: true})}
	t.Setenv("PGPASSFILE", o.server.Passfile())
	o.db = o.server.Database(t, "office")
	_, err := postgres.Init(t.Context(), o.db.URL(pgtest.Superuser))
	require.NoError(t, err)
	return o
}

// colleague is somebody at a machine of their own: a home, a clone of the team's repository,
// the programs, and a network to the server that can fail.
type colleague struct {
	*sandbox
	o       *office
	login   string
	hooks   string // the program memory-hooks
	network *pgtest.Proxy
	workers *repotest.Descendants
}

const teamProject = "github.com/acme/app"

// colleague is a new one of a team. Hooks start workers, unless the folder of the programs that
// they use has none.
func (o *office) colleague(name, team, role, bin string) *colleague {
	t := o.t
	t.Helper()
	login := o.server.Login(t, name)
	_, err := postgres.Admit(t.Context(), o.db.URL(pgtest.Superuser), team, login, role)
	require.NoError(t, err)
	c := o.stranger(bin)
	c.login, c.network = login, pgtest.NewProxy(t, o.server.Address())
	c.env = append(c.env, "PGPASSFILE="+o.server.Passfile())
	c.write("home/whence/"+config.UserFile, "memory_store: "+o.db.URLAt(c.network.Address(), login)+"\n")
	repotest.ClaimHome(t, filepath.Join(c.dir, "home", "whence"))
	return c
}

// stranger is somebody without a store of a team.
func (o *office) stranger(bin string) *colleague {
	t := o.t
	t.Helper()
	s := newSandbox(t)
	s.env = append(s.env, "WHENCE_HOME="+repotest.ClaimHome(t, filepath.Join(s.dir, "home", "whence")))
	c := &colleague{sandbox: s, o: o, hooks: filepath.Join(bin, "memory-hooks")}
	require.NoError(t, os.Mkdir(filepath.Join(s.dir, "clone"), 0o755))
	s.run("clone", "git", "init", "-q", "-b", "main")
	s.run("clone", "git", "remote", "add", "origin", "git@github.com:acme/app.git")
	c.workers = repotest.NewDescendants(t)
	return c
}

// said is the outcome of a program.
type said struct {
	Status         int
	Stdout, Stderr string
}

func (c *colleague) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = filepath.Join(c.dir, "clone"), c.env
	c.workers.Of(cmd)
	return cmd
}

func (c *colleague) answer(cmd *exec.Cmd) (s said, err error) {
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	s = said{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
	var status *exec.ExitError
	if errors.As(err, &status) {
		err = nil
	}
	return s, err
}

// remember runs memory-remember.
func (c *colleague) remember(args ...string) said {
	c.t.Helper()
	s, err := c.answer(c.command(filepath.Join(installed(c.t), "memory-remember"), args...))
	require.NoError(c.t, err)
	return s
}

// remembers is remember for what has to succeed.
func (c *colleague) remembers(args ...string) said {
	c.t.Helper()
	s := c.remember(args...)
	require.Zero(c.t, s.Status, "%v: %s%s", args, s.Stdout, s.Stderr)
	return s
}

// tell hands an event to memory-hooks.
func (c *colleague) tell(name, session string, fields map[string]any) (said, error) {
	event := map[string]any{"session_id": session, "cwd": filepath.Join(c.dir, "clone"), "hook_event_name": name}
	for key, value := range fields {
		event[key] = value
	}
	src, err := json.Marshal(event)
	if err != nil {
		return said{}, err
	}
	cmd := c.command(c.hooks, name)
	cmd.Stdin = bytes.NewReader(src)
	s, err := c.answer(cmd)
	if err == nil && s.Status != 0 {
		err = fmt.Errorf("%s: exit status %d: %s", name, s.Status, s.Stderr)
	}
	return s, err
}

// told returns the reply to an event, after the worker that it starts has ended.
func (c *colleague) told(name, session string, fields map[string]any) string {
	c.t.Helper()
	s, err := c.tell(name, session, fields)
	require.NoError(c.t, err)
	c.workers.Wait()
	return s.Stdout
}

// prompt returns the reply to a prompt.
func (c *colleague) prompt(session, text string) string {
	c.t.Helper()
	return c.told("UserPromptSubmit", session, map[string]any{"prompt": text})
}

// turnLine is a line of a transcript, of something that the user has said.
func turnLine(session, uuid, text string, at time.Time) string {
	src, err := json.Marshal(map[string]any{"type": "user", "uuid": uuid, "sessionId": session, "timestamp": at.UTC().Format(time.RFC3339), "message": map[string]any{"role": "user", "content": text}})
	if err != nil {
		panic(err)
	}
	return string(src) + "\n"
}

// stop has a session stop in which something was said.
func (c *colleague) stop(session string, lines ...string) {
	c.t.Helper()
	c.write(session+".jsonl", strings.Join(lines, ""))
	require.Empty(c.t, c.told("Stop", session, map[string]any{"transcript_path": filepath.Join(c.dir, session+".jsonl")}))
}

func (c *colleague) place() *team.Replica {
	c.t.Helper()
	places, err := team.Replicas(filepath.Join(c.dir, "home", "whence"))
	require.NoError(c.t, err)
	require.Len(c.t, places, 1)
	return places[0]
}

// aMinuteLater has the server be asked again.
func (c *colleague) aMinuteLater() {
	c.t.Helper()
	if err := os.Remove(filepath.Join(c.place().Dir(), ".tried")); !errors.Is(err, os.ErrNotExist) {
		require.NoError(c.t, err)
	}
}

// server is the store as the colleague sees it.
func (c *colleague) server() *store.Store {
	c.t.Helper()
	s, err := postgres.Open(c.t.Context(), c.o.db.URL(c.login))
	require.NoError(c.t, err)
	c.t.Cleanup(func() { s.Close() })
	return s
}

// turns is how many turns of a colleague are on the server.
func (c *colleague) turns() (n int) {
	c.t.Helper()
	require.NoError(c.t, c.o.db.Open(c.t, pgtest.Superuser).QueryRow(`SELECT count(*) FROM whence.turns WHERE owner = $1`, c.login).Scan(&n))
	return n
}

// learned are the learnings of the team's repository, by id.
func learned(t *testing.T, s *store.Store) map[string]learning.Learning {
	t.Helper()
	some, err := s.List(context.Background(), store.Filter{Project: teamProject, Retired: true})
	require.NoError(t, err)
	all := map[string]learning.Learning{}
	for _, l := range some {
		all[l.ID] = l
	}
	return all
}

// alone is a folder with memory-hooks, and instead of the worker a program that ends
// immediately.
var alone struct {
	once sync.Once
	dir  string
	err  error
}

func hooksAlone(t *testing.T) string {
	t.Helper()
	bin := installed(t)
	alone.once.Do(func() {
		alone.dir = filepath.Join(bin, "alone")
		if alone.err = os.Mkdir(alone.dir, 0o755); alone.err != nil {
			return
		}
		hooks, err := os.ReadFile(filepath.Join(bin, "memory-hooks"))
		if err == nil {
			err = os.WriteFile(filepath.Join(alone.dir, "memory-hooks"), hooks, 0o755)
		}
		nothing := repotest.Build(t, alone.dir, filepath.Join(repotest.Root(t), "internal", "test", "repotest", "testdata", "empty", "main.go"))
		alone.err = errors.Join(err, os.Rename(nothing, filepath.Join(alone.dir, "memory-remember")))
	})
	require.NoError(t, alone.err)
	return alone.dir
}

const (
	tugboat      = "the tugboat needs a pilot above four metres of swell"
	aboutTugboat = "what does the tugboat pilot need in the swell?"
)

// What one member of a team remembers is injected for another on the next machine, and for no
// one else. Turns stay with their speaker, unless they are shared.
func TestATeam(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the programs")
	}
	bin := installed(t)
	o := newOffice(t)
	ann, bob, rob, eve := o.colleague("ann", "ferry", "member", bin), o.colleague("bob", "ferry", "member", bin), o.colleague("rob", "ferry", "reader", bin), o.colleague("eve", "quay", "admin", bin)

	require.Empty(t, ann.remembers(tugboat).Stderr)
	for _, c := range []*colleague{bob, rob, eve} {
		require.NotContains(t, c.told("SessionStart", "first", map[string]any{"source": "startup"}), "tugboat", "the copy is filled by a worker")
		begins, asks := c.told("SessionStart", "second", map[string]any{"source": "startup"}), c.prompt("third", aboutTugboat)
		if c == eve {
			require.NotContains(t, begins+asks, "tugboat")
			continue
		}
		require.Contains(t, strings.ToLower(begins), tugboat) // its name
		require.Contains(t, asks, tugboat)
	}

	now := time.Now()
	ann.stop("secret", turnLine("secret", "u1", "moor the ferry at pier seven from now on, never at pier six", now),
		turnLine("secret", "u2", "this about pier seven was said half a year ago and is too old now", now.AddDate(0, 0, -200)))
	ann.write("clone/.whence.yaml", "memory_turns_shared: true\n")
	ann.stop("open", turnLine("open", "u3", "paint the lighthouse of pier seven red this summer", now))
	require.Equal(t, 2, ann.turns(), "one of the three is older than half a year")
	search := func(c *colleague) string {
		return c.remember("search", "moor ferry pier seven lighthouse paint").Stdout
	}
	require.Contains(t, search(ann), "never at pier six")
	for _, c := range []*colleague{bob, rob, eve} {
		require.NotContains(t, search(c), "never at pier six", c.login)
		require.Equal(t, c != eve, strings.Contains(search(c), "lighthouse"), c.login)
	}

	// A reader's agents are heard here alone, and nothing is wrong with that.
	rob.stop("read", turnLine("read", "u4", "the reader says something of the harbour crane", now))
	require.Zero(t, rob.turns())
	require.Contains(t, rob.remember("readers have nothing to say of the quay here").Stderr, "may not do that in this team")
	s, err := rob.answer(rob.command(rob.hooks, "doctor"))
	require.NoError(t, err)
	require.Regexp(t, `(?m)^ok +team .*nothing waits to be sent`, s.Stdout)
	require.NotContains(t, s.Stdout, "refused")
}

// A deleted learning goes from the server, immediately or when it can be reached. That of a
// colleague does not, and the command says so.
func TestATeamDeletes(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the programs")
	}
	bin := installed(t)
	o := newOffice(t)
	ann, bob := o.colleague("ann", "ferry", "member", bin), o.colleague("bob", "ferry", "member", bin)
	now := time.Now().Add(-time.Hour)
	for _, c := range []*colleague{ann, bob} {
		for _, session := range []string{"s1", "s2"} {
			c.stop(c.login+session, turnLine(c.login+session, c.login+session, "moor the ferry at pier seven from now on", now))
		}
	}
	require.Equal(t, []int{2, 2}, []int{ann.turns(), bob.turns()})
	require.Equal(t, "Would delete: 1 turn of 1 session, 40 B\n", ann.remembers("prune", "--session", ann.login+"s1", "--dry-run").Stdout)
	for _, s := range []said{ann.remembers("prune", "--session", ann.login+"s1"), ann.remembers("prune", "--session", bob.login+"s1")} {
		require.Empty(t, s.Stderr)
	}
	require.Equal(t, []int{1, 2}, []int{ann.turns(), bob.turns()}, "one's own alone")

	ann.network.Cut()
	s := ann.remembers("prune", "--older-than", "0h", "--dry-run")
	require.Contains(t, s.Stderr, "connection refused): this is from the copy")
	require.Equal(t, "Would delete: 1 turn of 1 session, 40 B\n", s.Stdout)
	s = ann.remembers("prune", "--older-than", "0h")
	require.Equal(t, "memory-remember: Deleted only here until the team's store can be reached again (connection refused).\n", s.Stderr)
	require.Equal(t, "Deleted: 1 turn of 1 session, 40 B\n", s.Stdout)
	require.Equal(t, 1, ann.turns())
	require.NotContains(t, ann.remember("search", "moor ferry pier seven").Stdout, "from now on")
	ann.network.Heal(t)
	ann.remembers("capture")
	require.Equal(t, []int{0, 2}, []int{ann.turns(), bob.turns()})

	ann.remembers(tugboat)
	id := learning.ID(tugboat)
	s = bob.remember("forget", id)
	require.NotZero(t, s.Status)
	require.Contains(t, s.Stderr, "it is a colleague's: ask them")
	bob.aMinuteLater()
	bob.told("SessionStart", "later", map[string]any{"source": "startup"})
	bob.network.Cut()
	require.Contains(t, bob.remembers("forget", id).Stderr, "Kept here until the team's store can be reached again")
	require.NotContains(t, bob.prompt("asks", aboutTugboat), tugboat)
	bob.network.Heal(t)
	bob.aMinuteLater()
	s = bob.remember("capture")
	require.NotZero(t, s.Status)
	require.Contains(t, s.Stderr, "it is a colleague's: ask them")
	require.Contains(t, bob.prompt("asks", aboutTugboat), tugboat, "the copy has it again")
	s, err := bob.answer(bob.command(bob.hooks, "doctor"))
	require.NoError(t, err)
	require.Contains(t, s.Stdout, "refused 1 operation")
	require.Contains(t, s.Stdout, "it is a colleague's")
	require.Contains(t, learned(t, ann.server()), id)
}

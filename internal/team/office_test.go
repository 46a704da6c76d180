package team

import (
	"fmt"
	"net/url"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/store"
	"whence/internal/test/pgtest"
	"whence/internal/test/repotest"
)

func TestMain(m *testing.M) {
	tests := func() int { return pgtest.Main(m) }
	os.Exit(repotest.Main(tests, map[string]repotest.JobFunc{"exchange": exchangeForever}))
}

// office is a database with a team.
type office struct {
	*pgtest.Server
	db    *pgtest.Database
	owner string
}

const project = "/home/ann/app/.git"

func newOffice(t testing.TB) *office {
	t.Helper()
	o := &office{Server: pgtest.Start(t)}
	o.db, o.owner = o.Database(t, "office"), o.Login(t, "owner")
	super := o.db.Open(t, pgtest.Superuser)
	_, err := super.Exec(`ALTER ROLE ` + o.owner + ` CREATEROLE; ALTER DATABASE ` + o.db.Name + ` OWNER TO ` + o.owner)
	require.NoError(t, err)
	require.NoError(t, Init(t.Context(), o.at(o.Address(), o.owner), "ferry"))
	return o
}

// at returns the URL of a login at an address.
func (o *office) at(address, login string) string {
	return o.db.URLAt(address, login) + "&passfile=" + url.QueryEscape(o.Passfile())
}

// member is a colleague, with their own store.
type member struct {
	t     testing.TB
	login string
	*store.Store
	team store.Team
	now  time.Time
}

func (o *office) member(t testing.TB, address string) *member {
	t.Helper()
	login := o.Login(t, "member")
	require.NoError(t, Admit(t.Context(), o.at(o.Address(), o.owner), "ferry", login, false))
	return o.memberAs(t, login, address)
}

func (o *office) memberAs(t testing.TB, login, address string) *member {
	t.Helper()
	return o.memberIn(t, login, address, t.TempDir())
}

func (o *office) memberIn(t testing.TB, login, address, dir string) *member {
	t.Helper()
	s, err := store.Open(t.Context(), dir)
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	m := &member{t: t, login: login, Store: s, now: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)}
	m.team = store.Team{Project: project, URL: o.at(address, login), Team: "ferry", Scope: "app", ShareTurns: true}
	require.NoError(t, s.Join(t.Context(), m.team))
	return m
}

var everything = store.Scope{Project: project}

func (m *member) add(description string) learning.Learning {
	m.t.Helper()
	out, err := m.Put(m.t.Context(), learning.Learning{
		Name: learning.InferName(description), Description: description, Reasoning: learning.NoReason,
		Category: learning.Heuristics, Source: learning.Manual, Confidence: learning.Medium, Project: project,
	}, store.Observation{At: m.now, Session: m.login})
	require.NoError(m.t, err)
	return out.Learning
}

func (m *member) edit(id string, change func(*learning.Learning)) learning.Learning {
	m.t.Helper()
	_, after, err := m.Edit(m.t.Context(), everything, id, m.now, func(l *learning.Learning) error {
		change(l)
		return nil
	})
	require.NoError(m.t, err)
	return after
}

// sync exchanges, and returns the fault that was recorded.
func (m *member) sync() string {
	m.t.Helper()
	require.NoError(m.t, Sync(m.t.Context(), m.Store, m.now))
	t, err := m.TeamOf(m.t.Context(), project)
	require.NoError(m.t, err)
	return t.Fault
}

// learnings returns what the store shares, as lines.
func (m *member) learnings() []string {
	m.t.Helper()
	all, err := m.List(m.t.Context(), store.Query{Scope: everything})
	require.NoError(m.t, err)
	var lines []string
	for _, l := range all {
		lines = append(lines, fmt.Sprintf("%s %d %s | %s", l.Name, l.Observations, l.Description, l.Reasoning))
	}
	slices.Sort(lines)
	return lines
}

package e2e

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/store"
	"whence/internal/store/postgres"
	"whence/internal/test/pgtest"
)

// moves takes a login out of one team and into another.
func (c *colleague) moves(from, to string) {
	c.t.Helper()
	owner := c.o.db.URL(pgtest.Superuser)
	require.NoError(c.t, postgres.Dismiss(c.t.Context(), owner, from, c.login))
	_, err := postgres.Admit(c.t.Context(), owner, to, c.login, "member")
	require.NoError(c.t, err)
}

// owners are the teams that have a text in their memory.
func (o *office) owners(text string) (teams []string) {
	o.t.Helper()
	rows, err := o.db.Open(o.t, pgtest.Superuser).Query(`SELECT team FROM whence.entries WHERE id = $1 ORDER BY team`, learning.ID(text))
	require.NoError(o.t, err)
	defer rows.Close()
	for rows.Next() {
		var team string
		require.NoError(o.t, rows.Scan(&team))
		teams = append(teams, team)
	}
	require.NoError(o.t, rows.Err())
	return teams
}

// What was learned for one team while its server was away goes to no other team when the login
// has changed its team meanwhile. It is kept, the user is told, and decides what becomes of it.
func TestATeamsOutboxAfterTheLoginMoved(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the programs")
	}
	bin := installed(t)
	o := newOffice(t)
	const (
		crane = "the harbour crane stops at a wind of nine beaufort"
		buoy  = "the red buoy marks the shallow side of the fairway"
	)
	moved := func(t *testing.T) *colleague {
		o.t = t
		ann := o.colleague("ann", "ferry", "member", bin)
		require.Empty(t, ann.remembers(tugboat).Stderr) // by it the copy knows the team
		ann.network.Cut()
		require.Contains(t, ann.remembers(crane).Stderr, "Kept here until the team's store can be reached again")
		ann.stop("s", turnLine("s", "1", "moor the ferry at pier seven from now on, never at pier six", time.Now()))
		ann.remember("capture")
		ann.moves("ferry", "quay")
		ann.network.Heal(t)
		return ann
	}
	const told = "put aside on this machine: 2 not sent, made for the team ferry; this login is in the team quay now. To send, take over or discard it: memory-remember store outbox"

	t.Run("is told", func(t *testing.T) {
		ann := moved(t)
		require.Contains(t, ann.remembers(buoy).Stderr, told)
		require.Contains(t, ann.remembers("list", "--brief").Stderr, told, "again, until it is decided")
		check := ann.remember("store", "check")
		require.Equal(t, 1, check.Status)
		require.Contains(t, check.Stdout, told)
		doctor, err := ann.answer(ann.command(ann.hooks, "doctor"))
		require.NoError(t, err)
		require.Contains(t, doctor.Stdout, "2 operations not sent to")
		require.Contains(t, doctor.Stdout, "fix: memory-remember store outbox\n")
		require.Contains(t, ann.told("SessionStart", "new", map[string]any{"source": "startup"}), "made for the team ferry")
		list := ann.remembers("store", "outbox").Stdout
		require.Contains(t, list, "put aside, made for the team ferry; this login is in the team quay now")
		require.Contains(t, list, crane)
		require.Contains(t, list, "1 turn of session s")
		require.Empty(t, o.owners(crane), "it is sent to nobody")
		require.Equal(t, []string{"quay"}, o.owners(buoy))
		require.Zero(t, ann.turns())

		sent := ann.remember("store", "outbox", "--send")
		require.Equal(t, 4, sent.Status)
		require.Contains(t, sent.Stderr, "is the store of the team quay: name another one by --store (?team=ferry in its URL), or --take-over")
		ann.remember("capture", "--retry")
		require.Empty(t, o.owners(crane))
		require.Contains(t, ann.remembers("store", "outbox").Stdout, crane)

		ann.moves("quay", "ferry")
		ann.aMinuteLater()
		require.Contains(t, ann.remembers("store", "outbox", "--send").Stdout, "3 operations put back into the outbox, 3 sent", "and what the session was shown")
		require.Equal(t, []string{"ferry"}, o.owners(crane))
		require.Equal(t, 1, ann.turns())
		require.NotContains(t, ann.remembers("list", "--brief").Stderr, "put aside")
		require.Equal(t, "Nothing waits, and nothing was put aside.\n", ann.remembers("store", "outbox").Stdout)
	})
	t.Run("another URL", func(t *testing.T) {
		ann := moved(t)
		ann.remembers(buoy)
		_, err := postgres.Admit(t.Context(), o.db.URL(pgtest.Superuser), "ferry", ann.login, "member")
		require.NoError(t, err) // now in both
		url := o.db.URLAt(ann.network.Address(), ann.login) + "&team=ferry"
		require.Contains(t, ann.remembers("store", "outbox", "--send", "--store", url).Stdout, "2 sent")
		s, err := postgres.Open(t.Context(), o.db.URL(ann.login)+"&team=ferry")
		require.NoError(t, err)
		defer s.Close()
		n, err := s.Count(t.Context(), store.Filter{Everywhere: true})
		require.NoError(t, err)
		require.GreaterOrEqual(t, n, 2)
		require.Equal(t, 1, ann.turns())
	})
	t.Run("taken over", func(t *testing.T) {
		ann := moved(t)
		ann.remembers(buoy)
		ann.remembers("store", "outbox", "--take-over")
		require.Contains(t, o.owners(crane), "quay")
		require.Equal(t, 1, ann.turns())
		require.Equal(t, "Nothing waits, and nothing was put aside.\n", ann.remembers("store", "outbox").Stdout)
	})
	t.Run("discarded", func(t *testing.T) {
		ann := moved(t)
		ann.remembers(buoy)
		before := o.owners(crane)
		require.Contains(t, ann.remembers("store", "outbox", "--discard").Stdout, crane, "it is printed, for who thinks again")
		require.Equal(t, "Nothing waits, and nothing was put aside.\n", ann.remembers("store", "outbox").Stdout)
		require.Equal(t, before, o.owners(crane))
		require.NotContains(t, ann.remembers("list", "--brief").Stderr, "put aside")
	})
}

package team

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/store"
	"whence/internal/test/pgtest"
	"whence/internal/test/repotest"
)

// While the server does not answer, the store is not held up, and an exchange ends soon.
func TestNothingWaitsForTheServer(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	network := pgtest.NewProxy(t, o.Address())
	ann := o.member(t, network.Address())
	ann.add("The booking table is locked while the harbour imports tides")
	require.Empty(t, ann.sync())
	network.Hang()
	fault := make(chan string)
	start := time.Now()
	go func() { fault <- ann.sync() }()
	for i := range 20 {
		begin := time.Now()
		ann.add(fmt.Sprintf("What was learned while the server did not answer, number %d", i))
		require.Less(t, time.Since(begin), time.Second)
	}
	require.Contains(t, <-fault, "cannot be reached")
	require.Less(t, time.Since(start), 2*connectTimeout)
	network.Heal()
	require.Empty(t, ann.sync())
	require.Len(t, o.liveIDs(t), 21)
}

// What the server has committed, and the store does not know of, is sent again and applied once.
func TestLostAcknowledgement(t *testing.T) {
	o := newOffice(t)
	ann := o.member(t, o.Address())
	l := ann.add("The booking table is locked while the harbour imports tides")
	ann.add(l.Description)
	ctx := t.Context()
	origin, err := originOf(ctx, ann.Store)
	require.NoError(t, err)
	ops, err := ann.Outbox(ctx, project, maxRows)
	require.NoError(t, err)
	for range 3 {
		e := &exchange{store: ann.Store, team: ann.team, origin: origin}
		e.conn, err = connect(ctx, ann.team.URL)
		require.NoError(t, err)
		require.NoError(t, e.pushSome(ctx, ops))
		require.NoError(t, e.conn.Close(ctx))
	}
	require.Empty(t, ann.sync())
	require.Contains(t, ann.learnings()[0], " 2 The booking table")
}

// exchangeForever exchanges until the process is killed.
func exchangeForever(dir string, _ []string) error {
	ctx := context.Background()
	s, err := store.Open(ctx, dir)
	for err == nil {
		err = Sync(ctx, s, time.Now())
	}
	return err
}

func TestKilledProcesses(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	dir := t.TempDir()
	ann, bea := o.memberIn(t, o.Login(t, "ann"), o.Address(), dir), o.member(t, o.Address())
	require.NoError(t, Admit(t.Context(), o.at(o.Address(), o.owner), "ferry", ann.login, false))
	for round := range 8 {
		cmd := repotest.NewJob("exchange", dir)
		require.NoError(t, cmd.Start())
		for i := range 30 {
			ann.add(fmt.Sprintf("Someone has learned in round %d what is number %d", round, i/2))
		}
		time.Sleep(time.Duration(round) * 15 * time.Millisecond)
		require.NoError(t, cmd.Process.Kill())
		_ = cmd.Wait() // killed
	}
	require.Empty(t, ann.sync())
	require.Empty(t, bea.sync())
	require.Equal(t, ann.learnings(), bea.learnings())
	require.Len(t, bea.learnings(), 8*15)
	for _, line := range bea.learnings() {
		require.Contains(t, line, " 2 Someone has learned")
	}
}

// A turn or learning that breaks a limit of the server does not hold up what comes after it.
func TestRefusedData(t *testing.T) {
	o := newOffice(t)
	ann := o.member(t, o.Address())
	ann.edit(ann.add("The harbour closes its gates when the storm warning is red").ID, func(l *learning.Learning) {
		l.Reasoning = strings.Repeat("much too long ", 40_000)
	})
	ann.add("The booking table is locked while the harbour imports tides")
	o.turns(t, ann, store.Turn{UUID: "u", Session: "s1", Role: "user", Kind: "prompt", Text: "cut \xff in half: \xed\xa0\x80 무료", At: ann.now})
	require.Contains(t, ann.sync(), "the server does not take one of the changes")
	require.Len(t, o.liveIDs(t), 2)
	require.Empty(t, ann.sync())
}

// A member can write anything with another program. Others can still exchange.
func TestForeignRows(t *testing.T) {
	o := newOffice(t)
	ann, bea := o.member(t, o.Address()), o.member(t, o.Address())
	db := o.db.Open(t, bea.login)
	for id, src := range map[string]string{"a": `{}`, "b": `[1]`, "c": `{"name": 3}`, "d": `{"id": "d", "name": "n", "description": "not the text of this id"}`} {
		_, err := db.Exec(`INSERT INTO whence.learnings (team, scope, id, learning, origin) VALUES ('ferry', 'app', $1, $2, '')`, id, src)
		require.NoError(t, err)
	}
	ann.add("The booking table is locked while the harbour imports tides")
	require.Empty(t, ann.sync())
	require.Empty(t, ann.sync())
	require.Len(t, ann.learnings(), 1)
	rowLess := store.Team{URL: o.db.URL(ann.login), Team: "ferry", Scope: "app"}
	_, err := Search(t.Context(), rowLess, "booking", 3)
	require.ErrorContains(t, err, "~/.pgpass", "the file of the test is not named")
}

// Two colleagues edit one learning: neither loses their text.
func TestEditsOfTwo(t *testing.T) {
	o := newOffice(t)
	ann, bea := o.member(t, o.Address()), o.member(t, o.Address())
	l := ann.add("The booking table is locked while the harbour imports tides")
	require.Empty(t, ann.sync())
	require.Empty(t, bea.sync())
	ann.edit(l.ID, func(l *learning.Learning) { l.Reasoning = "Ann has measured it." })
	bea.edit(l.ID, func(l *learning.Learning) { l.Reasoning = "Bea has read the code." })
	require.Empty(t, ann.sync())
	require.Empty(t, bea.sync())
	require.Empty(t, ann.sync())
	require.Equal(t, ann.learnings(), bea.learnings())
	require.Len(t, ann.learnings(), 2)
	require.Contains(t, strings.Join(ann.learnings(), "\n"), "tides | Ann has measured it.")
	require.Contains(t, strings.Join(ann.learnings(), "\n"), "tides (edited by "+bea.login+") | Bea has read the code.")

	ann.edit(l.ID, func(l *learning.Learning) { l.Description = "The booking table is locked at low tide, says Ann" })
	bea.edit(l.ID, func(l *learning.Learning) { l.Description = "The booking table is locked at high tide, says Bea" })
	require.Empty(t, ann.sync())
	require.Empty(t, bea.sync())
	require.Empty(t, ann.sync())
	require.Equal(t, ann.learnings(), bea.learnings())
	require.Len(t, ann.learnings(), 3)
}

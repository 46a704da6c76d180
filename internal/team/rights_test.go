package team

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/store"
	"whence/internal/test/pgtest"
)

// A login without rights in a team reads and writes nothing of it, whatever it types.
func TestOtherTeamsAreClosed(t *testing.T) {
	o := newOffice(t)
	ann := o.member(t, o.Address())
	l := ann.add("The booking table is locked while the harbour imports tides")
	e := o.turns(t, ann, store.Turn{UUID: "u1", Session: "s1", Role: "user", Kind: "prompt", Text: "why is the booking table locked", At: ann.now})
	require.Empty(t, ann.sync())
	require.NoError(t, Init(t.Context(), o.at(o.Address(), o.owner), "quay"))
	rival, stranger := o.Login(t, "rival"), o.Login(t, "stranger")
	require.NoError(t, Admit(t.Context(), o.at(o.Address(), o.owner), "quay", rival, true))

	hits, err := Search(t.Context(), e, "booking", 5)
	require.NoError(t, err)
	require.Len(t, hits, 1)
	for _, login := range []string{rival, stranger} {
		db := o.db.Open(t, login)
		for _, table := range []string{"learnings", "turns", "applied"} {
			n := 0
			if err := db.QueryRow(`SELECT count(*) FROM whence.` + table).Scan(&n); login == stranger {
				require.ErrorContains(t, err, "permission denied")
			} else {
				require.NoError(t, err)
			}
			require.Zero(t, n, table)
		}
		var hits int
		_ = db.QueryRow(`SELECT count(*) FROM whence.search('ferry', 'app', $1, 9)`, wordsOf(ann.team, "booking", 9)).Scan(&hits)
		require.Zero(t, hits)
		for _, statement := range []string{
			`INSERT INTO whence.learnings (team, scope, id, learning, origin) VALUES ('ferry', 'app', 'x', '{}', '')`,
			`INSERT INTO whence.turns (team, scope, uuid, session, role, kind, text, at, words) VALUES ('ferry', 'app', 'x', '', '', '', '', now(), '{}')`,
			`INSERT INTO whence.applied (team, id) VALUES ('ferry', 'x')`,
			`INSERT INTO whence.teams (team, role) VALUES ('x', session_user)`,
			`UPDATE whence.teams SET role = session_user`,
			`GRANT "whence ` + o.db.Name + ` ferry" TO CURRENT_USER`,
			`SET ROLE "whence ` + o.db.Name + ` ferry"`,
			`SELECT setval('whence.revisions', 1)`,
			`CREATE TABLE whence.mine (n int)`,
			`ALTER TABLE whence.learnings DISABLE ROW LEVEL SECURITY`,
			`TRUNCATE whence.learnings`,
		} {
			_, err := db.Exec(statement)
			require.Error(t, err, "%s: %s", login, statement)
		}
		for _, statement := range []string{
			`UPDATE whence.learnings SET learning = '{}'`, `UPDATE whence.turns SET text = ''`, `DELETE FROM whence.turns`,
		} {
			if result, err := db.Exec(statement); err == nil {
				n, err := result.RowsAffected()
				require.NoError(t, err)
				require.Zero(t, n, statement)
			}
		}
		require.ErrorIs(t, CheckMember(t.Context(), o.at(o.Address(), login), "ferry"), errNoMember)
		require.Contains(t, o.memberAs(t, login, o.Address()).sync(), "admit LOGIN")
		require.Error(t, Admit(t.Context(), o.at(o.Address(), login), "ferry", login, false))
		_, err := Search(t.Context(), store.Team{URL: o.at(o.Address(), login), Team: "ferry", Scope: "app"}, "booking", 5)
		require.Error(t, err)
	}
	require.NoError(t, CheckMember(t.Context(), o.at(o.Address(), rival), "quay"))

	// A member's turn with the words of another team does not show how common they are there.
	db := o.db.Open(t, rival)
	for _, team := range []string{"ferry", "quay"} {
		words := wordsOf(store.Team{Team: team, Scope: "app"}, "booking", 9)
		_, err = db.Exec(`INSERT INTO whence.turns (team, scope, uuid, session, role, kind, text, at, words)
			VALUES ('quay', 'app', $1, '', '', '', '', now(), $2)`, team, words)
		require.NoError(t, err)
		var hits int
		require.NoError(t, db.QueryRow(`SELECT count(*) FROM whence.search('quay', 'app', $1, 9)`, words).Scan(&hits))
		require.Equal(t, team == "quay", hits == 1)
	}
	require.Equal(t, []string{l.ID}, o.liveIDs(t))
}

func (o *office) liveIDs(t testing.TB) (ids []string) {
	t.Helper()
	rows, err := o.db.Open(t, pgtest.Superuser).Query(`SELECT id FROM whence.learnings WHERE learning IS NOT NULL ORDER BY id`)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var id string
		require.NoError(t, rows.Scan(&id))
		ids = append(ids, id)
	}
	require.NoError(t, rows.Err())
	return ids
}

// turns captures turns, and returns the team that they are searched in.
func (o *office) turns(t testing.TB, m *member, turns ...store.Turn) store.Team {
	t.Helper()
	require.NoError(t, m.Register(t.Context(), store.Transcript{Path: "/t", Session: "s1", Cwd: "/", Project: project, Capture: true, Seen: m.now}))
	all, err := m.Transcripts(t.Context())
	require.NoError(t, err)
	for i := range turns {
		turns[i].Project = project
	}
	_, err = m.AddReading(t.Context(), store.Reading{Path: "/t", Before: all[0].State, After: []byte(time.Now().String()), Turns: turns})
	require.NoError(t, err)
	return m.team
}

// A member may forget what they wrote, an admin everything. What a member may not forget comes back.
func TestForgetting(t *testing.T) {
	o := newOffice(t)
	ann, bea, admin := o.member(t, o.Address()), o.member(t, o.Address()), o.memberAs(t, o.owner, o.Address())
	first := ann.add("The booking table is locked while the harbour imports tides")
	second := ann.add("The harbour closes its gates when the storm warning is red")
	require.Empty(t, ann.sync())
	require.Empty(t, bea.sync())
	_, err := bea.Forget(t.Context(), everything, first.ID)
	require.NoError(t, err)
	require.Contains(t, bea.sync(), "was not forgotten: only its author or an admin")
	require.Len(t, bea.learnings(), 2, "it comes back")
	require.Empty(t, bea.sync())

	db := o.db.Open(t, bea.login)
	_, err = db.Exec(`UPDATE whence.learnings SET learning = NULL WHERE id = $1`, first.ID)
	require.ErrorContains(t, err, "only its author or an admin")
	for _, statement := range []string{
		`UPDATE whence.learnings SET author = session_user`, `DELETE FROM whence.learnings`, `UPDATE whence.learnings SET revision = 9`,
		`INSERT INTO whence.turns (team, scope, uuid, login, session, role, kind, text, at, words) VALUES ('ferry', 'app', 'x', 'ann', '', '', '', '', now(), '{}')`,
	} {
		_, err = db.Exec(statement)
		require.ErrorContains(t, err, "permission denied", statement)
	}

	moved := bea.edit(second.ID, func(l *learning.Learning) { l.Description += " or orange" }) // whose author is still ann
	require.Empty(t, bea.sync())
	require.Empty(t, ann.sync())
	_, err = ann.Forget(t.Context(), everything, moved.ID)
	require.NoError(t, err)
	require.Empty(t, ann.sync())
	require.Empty(t, admin.sync())
	_, err = admin.Forget(t.Context(), everything, first.ID)
	require.NoError(t, err)
	require.Empty(t, admin.sync())
	require.Empty(t, bea.sync())
	require.Empty(t, bea.learnings())
	var texts int
	require.NoError(t, db.QueryRow(`SELECT count(learning) FROM whence.learnings`).Scan(&texts))
	require.Zero(t, texts, "what is forgotten has no text")
	require.Empty(t, o.member(t, o.Address()).sync())
}

// Reinforcing what was forgotten does not bring it back. Adding does.
func TestReviving(t *testing.T) {
	o := newOffice(t)
	ann, bea := o.member(t, o.Address()), o.member(t, o.Address())
	l := ann.add("The booking table is locked while the harbour imports tides")
	require.Empty(t, ann.sync())
	require.Empty(t, bea.sync())
	_, err := ann.Forget(t.Context(), everything, l.ID)
	require.NoError(t, err)
	require.Empty(t, ann.sync())
	bea.add(l.Description) // reinforces
	require.Empty(t, bea.sync())
	require.Empty(t, bea.learnings())
	bea.add(l.Description)
	require.Empty(t, bea.sync())
	require.Empty(t, ann.sync())
	require.Len(t, ann.learnings(), 1)
}

// A login that was removed keeps its own store, and exchanges nothing.
func TestRemoving(t *testing.T) {
	o := newOffice(t)
	ann := o.member(t, o.Address())
	ann.add("The booking table is locked while the harbour imports tides")
	require.Empty(t, ann.sync())
	require.NoError(t, Remove(t.Context(), o.at(o.Address(), o.owner), "ferry", ann.login))
	ann.add("The harbour closes its gates when the storm warning is red")
	require.Contains(t, ann.sync(), "admit LOGIN")
	require.Len(t, ann.learnings(), 2)
	require.Len(t, o.liveIDs(t), 1)
	require.NoError(t, Init(t.Context(), o.at(o.Address(), o.owner), "ferry"), "it may run again")
	require.ErrorContains(t, Init(t.Context(), o.at(o.Address(), ann.login), "gulls"), "admit")
	require.ErrorContains(t, Admit(t.Context(), o.at(o.Address(), o.owner), "ferry", "no such login", false), "createuser")
	require.ErrorContains(t, Init(t.Context(), o.at(o.Address(), o.owner), "a b"), "cannot name")
}

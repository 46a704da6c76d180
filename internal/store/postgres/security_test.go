package postgres_test

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/store"
	"whence/internal/store/postgres"
	"whence/internal/test/pgtest"
)

// harbour is a database in which two teams keep what they have learned.
type harbour struct {
	t  *testing.T
	db *pgtest.Database

	ann, bea, rob string // ferry: members, and a reader
	eve           string // quay: an administrator
	mallory       string // may connect, and is in no team
}

// Marks are in all texts that eve must not read.
const (
	teamMark     = "wharfinger" // in what the ferry shares
	personalMark = "bollardkey" // in what is ann's alone
)

func newHarbour(t *testing.T) *harbour {
	t.Helper()
	pgtest.Require(t)
	server := pgtest.Start(t)
	t.Setenv("PGPASSFILE", server.Passfile())
	h := &harbour{t: t, db: storeOn(t, server)}
	owner := h.db.URL(pgtest.Superuser)
	for name, member := range map[*string][3]string{
		&h.ann: {"ann", "ferry", "member"}, &h.bea: {"bea", "ferry", "member"}, &h.rob: {"rob", "ferry", "reader"}, &h.eve: {"eve", "quay", "admin"},
	} {
		*name = server.Login(t, member[0])
		made, err := postgres.Admit(t.Context(), owner, member[1], *name, member[2])
		require.NoError(t, err)
		require.False(t, made)
	}
	h.mallory = server.Login(t, "mallory")
	return h
}

func (h *harbour) open(login string) *store.Store {
	h.t.Helper()
	s, err := postgres.Open(h.t.Context(), h.db.URL(login))
	require.NoError(h.t, err)
	h.t.Cleanup(func() { s.Close() })
	return s
}

// sql is a connection of a login that need not use the store.
func (h *harbour) sql(login string) *sql.DB {
	h.t.Helper()
	db, err := sql.Open("pgx", h.db.URL(login)+"&search_path=whence")
	require.NoError(h.t, err)
	h.t.Cleanup(func() { db.Close() })
	return db
}

func learned(text string) learning.Learning {
	return learning.Learning{
		Name: learning.InferName(text), Description: text, Reasoning: "it was seen", Category: learning.Patterns, Confidence: learning.Low, Source: learning.Manual,
	}
}

// fill has ann and bea learn and say something.
func (h *harbour) fill() {
	h.t.Helper()
	ctx := h.t.Context()
	ann := h.open(h.ann)
	for i, text := range []string{"always ask the " + teamMark + " before a berth is given away", "the " + personalMark + " lies under the third mat of the office"} {
		l := learned(text)
		l.Personal = i == 1
		_, err := ann.Put(ctx, l, store.Observation{Session: teamMark})
		require.NoError(h.t, err)
		missing, err := ann.Unembedded(ctx, "m", 9)
		require.NoError(h.t, err)
		for _, u := range missing {
			require.NoError(h.t, ann.Embed(ctx, "m", u, []float32{1, 0}))
		}
	}
	for _, shared := range []bool{true, false} {
		mark := map[bool]string{true: teamMark, false: personalMark}[shared]
		_, err := ann.AddCaptured(ctx, store.Captured{Transcript: mark, After: []byte(mark), Shared: shared, Session: mark, Change: mark, Turns: []store.Turn{{UUID: mark, Role: "user", Text: "what does the " + mark + " say about the berths"}}})
		require.NoError(h.t, err)
	}
	_, _, err := ann.Capture(ctx, learned("never tell the "+teamMark+" what the tide does"), store.Observation{Session: "s"}, store.Policy{Mode: store.Silent, Budget: 1}, store.Rejected)
	require.NoError(h.t, err)
	require.NoError(h.t, ann.Note(ctx, teamMark, teamMark))
}

// everything dumps all that the superuser sees, except the counters of indexes.
func (h *harbour) everything() string {
	h.t.Helper()
	db := h.sql(pgtest.Superuser)
	var all strings.Builder
	for _, table := range tables {
		var text string
		require.NoError(h.t, db.QueryRow(`SELECT coalesce(string_agg(r, E'\n' ORDER BY r), '') FROM (SELECT t::text AS r FROM `+table+` t) AS rows`).Scan(&text))
		fmt.Fprintf(&all, "== %s\n%s\n", table, text)
	}
	return all.String()
}

var tables = []string{"members", "entries", "forgotten", "observations", "sessions", "rejections", "transcripts", "meta", "delivered", "captured", "turns", "words", "totals", "embeddings"}

// attempt runs a statement, and returns all that it brings, or why it brings nothing.
func attempt(db *sql.DB, statement string) (brought string, refused error) {
	rows, err := db.QueryContext(context.Background(), statement)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return "", err
	}
	var all strings.Builder
	for rows.Next() {
		values := make([]any, len(names))
		for i := range values {
			values[i] = new(any)
		}
		if err := rows.Scan(values...); err != nil {
			return "", err
		}
		for _, v := range values {
			fmt.Fprintf(&all, "%v|", *v.(*any))
		}
		all.WriteByte('\n')
	}
	return all.String(), rows.Err()
}

// A login of another team, or of none, reads no word of a team's memory and changes no row.
func TestAnotherTeamIsClosed(t *testing.T) {
	h := newHarbour(t)
	h.fill()
	_, err := h.open(h.eve).Put(t.Context(), learned("the quay has three cranes and no more"), store.Observation{})
	require.NoError(t, err)
	before := h.everything()
	require.Contains(t, before, teamMark)
	var entry, turn int
	owner := h.sql(pgtest.Superuser)
	require.NoError(t, owner.QueryRow(`SELECT seq FROM entries WHERE description LIKE '%`+teamMark+`%'`).Scan(&entry))
	require.NoError(t, owner.QueryRow(`SELECT seq FROM turns WHERE NOT personal`).Scan(&turn))
	attempts := []string{
		`SELECT set_config('whence.team', 'ferry', false), (SELECT string_agg(description, ' ') FROM entries)`,
		`UPDATE entries SET description = description || '!' RETURNING description`,
		`UPDATE entries SET team = 'quay' RETURNING description`,
		`UPDATE entries SET owner = session_user WHERE seq = %[1]d RETURNING description`,
		`DELETE FROM entries WHERE seq = %[1]d RETURNING description`,
		`DELETE FROM turns WHERE seq = %[2]d RETURNING text`,
		`UPDATE turns SET personal = false RETURNING text`,
		`INSERT INTO entries (team, id, name, description, reasoning, category, source, folded, created_at, updated_at) VALUES ('ferry', 'x', 'x', 'x', 'x', 'patterns', 'manual', 'x', now(), now())`,
		`INSERT INTO observations (entry, session, at) VALUES (%[1]d, 'x', now())`,
		`INSERT INTO embeddings (entry, model, v) VALUES (%[1]d, 'x', '{1}')`,
		`INSERT INTO captured (team, uuid, session, rank) VALUES ('ferry', 'x', 'x', 0)`,
		`INSERT INTO members VALUES ('ferry', session_user, 'admin')`,
		`UPDATE members SET team = 'ferry'`,
		`SELECT * FROM ranked('entries', '{` + teamMark + `,wharfing}', '{}', NULL, '{wharfing}', '{1}', 1, NULL, 9)`,
		`SELECT * FROM ranked('turns', '{` + teamMark + `,wharfing}', '{}', NULL, '{wharfing}', '{1}', 1, NULL, 9)`,
		`SELECT * FROM frequencies('entries', '{wharfing}')`,
		`SELECT rows FROM size('turns') WHERE rows > 0`,
		`SELECT set_words_of_entries('{%[1]d}', '{x}', '{1}')`,
		`SELECT set_words_of_turns('{%[2]d}', '{x}', '{1}')`,
		`SELECT erase('` + h.ann + `')`,
		`SELECT expire(0)`,
		`SET ROLE whence`,
		`ALTER TABLE entries DISABLE ROW LEVEL SECURITY`,
		`CREATE FUNCTION leak(text) RETURNS boolean COST 0.0001 AS $$ BEGIN RAISE NOTICE '%%', $1; RETURN true; END $$ LANGUAGE plpgsql`,
		`SELECT description FROM entries WHERE (description::xml IS NOT NULL) OR true`,
		`COPY (SELECT * FROM entries) TO PROGRAM 'cat'`,
	}
	for _, statement := range attempts { // a colleague sees them
		if strings.HasPrefix(statement, `SELECT * FROM ranked`) || strings.HasPrefix(statement, `SELECT * FROM frequencies`) || strings.HasPrefix(statement, `SELECT rows FROM size`) {
			brought, err := attempt(h.sql(h.bea), statement)
			require.NoError(t, err)
			require.NotEmpty(t, brought, statement)
		}
	}
	for _, table := range tables {
		attempts = append(attempts, `SELECT * FROM `+table)
	}
	for _, login := range []string{h.eve, h.mallory} {
		db := h.sql(login)
		for _, statement := range attempts {
			if strings.Contains(statement, "%") {
				statement = fmt.Sprintf(statement, entry, turn)
			}
			brought, refused := attempt(db, statement)
			for _, mark := range []string{teamMark, personalMark, h.ann} {
				require.NotContains(t, brought, mark, statement)
				if refused != nil && mark != h.ann {
					require.NotContains(t, strings.TrimPrefix(refused.Error(), statement), mark, statement)
				}
			}
			after := h.everything()
			if login == h.eve && after != before { // what is her own may change
				require.Equal(t, without(before, "quay", h.eve), without(after, "quay", h.eve), statement)
				before = after
			}
			require.Equal(t, before, after, statement)
		}
	}
	_, err = postgres.Open(t.Context(), h.db.URL(h.mallory))
	require.ErrorIs(t, err, postgres.ErrNoTeam)
	_, err = postgres.Open(t.Context(), h.db.URL(h.eve)+"&team=ferry")
	require.ErrorIs(t, err, postgres.ErrNoTeam)
}

// without returns a dump without the rows that contain one of some words.
func without(dump string, words ...string) string {
	var kept strings.Builder
	for line := range strings.Lines(dump) {
		own := false
		for _, word := range words {
			own = own || strings.Contains(line, word)
		}
		if !own {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

// Colleagues see what is shared, may reinforce it, and neither see what is personal
// nor delete what is another's. A reader changes nothing.
func TestWithinATeam(t *testing.T) {
	h := newHarbour(t)
	h.fill()
	ctx := t.Context()
	shared, personal := learning.ID("always ask the "+teamMark+" before a berth is given away"), learning.ID("the "+personalMark+" lies under the third mat of the office")
	for _, login := range []string{h.bea, h.rob} {
		s := h.open(login)
		d, err := s.Get(ctx, store.Scope{Everything: true}, shared)
		require.NoError(t, err)
		require.Equal(t, 1, d.Sessions)
		_, err = s.Get(ctx, store.Scope{Everything: true}, personal)
		require.ErrorIs(t, err, store.ErrUnknown)
		hits, err := s.Search(ctx, store.Query{Text: teamMark + " " + personalMark, Everywhere: true})
		require.NoError(t, err)
		require.Len(t, hits, 1)
		turns, err := s.SearchTurns(ctx, store.Query{Text: teamMark + " " + personalMark, Everywhere: true})
		require.NoError(t, err)
		require.Len(t, turns, 1)
		db := h.sql(login)
		for _, table := range tables[1:] {
			brought, err := attempt(db, `SELECT * FROM `+table)
			require.NotContains(t, brought, personalMark, "%s: %v", table, err)
		}
		nearest, err := s.Nearest(ctx, "m", []float32{1, 0}, store.Query{Everywhere: true})
		require.NoError(t, err)
		require.Equal(t, []string{shared}, nearest)
	}
	bea := h.open(h.bea)
	out, err := bea.Put(ctx, learned("Always ask the "+teamMark+" before a berth is given away!"), store.Observation{Session: "b"})
	require.NoError(t, err)
	require.True(t, out.Reinforced)
	require.Equal(t, 2, out.Observations)
	_, err = bea.Forget(ctx, shared)
	require.ErrorIs(t, err, store.ErrOthers)
	_, err = bea.Edit(ctx, shared, out.Updated, func(l *learning.Learning) error { l.Personal = true; return nil })
	require.Error(t, err, "a colleague's learning is not made one's own")

	rob := h.open(h.rob)
	before := h.everything()
	_, err = rob.Put(ctx, learned("readers have nothing to say here"), store.Observation{})
	require.ErrorContains(t, err, "may not do that in this team")
	_, err = rob.Edit(ctx, shared, out.Updated, func(l *learning.Learning) error { l.Reasoning = "read"; return nil })
	require.Error(t, err)
	_, err = rob.AddCaptured(ctx, store.Captured{Session: "r", Turns: []store.Turn{{UUID: "r", Text: "r"}}})
	require.Error(t, err)
	require.Equal(t, before, h.everything())

	// bea learns for all what ann keeps for herself: two learnings, until ann shares hers
	_, err = bea.Put(ctx, learned("the "+personalMark+" lies under the third mat of the office"), store.Observation{})
	require.NoError(t, err)
	ann := h.open(h.ann)
	d, err := ann.Get(ctx, store.Scope{Everything: true}, personal)
	require.NoError(t, err)
	require.True(t, d.Personal, "one's own is meant")
	after := int64(0)
	changes := func(s *store.Store) (all []string) {
		t.Helper()
		some, err := s.Changes(ctx, store.Filter{Everywhere: true}, after)
		require.NoError(t, err)
		for _, c := range some {
			all = append(all, fmt.Sprint(c.ID == personal, c.Forgotten, c.Personal))
			after = max(after, c.Revision)
		}
		return all
	}
	changes(ann)
	_, err = ann.Forget(ctx, personal)
	require.NoError(t, err)
	require.Equal(t, []string{"true true true", "true false false"}, changes(ann), "hers goes, the team's stays")
	d, err = ann.Get(ctx, store.Scope{Everything: true}, personal)
	require.NoError(t, err)
	require.False(t, d.Personal)
	after = 0
	require.NotContains(t, changes(bea), "true true true", "what becomes of personal ones is told to nobody else")
}

// What one has said goes on request, and the team keeps what was shared, without a name.
func TestErase(t *testing.T) {
	h := newHarbour(t)
	h.fill()
	_, err := h.sql(h.bea).Exec(`SELECT erase($1)`, h.ann)
	require.ErrorContains(t, err, "only an administrator")
	_, err = postgres.Admit(t.Context(), h.db.URL(pgtest.Superuser), "ferry", h.bea, "admin")
	require.NoError(t, err)
	var learnings, turns int
	require.NoError(t, h.sql(h.bea).QueryRow(`SELECT learnings, turns FROM erase($1)`, h.ann).Scan(&learnings, &turns))
	require.Equal(t, []int{1, 2}, []int{learnings, turns})
	after := h.everything()
	require.NotContains(t, after, personalMark)
	_, rows, _ := strings.Cut(after, "== entries") // behind the members
	require.NotContains(t, rows, h.ann)
	hits, err := h.open(h.bea).Search(t.Context(), store.Query{Text: teamMark, Everywhere: true})
	require.NoError(t, err)
	require.Len(t, hits, 1)
	require.NoError(t, postgres.Dismiss(t.Context(), h.db.URL(pgtest.Superuser), "ferry", h.ann))
	_, err = postgres.Open(t.Context(), h.db.URL(h.ann))
	require.ErrorIs(t, err, postgres.ErrNoTeam)
	require.ErrorIs(t, postgres.Dismiss(t.Context(), h.db.URL(pgtest.Superuser), "ferry", h.ann), postgres.ErrNotThere)
}

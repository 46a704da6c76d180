package postgres_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/store"
	"whence/internal/store/postgres"
	"whence/internal/test/pgtest"
)

// partition runs docs/partitions.sql.
func partition(t *testing.T, db *pgtest.Database) {
	t.Helper()
	script, err := os.ReadFile("../../../docs/partitions.sql")
	require.NoError(t, err)
	super := db.Open(t, pgtest.Superuser)
	_, err = super.Exec("BEGIN;" + string(script) + "COMMIT")
	require.NoError(t, err)
	settings, _, found := strings.Cut(string(script), "ALTER TABLE")
	require.True(t, found)
	_, part, found := strings.Cut(string(script), "DO $$")
	require.True(t, found)
	part, _, found = strings.Cut(part, "END $$;")
	require.True(t, found)
	_, err = super.Exec("BEGIN;" + settings + "DO $$" + part + "END $$; COMMIT")
	require.NoError(t, err, "the part for more months, again")
}

// definitions lists what belongs to the table of turns.
func definitions(t *testing.T, db *pgtest.Database) (all []string) {
	t.Helper()
	rows, err := db.Open(t, pgtest.Superuser).Query(`
		SELECT replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') FROM pg_index WHERE indrelid = 'whence.turns'::regclass AND NOT indisprimary
		UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = 'whence.turns'::regclass AND NOT tgisinternal
		UNION ALL SELECT format('%s %s %s %s', policyname, cmd, qual, with_check) FROM pg_policies WHERE schemaname = 'whence' AND tablename = 'turns'
		UNION ALL SELECT format('%s %s %s', grantee, privilege_type, column_name) FROM information_schema.column_privileges WHERE table_schema = 'whence' AND table_name = 'turns'
		UNION ALL SELECT format('%s %s %s %s %s', attname, format_type(atttypid, atttypmod), attnotnull, attgenerated, attstattarget) FROM pg_attribute WHERE attrelid = 'whence.turns'::regclass AND attnum > 0
		UNION ALL SELECT format('%s, security %s', relowner::regrole, relrowsecurity) FROM pg_class WHERE oid = 'whence.turns'::regclass ORDER BY 1`)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var one string
		require.NoError(t, rows.Scan(&one))
		all = append(all, one)
	}
	require.NoError(t, rows.Err())
	return all
}

// A store with partitions of turns does what one without does.
func TestPartitions(t *testing.T) {
	ctx := t.Context()
	db := database(t)
	ann, bob, pat := member(t, db, "ferry", "ann"), member(t, db, "ferry", "bob"), member(t, db, "pier", "pat")
	capture := func(s *store.Store, shared bool, session string, at time.Time, texts ...string) {
		var turns []store.Turn
		for i, text := range texts {
			turns = append(turns, store.Turn{Session: session, UUID: fmt.Sprint(session, i), Role: "user", Text: text, At: at.Add(time.Duration(i) * time.Second)})
		}
		_, err := s.AddCaptured(ctx, store.Captured{Turns: turns, Shared: shared})
		require.NoError(t, err)
	}
	found := func(s *store.Store, text string) (sessions []string) {
		hits, err := s.SearchTurns(ctx, store.Query{Text: text, Everywhere: true})
		require.NoError(t, err)
		for _, h := range hits {
			sessions = append(sessions, h.Session)
		}
		slices.Sort(sessions)
		return slices.Compact(sessions)
	}
	march, now := time.Date(2026, 3, 31, 23, 59, 58, 0, time.UTC), time.Now().UTC()
	capture(ann, true, "before", march, "the harbour office counts berths", "and so it does", "whenever it dawns", "until dusk")

	before := definitions(t, db)
	partition(t, db)
	require.Subset(t, definitions(t, db), before)
	tables := 0
	require.NoError(t, db.Open(t, pgtest.Superuser).QueryRow(`SELECT count(DISTINCT tableoid) FROM whence.turns`).Scan(&tables))
	require.Equal(t, 2, tables, "of March and April")
	capture(ann, true, "after", now, "the harbour master counts berths, too")
	capture(bob, false, "alone", now, "my own berths are not counted")
	capture(pat, true, "pier", march, "the pier has no berths")
	require.Equal(t, []string{"after", "before"}, found(ann, "berths"))
	require.Equal(t, []string{"after", "alone", "before"}, found(bob, "berths"))
	require.Equal(t, []string{"pier"}, found(pat, "berths"))

	_, err := db.Open(t, pgtest.Superuser).Exec(`UPDATE whence.turns SET personal = true WHERE session = 'after'`)
	require.NoError(t, err)
	require.Equal(t, []string{"alone", "before"}, found(bob, "berths"))
	_, err = ann.Prune(ctx, store.PruneOptions{Session: "before"})
	require.NoError(t, err)
	require.Equal(t, []string{"after"}, found(ann, "berths"))

	_, err = postgres.Init(ctx, db.URL(pgtest.Superuser))
	require.NoError(t, err)
	for _, s := range []*store.Store{ann, bob, pat} {
		c, err := s.Check(ctx, time.Now())
		require.NoError(t, err)
		require.Empty(t, c.Faults)
	}
}

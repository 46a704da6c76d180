package store

import (
	"context"
	"database/sql"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// planner notes the plans of all queries that a reader makes.
type planner struct {
	t     *testing.T
	db    *sql.DB
	plans map[string]string // by query
}

func (p *planner) note(query string, arguments []any) {
	p.t.Helper()
	rows, err := p.db.Query(`EXPLAIN QUERY PLAN `+query, arguments...)
	require.NoError(p.t, err, query)
	defer rows.Close()
	var plan strings.Builder
	for rows.Next() {
		var a, b, c int
		var detail string
		require.NoError(p.t, rows.Scan(&a, &b, &c, &detail))
		plan.WriteString(detail + "\n")
	}
	require.NoError(p.t, rows.Err())
	p.plans[query] = plan.String()
}

func (p *planner) QueryContext(ctx context.Context, query string, arguments ...any) (*sql.Rows, error) {
	p.note(query, arguments)
	return p.db.QueryContext(ctx, query, arguments...)
}

func (p *planner) ExecContext(ctx context.Context, statement string, arguments ...any) (sql.Result, error) {
	return p.db.ExecContext(ctx, statement, arguments...)
}

func (p *planner) QueryRowContext(ctx context.Context, query string, arguments ...any) *sql.Row {
	p.note(query, arguments)
	return p.db.QueryRowContext(ctx, query, arguments...)
}

// No search and no lookup reads a whole table: what is rare is found by an index first.
func TestPlans(t *testing.T) {
	ctx := context.Background()
	s, err := Open(ctx, t.TempDir())
	require.NoError(t, err)
	defer s.Close()
	p := &planner{t, s.db, map[string]string{}}
	c := Conn{runner: p, engine: s.conn.engine}
	for i, text := range []string{"always quote variables of the shell, größe", "never test against the live database"} {
		_, err := s.db.Exec(`INSERT INTO entries (id, name, description, reasoning, category, source, folded, created_at, updated_at)
			VALUES (?, ?, ?, '', 'patterns', 'manual', ?, '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z')`, "abcd"+text[:4], text, text, text)
		require.NoError(t, err)
		_, err = s.AddCaptured(ctx, Captured{Turns: []Turn{{Session: "s", UUID: text, Text: text}}})
		require.NoError(t, err)
		_, err = c.search(ctx, Query{Text: "quote größe the variables", Most: i + 1})
		require.NoError(t, err)
		_, err = c.searchTurns(ctx, Query{Text: "quote the variables", Most: i + 1})
		require.NoError(t, err)
	}
	for _, name := range []string{"abcdalwa", "always quote", "dead"} {
		_, err = c.lookup(ctx, Scope{Project: "p"}, name)
		require.True(t, err == nil || name != "abcdalwa")
	}
	p.note(`SELECT seq FROM entries WHERE id = ? OR folded = ? ORDER BY personal, id <> ? LIMIT 1`, []any{"a", "b", "a"})
	p.note(`SELECT e.seq FROM entries e ORDER BY created_at DESC, seq DESC LIMIT 10`, nil)
	p.note(`SELECT seq FROM turns WHERE session = ? AND seq <= ? ORDER BY seq DESC LIMIT 5`, []any{"s", 9})
	for _, query := range []string{
		`SELECT seq FROM turns WHERE session = ?1 AND fold = ?1 AND fold != ''`,
		`SELECT seq FROM turns WHERE session = ?1 ORDER BY rank, seq DESC LIMIT 1`,
		`SELECT seq, role, text FROM turns WHERE session = ?1 AND substr(uuid, 1, 5) = 'told:'`,
		`SELECT 1 WHERE EXISTS (SELECT 1 FROM captured WHERE digest = ?1) OR EXISTS (SELECT 1 FROM captured WHERE uuid = ?1)`,
		`UPDATE captured SET turn = NULL WHERE turn = ?1`,
		`SELECT max(rank) FROM captured WHERE turn = ?1`,
		`UPDATE captured SET rank = 1 WHERE session = ?1`,
		`DELETE FROM transcripts WHERE session = ?1`,
	} {
		p.note(query, []any{"s"})
	}
	require.GreaterOrEqual(t, len(p.plans), 17)
	for query, plan := range p.plans {
		for line := range strings.Lines(plan) {
			line = strings.TrimSpace(line)
			ours := strings.Contains(line, "_fts VIRTUAL TABLE INDEX") || strings.Contains(line, "_words VIRTUAL TABLE INDEX") ||
				strings.HasPrefix(line, "SCAN e USING") && strings.HasSuffix(line, "INDEX entries_created") || line == "SCAN CONSTANT ROW" || strings.HasPrefix(line, "SCAN json_each ") ||
				strings.HasPrefix(line, "SCAN (subquery") // whose own scans are other lines
			require.False(t, strings.HasPrefix(line, "SCAN") && !ours, "%s\n%s", query, plan)
			require.False(t, strings.Contains(line, "TEMP B-TREE") && strings.Contains(query, "rank, seq"), "%s\n%s", query, plan)
			require.False(t, strings.Contains(query, "fold = ?1 AND fold") && !strings.Contains(line, "turns_fold (session=? AND fold=?)"), "%s\n%s", query, plan)
			require.False(t, strings.Contains(query, "told:") && !strings.Contains(line, "turns_told"), "%s\n%s", query, plan)
		}
		if strings.Contains(query, "MATCH") {
			require.Contains(t, plan, "_fts VIRTUAL TABLE INDEX", query)
		}
	}
}

package remember_test

import (
	"crypto/sha256"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// predecessorTables make a memory.db as iflow-dev 3.0.8 did; pd has added a column.
const predecessorTables = `
CREATE TABLE _metadata (key TEXT PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO _metadata VALUES ('schema_version', '2'), ('embedding_model', 'gemini-embedding-001');
CREATE TABLE entries (
	id TEXT PRIMARY KEY, name TEXT NOT NULL, description TEXT NOT NULL, reasoning TEXT,
	category TEXT NOT NULL, keywords TEXT, source TEXT NOT NULL, source_project TEXT, "references" TEXT,
	observation_count INTEGER DEFAULT 1, confidence TEXT DEFAULT 'medium', recall_count INTEGER DEFAULT 0, last_recalled_at TEXT,
	embedding BLOB, created_at TEXT NOT NULL, updated_at TEXT NOT NULL, source_hash TEXT, created_timestamp_utc REAL
);
CREATE VIRTUAL TABLE entries_fts USING fts5 (name, description, keywords, reasoning, content='entries', content_rowid='rowid');
CREATE TRIGGER entries_ai AFTER INSERT ON entries BEGIN
	INSERT INTO entries_fts (rowid, name, description, keywords, reasoning) VALUES (new.rowid, new.name, new.description, new.keywords, new.reasoning);
END;`

const predecessorRows = `
INSERT INTO entries (id, name, description, reasoning, category, keywords, source, source_project, "references", observation_count, confidence, recall_count, last_recalled_at, embedding, created_at, updated_at) VALUES
('a1', 'Quote variables', 'always quote shell variables in hooks', 'word splitting', 'patterns', '["shell", "quote"]', 'retro', '/home/old/app', '["hooks/pre.sh"]', 7, 'high', 3, '2026-02-20T10:00:00Z', x'00000000', '2026-02-01T10:00:00.123456+00:00', '2026-02-19T10:00:00Z'),
('a2', 'Staging password', 'the staging database takes DB_PASSWORD=hunter2xyz99 on login', NULL, 'heuristics', NULL, 'session-capture', NULL, NULL, 1, 'low', 0, NULL, NULL, '2026-02-02T10:00:00Z', '2026-02-02T10:00:00Z'),
('a3', 'Escapes', 'a log line ' || char(27) || '[31m is red' || char(10) || '## and this is no heading of ours', 'seen', 'heuristics', '[]', 'import', 'x', '[]', -4, 'medium', 0, NULL, NULL, 'yesterday', ''),
('b1', 'Tiny', 'too short', 'r', 'patterns', '[]', 'manual', 'x', '[]', 1, 'medium', 0, NULL, NULL, '2026-02-02T10:00:00Z', '2026-02-02T10:00:00Z'),
('b2', 'Principle', 'keep every function shorter than a screen', 'r', 'constitution', '[]', 'import', 'x', '[]', 1, 'high', 0, NULL, NULL, '2026-02-02T10:00:00Z', '2026-02-02T10:00:00Z'),
('b3', 'Endless', 'x' || hex(zeroblob(100000)), 'r', 'patterns', '[]', 'manual', 'x', '[]', 1, 'medium', 0, NULL, NULL, '2026-02-02T10:00:00Z', '2026-02-02T10:00:00Z');`

func makeDatabase(t *testing.T, name string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", name)
	require.NoError(t, err)
	for _, statement := range statements {
		_, err := db.Exec(statement)
		require.NoError(t, err)
	}
	require.NoError(t, db.Close())
}

func TestImportOfThePredecessorsDatabase(t *testing.T) {
	for version, more := range map[string]string{"3.0.8": "", "4.16.2": `ALTER TABLE entries ADD COLUMN influence_count INTEGER DEFAULT 0; UPDATE entries SET influence_count = 2 WHERE id = 'a1';`} {
		t.Run(version, func(t *testing.T) {
			l := newLearner(t)
			name := filepath.Join(t.TempDir(), "memory.db")
			makeDatabase(t, name, predecessorTables, predecessorRows, more)
			before, err := os.ReadFile(name)
			require.NoError(t, err)

			tried := l.run("import", name, "--dry-run")
			require.Equal(t, "e0999ca6  Quote variables\n          hooks/pre.sh\nccff15bd  Staging password\n622b13f1  Escapes\nWould import 3 learnings, 0 known already\n", tried.Stdout)
			require.Empty(t, l.run("list").Stdout)
			done := l.run("import", name)
			require.Equal(t, "Imported 3 learnings, 0 known already\n", done.Stdout)
			require.Contains(t, done.Stderr, `1 skipped: there is no category constitution here ("Principle" first)`)
			require.Contains(t, done.Stderr, `1 skipped: longer than 20000 characters ("Endless" first)`)
			require.Contains(t, done.Stderr, `1 skipped: shorter than 20 characters ("Tiny" first)`)
			require.Contains(t, done.Stderr, "Not stored, since it is secret")
			require.Equal(t, "Imported 0 learnings, 3 known already\n", l.run("import", name).Stdout)

			quote := l.run("show", "Quote variables", "--format", "json").Stdout
			for _, want := range []string{`"source":"retro"`, `"observations":7`, `"confidence":"high"`, `"recalls":3`, `"references":["hooks/pre.sh"]`, `"created":"2026-02-01T10:00:00Z"`, `.git"`} {
				require.Contains(t, quote, want)
			}
			if more != "" {
				require.Contains(t, quote, `"influence":2`)
			}
			all := l.run("list").Stdout + l.run("export").Stdout
			require.NotContains(t, all, "hunter2xyz99")
			require.NotContains(t, all, "\x1b")

			after, err := os.ReadFile(name)
			require.NoError(t, err)
			require.Equal(t, sha256.Sum256(before), sha256.Sum256(after))
			entries, err := os.ReadDir(filepath.Dir(name))
			require.NoError(t, err)
			require.Len(t, entries, 1, "nothing is written beside it")
			require.Equal(t, 3, l.run("import", name, "--everywhere").Status)
		})
	}
}

// What somebody made to be imported is no table of learnings, and is not run.
func TestImportOfAHostileDatabase(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing here runs side by side")
	}
	endless := `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS name, i AS description, i AS category FROM n`
	for name, statements := range map[string][]string{
		"a view":          {`CREATE VIEW entries AS ` + endless},
		"a virtual table": {`CREATE VIRTUAL TABLE entries USING fts5 (name, description, category)`},
		"other columns":   {`CREATE TABLE entries (name TEXT)`},
		"computed":        {`CREATE TABLE entries (a TEXT, name TEXT AS (a), description TEXT AS (a), category TEXT AS (a))`},
		"no table":        {`CREATE TABLE notes (name TEXT)`},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLearner(t)
			name := filepath.Join(t.TempDir(), "memory.db")
			makeDatabase(t, name, statements...)
			got := l.run("import", name)
			require.Equal(t, 4, got.Status)
			require.Contains(t, got.Stderr, "it is not a memory.db with a table of entries")
		})
	}
	t.Run("damaged", func(t *testing.T) {
		l := newLearner(t)
		name := filepath.Join(t.TempDir(), "memory.db")
		makeDatabase(t, name, predecessorTables, predecessorRows)
		src, err := os.ReadFile(name)
		require.NoError(t, err)
		for i := 100; i < len(src); i += 7 {
			src[i] ^= 0x5a
		}
		require.NoError(t, os.WriteFile(name, src, 0o600))
		require.Equal(t, 4, l.run("import", name).Status)
		require.NoError(t, os.WriteFile(name, src[:16], 0o600))
		require.Equal(t, 4, l.run("import", name).Status)
	})
	t.Run("more than fits into memory", func(t *testing.T) {
		l := newLearner(t)
		name := filepath.Join(t.TempDir(), "memory.db")
		makeDatabase(t, name, `CREATE TABLE entries (name TEXT, description TEXT, category TEXT)`, `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000)
			INSERT INTO entries (name, description, category) SELECT 'n' || i, i || hex(zeroblob(9900)), 'patterns' FROM n`)
		got := l.run("import", name)
		require.Equal(t, 4, got.Status)
		require.Contains(t, got.Stderr, "its texts have more than 64 MB")
	})
	t.Run("one of whence", func(t *testing.T) {
		l := newLearner(t)
		require.Zero(t, l.run("read the clock once, and hand the time on").Status)
		got := l.run("import", filepath.Join(l.settings["WHENCE_HOME"], "memory.db"))
		require.Equal(t, 4, got.Status)
		require.Contains(t, got.Stderr, "memory-remember store copy --from")
	})
	t.Run("a log beside it", func(t *testing.T) {
		l := newLearner(t)
		name := filepath.Join(t.TempDir(), "memory.db")
		makeDatabase(t, name, predecessorTables, predecessorRows)
		require.NoError(t, os.WriteFile(name+"-wal", []byte("pending"), 0o600))
		require.Contains(t, l.run("import", name).Stderr, fmt.Sprintf("what was written last is in %s-wal", name))
	})
}

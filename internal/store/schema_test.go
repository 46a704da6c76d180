package store_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/store"
)

// requireRefused requires that a file is refused by both ways to open it, and that the
// folder is the same afterwards, byte for byte.
func requireRefused(t *testing.T, dir string, want error) {
	t.Helper()
	ctx := context.Background()
	before := content(t, dir)
	for range 2 {
		_, err := store.Open(ctx, dir)
		require.ErrorIs(t, err, want)
		require.ErrorContains(t, err, file(dir), "it says where")
		_, err = store.OpenReadOnly(ctx, dir)
		require.ErrorIs(t, err, want)
	}
	after := content(t, dir)
	for _, name := range []string{"memory.db-wal", "memory.db-shm"} {
		if before[name] == "" { // SQLite may leave an empty log beside a file that has this mode
			require.Empty(t, strings.Trim(after[name], "\x00"), name)
		}
	}
	require.Equal(t, before["memory.db"], after["memory.db"])
	require.Equal(t, before["memory.db-wal"], after["memory.db-wal"])
}

func content(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, name := range names(t, dir) {
		info, err := os.Stat(filepath.Join(dir, name))
		require.NoError(t, err)
		data, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		if name != "memory.db-shm" { // is made anew from the log
			files[name] = string(data) + info.Mode().String()
		}
		if len(data) == 0 {
			delete(files, name)
		}
	}
	return files
}

func TestADatabaseOfAnotherProgram(t *testing.T) {
	for name, statements := range map[string]string{
		"other application":          `PRAGMA application_id = 42`,
		"other application, tables":  `PRAGMA application_id = 42; CREATE TABLE t (x)`,
		"other tables":               `CREATE TABLE entries (id, description); INSERT INTO entries VALUES (1, 'not ours')`,
		"other version":              `PRAGMA user_version = 3`,
		"other tables, our version":  `CREATE TABLE t (x); PRAGMA user_version = 1`,
		"other tables, with a log":   `PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES (1)`,
		"readable by others as well": `CREATE TABLE t (x)`,
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			db := raw(t, dir)
			_, err := db.Exec(statements)
			require.NoError(t, err)
			require.NoError(t, db.Close())
			require.NoError(t, os.Chmod(file(dir), 0o644))
			requireRefused(t, dir, store.ErrForeign)
		})
	}
}

func TestADatabaseOfANewerVersion(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	_, err := s.Put(context.Background(), learned(said), store.Observation{})
	require.NoError(t, err)
	require.NoError(t, s.Close())
	db := raw(t, dir)
	_, err = db.Exec(`PRAGMA user_version = 1000`)
	require.NoError(t, err)
	require.NoError(t, db.Close())
	requireRefused(t, dir, store.ErrNewer)
}

func TestDamagedFiles(t *testing.T) {
	whole := t.TempDir()
	s := open(t, whole)
	for i := range 50 {
		_, err := s.Put(context.Background(), learned(distinct(1, i)), store.Observation{})
		require.NoError(t, err)
	}
	require.NoError(t, s.Close())
	data, err := os.ReadFile(file(whole))
	require.NoError(t, err)
	for name, content := range map[string]string{
		"text":       strings.Repeat("some text, not a database\n", 100),
		"one byte":   "x",
		"the header": string(data[:100]),
		"a page":     string(data[:4096]),
		"half":       string(data[:len(data)/2/4096*4096]),
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(file(dir), []byte(content), 0o600))
			requireRefused(t, dir, store.ErrDamaged)
		})
	}
}

func TestAnEmptyFileIsANewStore(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(file(dir), nil, 0o644))
	_, err := store.OpenReadOnly(ctx, dir)
	require.ErrorIs(t, err, store.ErrNone)
	_, err = open(t, dir).Put(ctx, learned(said), store.Observation{})
	require.NoError(t, err)
	if runtime.GOOS != "windows" {
		info, err := os.Stat(file(dir))
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	}
}

func TestAFolderInThePlaceOfTheFile(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(file(dir), 0o700))
	_, err := store.Open(context.Background(), dir)
	require.ErrorContains(t, err, file(dir)+" is a folder")
	_, err = store.OpenReadOnly(context.Background(), dir)
	require.ErrorContains(t, err, file(dir)+" is a folder")
}

func TestAFileInThePlaceOfTheFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	require.NoError(t, os.WriteFile(dir, []byte("mine"), 0o600))
	_, err := store.Open(context.Background(), dir)
	require.ErrorContains(t, err, dir)
	_, err = store.OpenReadOnly(context.Background(), dir)
	require.Error(t, err)
}

func TestFoldersOfAnyName(t *testing.T) {
	ctx := context.Background()
	for _, name := range []string{"with a space", "what?", "one#two", "100%", "%41", "größe", "a&b=c;d", "日本", "+", "file:x", "'quoted'", `"quoted"`, `back\slash`} {
		if runtime.GOOS == "windows" && strings.ContainsAny(name, `?:"\`) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			parent := t.TempDir()
			dir := filepath.Join(parent, name)
			s := open(t, dir)
			_, err := s.Put(ctx, learned(said), store.Observation{})
			require.NoError(t, err)
			_, err = s.Stats(ctx, noon)
			require.NoError(t, err)
			require.NoError(t, s.Close())
			require.Equal(t, []string{"memory.db"}, names(t, dir))
			require.Equal(t, []string{name}, names(t, parent))
			r, err := store.OpenReadOnly(ctx, dir)
			require.NoError(t, err)
			found, err := r.List(ctx, store.Query{})
			require.NoError(t, err)
			require.Len(t, found, 1)
			require.NoError(t, r.Close())
		})
	}
}

func TestARelativeFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	s := open(t, "some/folder")
	_, err := s.Put(context.Background(), learned(said), store.Observation{})
	require.NoError(t, err)
	require.FileExists(t, "some/folder/memory.db")
	r, err := store.OpenReadOnly(context.Background(), "some/folder")
	require.NoError(t, err)
	require.NoError(t, r.Close())
}

// The specification gives these two queries for other tools that read the file.
func TestQueriesOfTheSpecification(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	s := open(t, dir)
	for i := range 5 {
		l := learned(distinct(1, i))
		if i > 0 {
			l.Source = learning.Manual
		}
		out, err := s.Put(ctx, l, store.Observation{})
		require.NoError(t, err)
		if i < 3 {
			require.NoError(t, s.Shown(ctx, all, []string{out.ID}, noon))
		}
	}
	_, err := s.Put(ctx, learned(distinct(2, 0)), store.Observation{At: noon})
	require.NoError(t, err)
	db := raw(t, dir)
	var share float64
	require.NoError(t, db.QueryRow(`SELECT ROUND(100.0 * SUM(CASE WHEN source='session-capture' THEN 1 ELSE 0 END) / COUNT(*), 1) FROM entries WHERE last_recalled_at IS NOT NULL`).Scan(&share))
	require.InDelta(t, 33.3, share, 0)
	var recent int
	require.NoError(t, db.QueryRow(`SELECT COUNT(*) FROM entries WHERE source='session-capture' AND created_at > date('now', '-7 days')`).Scan(&recent))
	require.Equal(t, 1, recent)
}

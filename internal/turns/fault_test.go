package turns_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/spool"
	"whence/internal/store"
	"whence/internal/test/repotest"
	"whence/internal/turns"
)

const retry = "please explain the retry policy of the ferry"

// say is the line of a prompt.
func say(uuid, text string) string {
	return fmt.Sprintf(`{"type":"user","uuid":%q,"sessionId":"s","message":{"content":%q}}`, uuid, text) + "\n"
}

// waiting is a home in which the job of a transcript waits.
func waiting(t *testing.T, src string) (home, name string) {
	t.Helper()
	home, name = repotest.Home(t), filepath.Join(t.TempDir(), "s.jsonl")
	require.NoError(t, os.WriteFile(name, []byte(src), 0o600))
	require.NoError(t, turns.AddJob(home, job(name)))
	return home, name
}

func job(name string) turns.Job {
	return turns.Job{Session: "s", Cwd: filepath.Dir(name), Transcript: name, At: time.Now()}
}

func attempt(t *testing.T, home string) (turns.Done, error) {
	return turns.Work(t.Context(), home, func(string) string { return "" })
}

func statusOf(t *testing.T, home string) spool.Status {
	t.Helper()
	s, err := spool.StatusOf(turns.SpoolDir(home))
	require.NoError(t, err)
	return s
}

func requireTexts(t *testing.T, home string, want ...string) {
	t.Helper()
	var texts []string
	turns, _ := stored(t, home)
	for _, r := range turns {
		texts = append(texts, r.Text)
	}
	require.Equal(t, want, texts)
}

// Where the store cannot be used, however often that is tried, the jobs wait, and are done
// when it can be used again.
func TestAStoreThatCannotBeUsed(t *testing.T) {
	newer := func(t *testing.T, file string) (mend func()) {
		home := filepath.Dir(file)
		s, err := store.Open(t.Context(), home)
		require.NoError(t, err)
		require.NoError(t, s.Close())
		set := func(version int) (before int) {
			db, err := sql.Open("sqlite", file)
			require.NoError(t, err)
			require.NoError(t, db.QueryRow(`PRAGMA user_version`).Scan(&before))
			_, err = db.Exec(fmt.Sprintf(`PRAGMA user_version = %d`, version))
			require.NoError(t, err)
			require.NoError(t, db.Close())
			return before
		}
		version := set(99)
		return func() { set(version) }
	}
	damaged := func(t *testing.T, file string) (mend func()) {
		require.NoError(t, os.WriteFile(file, []byte(strings.Repeat("no database ", 1000)), 0o600))
		return func() { require.NoError(t, os.Remove(file)) }
	}
	folder := func(t *testing.T, file string) (mend func()) {
		require.NoError(t, os.Mkdir(file, 0o700))
		return func() { require.NoError(t, os.Remove(file)) }
	}
	for name, c := range map[string]struct {
		spoil func(t *testing.T, file string) (mend func())
		want  string
	}{
		"damaged": {damaged, "it is not a database, or damaged: move it away"},
		"newer":   {newer, "it was written by a newer version: update whence"},
		"folder":  {folder, "memory.db"},
	} {
		t.Run(name, func(t *testing.T) {
			home, name := waiting(t, say("a", retry))
			mend := c.spoil(t, filepath.Join(home, "memory.db"))
			for range 2 * spool.MaxFailures {
				done, err := attempt(t, home)
				require.ErrorIs(t, err, spool.ErrNotNow)
				require.ErrorContains(t, err, c.want)
				require.Equal(t, turns.Done{}, done)
				require.NoError(t, turns.AddJob(home, job(name)))
			}
			s := statusOf(t, home)
			require.Equal(t, []int{1 + 2*spool.MaxFailures, 0, 0}, []int{s.Waiting, s.Tried, s.Failed})
			mend()
			require.Equal(t, s.Waiting, work(t, home).Jobs)
			requireTexts(t, home, retry)
		})
	}
}

// Where another process writes to the store and does not end, the job waits for the next
// worker.
func TestAStoreThatIsLocked(t *testing.T) {
	if testing.Short() {
		t.Skip("takes as long as a job may go on after its time")
	}
	home, _ := waiting(t, say("a", retry))
	s, err := store.Open(t.Context(), home)
	require.NoError(t, err)
	require.NoError(t, s.Close())
	db, err := sql.Open("sqlite", filepath.Join(home, "memory.db")+"?_txlock=immediate")
	require.NoError(t, err)
	tx, err := db.Begin()
	require.NoError(t, err)
	err = nil
	for limit := 100 * time.Millisecond; !errors.Is(err, spool.ErrStuck); limit *= 2 { // a slow machine may not come as far as the lock
		limited, cancel := context.WithTimeout(t.Context(), limit)
		var done turns.Done
		done, err = turns.Work(limited, home, func(string) string { return "" })
		cancel()
		require.Error(t, err)
		require.Zero(t, done)
		status := statusOf(t, home)
		require.Equal(t, []int{1, 0}, []int{status.Waiting, status.Failed})
	}
	require.NoError(t, tx.Rollback())
	require.NoError(t, db.Close())
	require.Eventually(t, func() bool { return work(t, home).Jobs == 1 }, 5*time.Minute, 5*time.Millisecond)
	requireTexts(t, home, retry)
}

// A transcript that cannot be read stops no other job, and the answer in the event is stored.
func TestATranscriptThatCannotBeRead(t *testing.T) {
	const told = "The ferry sends each request three times, and then it tells the queue."
	for name, c := range map[string]func(t *testing.T, name string){
		"gone": func(t *testing.T, name string) { require.NoError(t, os.Remove(name)) },
		"a folder": func(t *testing.T, name string) {
			require.NoError(t, os.Remove(name))
			require.NoError(t, os.Mkdir(name, 0o700))
		},
		"a pipe": pipe,
		"a link to nothing": func(t *testing.T, name string) {
			require.NoError(t, os.Remove(name))
			if err := os.Symlink(name+".none", name); err != nil {
				t.Skip("no symbolic links here: ", err)
			}
		},
		"empty": func(t *testing.T, name string) { require.NoError(t, os.Truncate(name, 0)) },
		"no text": func(t *testing.T, name string) {
			require.NoError(t, os.WriteFile(name, []byte("\x00\xff\xfe\n{\n\x7fELF"), 0o600))
		},
		"half a line": func(t *testing.T, name string) { require.NoError(t, os.Truncate(name, 20)) },
	} {
		t.Run(name, func(t *testing.T) {
			home, name := waiting(t, say("a", retry))
			c(t, name)
			j := job(name)
			j.Answer = told
			require.NoError(t, turns.AddJob(home, j))
			other := filepath.Join(t.TempDir(), "other.jsonl")
			require.NoError(t, os.WriteFile(other, []byte(say("b", "another session that must not wait")), 0o600))
			require.NoError(t, turns.AddJob(home, job(other)))
			require.Equal(t, 3, work(t, home).Jobs)
			requireTexts(t, home, told, "another session that must not wait")
		})
	}
}

// One that may not be read is tried again, holds back its session alone, and is put aside
// in the end, with the reason; put back it is done.
func TestATranscriptThatMayNotBeRead(t *testing.T) {
	if os.Getuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("root may read everything, and so may the owner on Windows")
	}
	home, name := waiting(t, say("a", retry))
	require.NoError(t, os.Chmod(name, 0))
	for range spool.MaxFailures {
		_, err := attempt(t, home)
		require.ErrorContains(t, err, "permission denied")
	}
	requireFailed(t, home, name)
}

// A missing path fails in the same way.
func TestAPathThatIsNone(t *testing.T) {
	home, name := waiting(t, say("a", retry))
	j := job(name)
	j.Transcript = strings.Repeat("x/", 100) + "\x00"
	require.NoError(t, turns.AddJob(home, j))
	for i := range spool.MaxFailures {
		done, err := attempt(t, home)
		require.Error(t, err)
		require.Equal(t, i == 0, done.Jobs == 1)
	}
	s := statusOf(t, home)
	require.Equal(t, []int{0, 1}, []int{s.Waiting, s.Failed})
	require.NotEmpty(t, s.Reason)
	requireTexts(t, home, retry)
}

func requireFailed(t *testing.T, home, name string) {
	t.Helper()
	s := statusOf(t, home)
	require.Equal(t, []int{0, 1}, []int{s.Waiting, s.Failed})
	require.Contains(t, s.Reason, name)
	require.NoError(t, os.Chmod(name, 0o600))
	n, err := spool.RequeueFailed(turns.SpoolDir(home))
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.Equal(t, 1, work(t, home).Jobs)
	requireTexts(t, home, retry)
}

// A line of 300 MB is skipped, and no more of it held than of others.
func TestALineOf300MB(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 300 MB")
	}
	home, name := waiting(t, say("a", retry))
	file, err := os.OpenFile(name, os.O_RDWR, 0)
	require.NoError(t, err)
	require.NoError(t, file.Truncate(300<<20)) // a hole
	_, err = file.WriteAt([]byte("\n"+say("b", "and what comes behind the long line")), 300<<20)
	require.NoError(t, err)
	require.NoError(t, file.Close())
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	work(t, home)
	runtime.ReadMemStats(&after)
	requireTexts(t, home, retry, "and what comes behind the long line")
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(100<<20))
}

// If a folder is gone, or is a file, its repository is unknown: its turns are kept.
func TestAWorkingFolderThatIsGone(t *testing.T) {
	home, name := waiting(t, say("a", retry))
	j := job(name)
	j.Cwd = filepath.Join(t.TempDir(), "gone")
	require.NoError(t, turns.AddJob(home, j))
	require.Equal(t, 2, work(t, home).Jobs)
	requireTexts(t, home, retry)
}

// An entry in a spool that is not a job does not stop the others.
func TestASpoolWithGarbage(t *testing.T) {
	home, _ := waiting(t, say("a", retry))
	require.NoError(t, spool.Add(turns.SpoolDir(home), "", []byte("no job")))
	for i := range spool.MaxFailures {
		done, err := attempt(t, home)
		require.ErrorContains(t, err, "read a job")
		require.Equal(t, i == 0, done.Jobs == 1)
	}
	requireTexts(t, home, retry)
	require.ErrorContains(t, turns.AddJob(home, turns.Job{Session: strings.Repeat("x", 2<<20)}), "store a capture job: a job of")
}

package dispatch_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/dispatch"
)

func read(t *testing.T, dir string, since time.Time) (all []dispatch.EventRecord, odd int) {
	t.Helper()
	all, odd, err := dispatch.ReadEvents(dir, since)
	require.NoError(t, err)
	return all, odd
}

func TestWhatIsAppendedIsRead(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	none, odd := read(t, dir, time.Time{})
	require.Empty(t, none)
	require.Zero(t, odd)
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	whole := dispatch.EventRecord{
		At: at, Agent: "claude", Event: "UserPromptSubmit", Session: dispatch.SessionLabel("s"), Sub: true, Project: dispatch.SessionLabel("/p"), Micros: 4200,
		Items: []string{"decision a/b.md A title\nof two lines", "learning 1"}, Lines: []string{"learning 1"}, Chars: 7, Blocked: true, Fault: true, Query: "why?",
	}
	require.NoError(t, dispatch.AppendEvent(dir, whole))
	require.NoError(t, dispatch.AppendEvent(dir, dispatch.EventRecord{At: at.Add(time.Hour)}))
	all, odd := read(t, dir, time.Time{})
	require.Equal(t, []dispatch.EventRecord{whole, {At: at.Add(time.Hour)}}, all)
	require.Zero(t, odd)
	later, _ := read(t, dir, at.Add(time.Minute))
	require.Len(t, later, 1)
	info, err := os.Stat(filepath.Join(dir, dispatch.EventLogName))
	require.NoError(t, err)
	require.True(t, info.Mode().Perm()&0o077 == 0 || runtime.GOOS == "windows")
}

// The log stays within its bounds, and what is read is the newest, in order.
func TestTheLogIsBounded(t *testing.T) {
	dir := t.TempDir()
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	query := strings.Repeat("x", 10_000)
	const records = 1000
	for i := range records {
		require.NoError(t, dispatch.AppendEvent(dir, dispatch.EventRecord{At: begin.Add(time.Duration(i) * time.Second), Query: query}))
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	require.Len(t, files, 3, "both files, and their lock")
	for _, name := range files {
		info, err := os.Stat(name)
		require.NoError(t, err)
		require.LessOrEqual(t, info.Size(), int64(dispatch.MaxEventLogBytes))
	}
	all, _ := read(t, dir, time.Time{})
	require.Greater(t, len(all), dispatch.MaxEventLogBytes/11_000)
	for i, r := range all {
		require.Equal(t, begin.Add(time.Duration(records-len(all)+i)*time.Second), r.At)
	}
}

// Lines of many processes at once do not mix; what is no line of ours is passed over.
func TestOddLines(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, dispatch.EventLogName), []byte("{}\nno json\n{\"at\":\"2026-01-02T03:04:05Z\"}\n"), 0o600))
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			require.NoError(t, dispatch.AppendEvent(dir, dispatch.EventRecord{At: time.Now(), Event: fmt.Sprint(i)}))
		})
	}
	all.Wait()
	records, odd := read(t, dir, time.Time{})
	require.Equal(t, 2, odd)
	require.Len(t, records, 51)
}

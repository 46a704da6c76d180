package capture_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/capture"
	"whence/internal/store"
	"whence/internal/test/repotest"
	"whence/internal/test/storetest"
)

// pastSessions are sessions of Claude Code without any event.
type pastSessions struct {
	t    *testing.T
	home string // of the user
	dir  string // of the store
}

func newPastSessions(t *testing.T) pastSessions {
	return pastSessions{t, t.TempDir(), storetest.ConsentingHome(t)}
}

func (p pastSessions) getenv(name string) string {
	if name == "HOME" {
		return p.home
	}
	return ""
}

// add writes a session of some turns in a folder, last written to some days ago, and returns its transcript.
func (p pastSessions) add(id, cwd string, turns, daysAgo int) string {
	p.t.Helper()
	src := ""
	for i := range turns {
		at := time.Now().AddDate(0, 0, -daysAgo).Add(time.Duration(i) * time.Second).UTC().Format(time.RFC3339)
		src += fmt.Sprintf(`{"type":"user","uuid":"%s-%d","sessionId":%q,"cwd":%q,"timestamp":%q,"message":{"content":"please explain thing %d of the ferry"}}`, id, i, id, cwd, at, i) + "\n" +
			fmt.Sprintf(`{"type":"assistant","uuid":"%s-%da","sessionId":%q,"cwd":%q,"timestamp":%q,"message":{"id":"%s-%da","content":[{"type":"text","text":"Thing %d of the ferry is that it sends each request three times."}]}}`, id, i, id, cwd, at, id, i, i) + "\n"
	}
	path := filepath.Join(p.home, ".claude", "projects", "x", id+".jsonl")
	require.NoError(p.t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(p.t, os.WriteFile(path, []byte(src), 0o600))
	written := time.Now().AddDate(0, 0, -daysAgo)
	require.NoError(p.t, os.Chtimes(path, written, written))
	return path
}

func (p pastSessions) find() capture.Past {
	p.t.Helper()
	found, failed := capture.FindPast(p.t.Context(), p.dir, []store.Consent{{Agent: "claude"}}, p.getenv, time.Now())
	require.Empty(p.t, failed)
	return found
}

func (p pastSessions) capture() int {
	p.t.Helper()
	require.NoError(p.t, capture.RegisterPast(p.t.Context(), p.dir, p.find()))
	done, err := capture.Work(p.t.Context(), p.dir, p.getenv, nil)
	require.NoError(p.t, err)
	return done.Turns
}

func TestPastSessionsAreCapturedOnce(t *testing.T) {
	p := newPastSessions(t)
	repo, off := repotest.TempDir(t), repotest.TempDir(t)
	require.NoError(t, os.WriteFile(filepath.Join(off, ".whence.yaml"), []byte("memory_turn_capture: false\n"), 0o600))
	p.add("one", repo, 3, 10)
	p.add("two", repo, 2, 20)
	p.add("long", repo, 200, 30) // more than one part
	p.add("old", repo, 2, 400)
	p.add("off", off, 2, 10)
	p.add("gone", filepath.Join(repo, "gone"), 2, 10)
	found := p.find()
	require.Len(t, found.Transcripts, 3)
	require.Equal(t, "3 past sessions of 1 project since "+time.Now().AddDate(0, 0, -30).Format(time.DateOnly)+
		"; left out: 1 whose folder is gone, 1 where nothing is captured, 1 older than memory_turn_days", found.Text())
	require.Equal(t, 2*(3+2+200), p.capture())
	require.Zero(t, p.capture())
	require.Empty(t, p.find().Transcripts)
	require.Len(t, stored(t, p.dir), 2*(3+2+200))
	p.add("later", repo, 2, 1)
	require.Equal(t, 4, p.capture())
}

// What was said after the user had withdrawn their consent stays out, also when they agree again.
func TestPastSessionsWithoutConsent(t *testing.T) {
	p := newPastSessions(t)
	repo := repotest.TempDir(t)
	p.add("before", repo, 2, 20)
	p.add("between", repo, 2, 10)
	p.add("after", repo, 2, 2)
	s, err := store.OpenExisting(t.Context(), p.dir)
	require.NoError(t, err)
	_, err = s.WithdrawConsent(t.Context(), store.Consent{Agent: "claude"}, time.Now().AddDate(0, 0, -15), func(watch []byte) []byte { return watch })
	require.NoError(t, err)
	require.NoError(t, s.GiveConsent(t.Context(), store.Consent{Agent: "claude"}))
	require.NoError(t, s.Close())
	require.Equal(t, 4, p.capture())
	for _, turn := range stored(t, p.dir) {
		require.Equal(t, "before", turn.Session)
	}
}

// Each turn is stored once, however often the capture of past sessions is stopped.
func TestPastSessionsAreCapturedOnceThoughStopped(t *testing.T) {
	p := newPastSessions(t)
	repo := repotest.TempDir(t)
	want := 0
	for i := range 60 {
		p.add(fmt.Sprint("s", i), repo, 1+i%30, 1+i)
		want += 2 * (1 + i%30)
	}
	require.NoError(t, capture.RegisterPast(t.Context(), p.dir, p.find()))
	for i := range 20 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i*i)*time.Millisecond)
		_, _ = capture.Work(ctx, p.dir, p.getenv, nil)
		cancel()
	}
	p.capture()
	uuids := map[string]bool{}
	for _, turn := range stored(t, p.dir) {
		require.False(t, uuids[turn.UUID], turn.UUID)
		uuids[turn.UUID] = true
	}
	require.Len(t, uuids, want)
}

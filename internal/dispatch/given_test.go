package dispatch

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
	"whence/internal/cli"
)

// giving gives items to a session of a folder.
func giving(t *testing.T, home, dir, session string, at time.Time, items ...Item) {
	t.Helper()
	r := &Request{Home: home, Now: at, Event: agent.Event{Name: agent.UserPromptSubmit, Agent: agent.Codex, Session: session, Cwd: dir}}
	r.Env = cli.Env{Dir: dir}
	require.NoError(t, r.updateSession(new(claim), func(s *Session) {
		for _, i := range items {
			s.Give(i)
		}
	}))
}

// hashesOf returns the hashes of items.
func hashesOf(items ...Item) (hashes []string) {
	for _, i := range items {
		hashes = append(hashes, GivenItem(i.Key))
	}
	return hashes
}

// The session that was last given an item in a scope counts, with all items that it was given there.
func TestLastGiven(t *testing.T) {
	home, here, there, now := t.TempDir(), t.TempDir(), t.TempDir(), time.Now()
	scope, err := cli.ScopeOf(here, here)
	require.NoError(t, err)
	last := func() (hashes []string) {
		given, _ := LastGiven(home, scope.Turns)
		for _, g := range given {
			hashes = append(hashes, g.Item)
		}
		return hashes
	}
	require.Empty(t, last())
	giving(t, home, here, "a", now, decision("b", 0.9, ""), learned("1", ""))
	giving(t, home, there, "a", now.Add(time.Minute), decision("elsewhere", 0.9, ""))
	giving(t, home, there, "b", now.Add(time.Minute), decision("elsewhere", 0.9, ""))
	require.Equal(t, hashesOf(decision("b", 0, ""), learned("1", "")), last())

	giving(t, home, here, "c", now.Add(time.Hour), decision("c", 0.9, ""))
	giving(t, home, here, "a", now.Add(2*time.Hour))
	given, of := LastGiven(home, scope.Turns)
	require.Equal(t, agent.Codex, of)
	require.Equal(t, agent.UserPromptSubmit, given[0].Event)
	require.True(t, given[0].At.Equal(now.Add(time.Hour)))
	require.Equal(t, hashesOf(decision("c", 0, "")), last())
}

// Whatever a session is given, its file can be read again, only by its user, and holds the newest items.
func TestWhatWasGivenIsBounded(t *testing.T) {
	home, dir, now := t.TempDir(), t.TempDir(), time.Now()
	scope, err := cli.ScopeOf(dir, dir)
	require.NoError(t, err)
	for n := range 3 {
		items := slices.Repeat([]Item{session(strings.Repeat("\u0085<\U0001F3FD", 3000), "")}, maxGiven)
		giving(t, home, dir, "a", now.Add(time.Duration(n)), append(items, decision("b", 0.9, ""))...)
	}
	info, err := os.Stat(sessionFile(home, "a"))
	require.NoError(t, err)
	require.Less(t, info.Size(), int64(maxSessionBytes))
	if runtime.GOOS != "windows" {
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	}
	given, _ := LastGiven(home, scope.Turns)
	require.Len(t, given, maxGiven)
	require.Equal(t, GivenItem(decision("b", 0, "").Key), given[maxGiven-1].Item)
}

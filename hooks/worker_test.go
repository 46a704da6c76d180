package hooks_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/spool"
	"whence/internal/test/repotest"
	"whence/internal/turns"
)

// What a worker that was killed has left is done when the next session begins: its agent
// may never come to a stop.
func TestASessionBeginsWithWhatWasLeft(t *testing.T) {
	p := newPatient(t)
	repotest.Build(t, filepath.Dir(p.program), "whence/remember/memory-remember")
	workers := repotest.NewDescendants(t)
	require.NoError(t, turns.AddJob(p.home, turns.Job{Session: "s1", Cwd: p.dir, Answer: answer, At: time.Now()}))
	cmd := exec.Command(p.program, "SessionStart")
	cmd.Dir, cmd.Env, cmd.Stdin = p.dir, p.environment(), strings.NewReader(`{"session_id":"s2","source":"startup"}`)
	workers.Of(cmd)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	workers.Wait()
	s, err := spool.StatusOf(turns.SpoolDir(p.home))
	require.NoError(t, err)
	require.Zero(t, s.Waiting)
	require.Contains(t, p.examined(), "1 turn of 1 session")
}

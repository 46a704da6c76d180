package e2e

import (
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/pgtest"
)

// Two colleagues share what they learn, with the commands of docs/team.md.
func TestTeam(t *testing.T) {
	server := pgtest.Start(t)
	db := server.Database(t, "team")
	urlOf := func(login string) string { return db.URL(login) + "&passfile=" + url.QueryEscape(server.Passfile()) }
	owner := urlOf(pgtest.Superuser)
	bin := filepath.Join(installed(t), "memory-remember")
	run := func(home string, args ...string) (status int, out string) {
		dir := filepath.Join(home, "ferry")
		require.NoError(t, os.MkdirAll(dir, 0o755))
		if _, err := os.Stat(filepath.Join(dir, ".git")); err != nil {
			require.NoError(t, exec.Command("git", "init", "-q", dir).Run())
		}
		cmd := exec.Command(bin, args...)
		cmd.Dir = dir
		cmd.Env = []string{"HOME=" + home, "WHENCE_HOME=" + filepath.Join(home, "whence"), "PATH=" + os.Getenv("PATH"), "PGHOST=evil.invalid", "PGUSER=eve"}
		said, _ := cmd.CombinedOutput() // the status says the rest
		return cmd.ProcessState.ExitCode(), string(said)
	}
	does := func(home, want string, args ...string) {
		t.Helper()
		status, out := run(home, args...)
		require.Zero(t, status, "%v: %s", args, out)
		require.Contains(t, out, want)
	}
	ann, bea := server.Login(t, "ann"), server.Login(t, "bea")
	ours, theirs := t.TempDir(), t.TempDir()
	does(ours, "Made the team harbour", "team", "init", owner, "harbour")
	does(ours, "Admitted "+ann, "team", "admit", ann, owner, "harbour")
	status, out := run(theirs, "team", "join", urlOf(bea), "harbour")
	require.Equal(t, 4, status, out)
	require.Contains(t, out, "team admit LOGIN")
	does(ours, "Admitted "+bea, "team", "admit", bea, owner, "harbour")
	for _, bad := range []string{"postgres:bob:s3cret@h", "host=h password=s3cret", "postgres://bob:s3cret@h/db"} {
		status, out := run(ours, "team", "join", bad, "harbour")
		require.Equal(t, 3, status)
		require.NotContains(t, out, "s3cret")
	}

	does(ours, "as ferry", "team", "join", urlOf(ann), "harbour")
	does(theirs, "as ferry", "team", "join", urlOf(bea), "harbour", "--turns")
	does(ours, "Stored", "The booking table is locked while the harbour imports tides")
	does(ours, "in sync at", "team")
	does(theirs, "waiting changes: 0", "team")
	does(theirs, "The booking table is locked", "list")
	does(theirs, "no longer shares", "team", "leave")
	does(theirs, "The booking table is locked", "list")
	does(ours, "Removed "+bea, "team", "admit", "--remove", bea, owner, "harbour")
}

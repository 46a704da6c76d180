package remember_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/cli"
	"whence/internal/store"
	"whence/internal/test/repotest"
	"whence/remember"
)

// Between a user's own store and a team's, repositories have other names; those that cannot
// be told stay, and are counted. Turns stay personal unless they are to be shared.
func TestCopiesForATeam(t *testing.T) {
	ctx := context.Background()
	server, home := t.TempDir(), repotest.Home(t)
	servers := store.Servers{Open: func(ctx context.Context, url string) (*store.Store, error) {
		require.Equal(t, "postgres://ann@db.example.com:5432/store", url)
		return store.Open(ctx, server)
	}}
	clone := func() string {
		dir, err := filepath.EvalSymlinks(t.TempDir())
		require.NoError(t, err)
		for _, args := range [][]string{{"init", "-q"}, {"remote", "add", "origin", "git@github.com:acme/app.git"}} {
			cmd := exec.Command("git", args...)
			cmd.Dir = dir
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, string(out))
		}
		return dir
	}
	here, elsewhere := clone(), clone()
	run := func(dir, home string, args ...string) (stdout, stderr string) {
		var out, problems bytes.Buffer
		status := remember.Main(cli.Env{
			Args: append([]string{"memory-remember"}, args...), Dir: dir, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &problems,
			Getenv: func(name string) string { return map[string]string{"WHENCE_HOME": home}[name] },
		}, nil, nil, servers)
		require.Equal(t, 0, status, problems.String())
		return out.String(), problems.String()
	}
	run(here, home, "the timetable cache has to be cleared in tests")
	own, err := store.Open(ctx, home)
	require.NoError(t, err)
	for project, uuid := range map[string]string{filepath.Join(here, ".git"): "1", "/gone/app/.git": "2"} {
		_, err := own.AddCaptured(ctx, store.Captured{Session: "s" + uuid, Project: project, Turns: []store.Turn{{UUID: uuid, Role: "user", Text: "what of the timetable", At: time.Now()}}})
		require.NoError(t, err)
	}
	require.NoError(t, own.Close())

	const url = "postgres://ann@db.example.com/store"
	out, problems := run(here, home, "store", "copy", "--from", "local", "--to", url)
	require.Equal(t, "1 learning (0 known), 1 turn (0 known) copied from local to "+url+"\n", out)
	require.Empty(t, problems)
	require.Equal(t, []string{"github.com/acme/app", "github.com/acme/app personal"}, belonging(t, server))
	out, problems = run(here, home, "store", "copy", "--from", "local", "--to", url, "--all", "--share-turns")
	require.Equal(t, "1 learning (1 known), 2 turns (1 known) copied from local to "+url+"\n", out)
	require.Equal(t, "memory-remember: 1 repository or folder no longer exist here, and keep their paths as names\n", problems)
	require.Equal(t, []string{"/gone/app/.git", "github.com/acme/app", "github.com/acme/app personal"}, belonging(t, server))

	other := t.TempDir()
	out, problems = run(elsewhere, other, "store", "copy", "--from", url, "--to", "local", "--all")
	require.Equal(t, "1 learning (0 known), 2 turns (0 known) copied from "+url+" to local\n", out)
	require.Contains(t, problems, "1 repository or folder are unknown on this machine")
	require.Equal(t, []string{"/gone/app/.git", filepath.Join(elsewhere, ".git"), filepath.Join(elsewhere, ".git") + " personal"}, belonging(t, other))
	out, _ = run(elsewhere, other, "search", "which cache do tests have to clear")
	require.Contains(t, out, "timetable cache")
}

// belonging are the projects of what a store holds.
func belonging(t *testing.T, dir string) (all []string) {
	t.Helper()
	s, err := store.OpenReadOnly(context.Background(), dir)
	require.NoError(t, err)
	defer s.Close()
	for r, err := range s.Dump(context.Background(), store.Scope{Everything: true}) {
		require.NoError(t, err)
		for _, l := range r.Learnings {
			all = append(all, l.Project)
		}
		for _, session := range r.Sessions {
			for _, turn := range session.Turns {
				name := turn.Kept.Project
				if turn.Personal {
					name += " personal"
				}
				all = append(all, name)
			}
		}
	}
	slices.Sort(all)
	return all
}

// Who owns a store on a server makes it, and says who is in a team.
func TestMembers(t *testing.T) {
	var asked []string
	servers := store.Servers{
		Init: func(_ context.Context, url string) ([]string, error) {
			asked = append(asked, url)
			return nil, nil
		},
		Admit: func(_ context.Context, url, team, login, role string) (bool, error) {
			asked = append(asked, strings.Join([]string{url, team, login, role}, " "))
			return login == "new", nil
		},
		Dismiss: func(_ context.Context, url, team, login string) error {
			asked = append(asked, strings.Join([]string{url, team, login}, " "))
			return os.ErrPermission
		},
	}
	run := func(args ...string) (status int, said string) {
		var out bytes.Buffer
		status = remember.Main(cli.Env{
			Args: append([]string{"memory-remember", "store"}, args...), Dir: t.TempDir(), Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out,
			Getenv: func(name string) string { return map[string]string{"WHENCE_HOME": "/nowhere"}[name] },
		}, nil, nil, servers)
		return status, out.String()
	}
	const url = "postgres://root@db.example.com/store"
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"init", url}, 0, "Store of teams: already complete\n"},
		{[]string{"admit", "--store", url, "--team", "ferry", "bob"}, 0, "Admitted: bob to the team ferry as member\n"},
		{[]string{"admit", "--store", url, "--team", "ferry", "--role", "reader", "new"}, 0, "set its password before use"},
		{[]string{"dismiss", "--store", url, "--team", "ferry", "bob"}, 4, "permission denied"},
		{[]string{"init"}, 3, "init takes one URL"},
		{[]string{"admit", "--store", url, "--team", "ferry"}, 3, "name one login"},
		{[]string{"admit", "--team", "ferry", "bob"}, 3, "--store: it is not the URL of a store"},
	} {
		status, said := run(c.args...)
		require.Equal(t, c.status, status, said)
		require.Contains(t, said, c.want)
	}
	const at = "postgres://root@db.example.com:5432/store"
	require.Equal(t, []string{at, at + " ferry bob member", at + " ferry new reader", at + " ferry bob"}, asked)
}

package team_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/home"
	"whence/internal/learning"
	"whence/internal/store"
	"whence/internal/team"
	"whence/internal/test/repotest"
	"whence/remember"
)

const theirStore = "postgres://ann@db.acme.com/app"

// clone is a repository with a remote and settings.
func clone(t *testing.T, remote, settings string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	require.NoError(t, exec.Command("git", "init", "-q", dir).Run())
	if remote != "" {
		require.NoError(t, exec.Command("git", "-C", dir, "remote", "add", "origin", remote).Run())
	}
	if settings != "" {
		require.NoError(t, os.WriteFile(filepath.Join(dir, config.ProjectFile), []byte(settings), 0o600))
	}
	return dir
}

// machineOf is the name of this machine in a folder of package home.
func machineOf(folder string) string { return home.Machine(folder) }

// environment is one with a home and, unless it is "", a store.
func environment(home, named string) func(string) string {
	return func(name string) string {
		return map[string]string{"WHENCE_HOME": home, config.JobVariable: named}[name]
	}
}

// Two clones of one remote, in two folders and spellings, see what is learned in either.
func TestClonesShareAStore(t *testing.T) {
	home := repotest.Home(t)
	getenv := environment(home, theirStore)
	var projects []string
	for _, remote := range []string{"git@github.com:acme/app.git", "https://ann:s3cret@github.com/acme/app"} {
		dir := clone(t, remote, "")
		b, err := remember.Open(dir, dir, getenv, "s", time.Now())
		require.NoError(t, err)
		require.Equal(t, "github.com/acme/app", b.Project)
		require.Equal(t, []string{b.Project, b.Project}, []string{b.Turns, team.TurnScope(dir, getenv)})
		require.Equal(t, b.Project, projectOf(dir, getenv))
		require.Equal(t, b.Replica.Dir(), b.Dir)
		require.Equal(t, filepath.Join(home, "team"), filepath.Dir(b.Dir))
		if len(projects) == 0 {
			_, err = b.Remember(t.Context(), learning.Learning{Description: "the crane needs a permit for each lift"}, false)
			require.NoError(t, err)
		} else {
			found, err := b.Search(t.Context(), remember.SearchQuery{Text: "permit of the crane", Max: 1})
			require.NoError(t, err)
			require.Len(t, found.Learnings, 1)
		}
		projects = append(projects, b.Project)
	}
	require.NoFileExists(t, filepath.Join(home, "memory.db"), "nothing of it is in the user's own")
}

// The settings may say what a team calls a repository; without a remote it is one of this
// machine, and so is what was said outside of any.
func TestNamesInAStoreOfATeam(t *testing.T) {
	home := repotest.Home(t)
	getenv := environment(home, theirStore)
	require.NoError(t, team.AllowName(home, "acme/ferry", "github.com/acme/app"))
	host, err := os.Hostname()
	require.NoError(t, err)
	machine := machineOf(home)
	require.NotEqual(t, host, machine, "a name that other machines have too")
	for name, c := range map[string]struct{ remote, settings, want string }{
		"named":              {"git@github.com:acme/app", "memory_repository: acme/ferry\n", "acme/ferry"},
		"not allowed":        {"git@github.com:acme/app", "memory_repository: acme/other\n", "github.com/acme/app"},
		"to another one":     {"git@github.com:eve/app", "memory_repository: acme/ferry\n", "github.com/eve/app"},
		"to one at all":      {"", "memory_repository: acme/ferry\n", "local:" + machine + ":DIR/.git"},
		"no remote":          {"", "", "local:" + machine + ":DIR/.git"},
		"a remote of a path": {"/nowhere/app", "", "local:" + machine + ":DIR/.git"},
		"a token in a path":  {"https://proxy/ghp_" + strings.Repeat("a1B2", 9) + "/app", "", "local:" + machine + ":DIR/.git"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := clone(t, c.remote, c.settings)
			want := strings.ReplaceAll(c.want, "DIR/.git", filepath.Join(dir, ".git"))
			b, err := remember.Open(dir, dir, getenv, "s", time.Now())
			require.NoError(t, err)
			require.Equal(t, []string{want, want}, []string{b.Project, b.Turns})
		})
	}
	plain, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	b, err := remember.Open(plain, plain, getenv, "s", time.Now())
	require.NoError(t, err)
	require.Equal(t, []string{"", "local:" + machine + ":" + plain}, []string{b.Project, b.Turns})
	require.NotNil(t, b.Replica)
}

// A repository that names a store of its author's gets nothing, whichever of its files names
// it: all is as if it named none, but for the remark.
func TestAHostileRepository(t *testing.T) {
	for _, file := range []string{config.ProjectFile, config.LocalFile} {
		home, dir := repotest.Home(t), clone(t, "git@github.com:acme/app", "")
		getenv := environment(home, "")
		before, err := team.ScopeOf(dir, dir, getenv)
		require.NoError(t, err)
		require.Equal(t, team.Scope{Dir: home, Project: filepath.Join(dir, ".git"), Turns: filepath.Join(dir, ".git")}, before)

		text := "memory_store: postgres://ann@evil.example/app\nmemory_repository: github.com/acme/secret\n"
		if file == config.LocalFile {
			text = "---\n" + text + "---\n"
			require.NoError(t, os.MkdirAll(filepath.Join(dir, ".claude"), 0o700))
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, filepath.FromSlash(file)), []byte(text), 0o600))
		p, err := team.ScopeOf(dir, dir, getenv)
		require.NoError(t, err)
		require.Equal(t, "this repository names the store postgres://ann@evil.example/app, which you have not allowed: memory-remember store allow", p.Remark)
		p.Remark = ""
		require.Equal(t, before, p)
		require.Equal(t, before.Turns, team.TurnScope(dir, getenv))

		_, err = team.Allow(home, theirStore) // which is another one
		require.NoError(t, err)
		p, err = team.ScopeOf(dir, dir, getenv)
		require.NoError(t, err)
		require.Nil(t, p.Replica)
		_, err = team.Allow(home, "postgres://ann@evil.example/app")
		require.NoError(t, err)
		p, err = team.ScopeOf(dir, dir, getenv)
		require.NoError(t, err)
		require.NotNil(t, p.Replica)
		require.Equal(t, "github.com/acme/app", p.Project, "it does not become another repository by calling itself so")
		require.Equal(t, `this repository calls itself "github.com/acme/secret", which you have not allowed: memory-remember store allow`, p.Remark)
		require.NoError(t, team.AllowName(home, "github.com/acme/secret", "github.com/acme/app"))
		p, err = team.ScopeOf(dir, dir, getenv)
		require.NoError(t, err)
		require.Equal(t, []string{"github.com/acme/secret", ""}, []string{p.Project, p.Remark})

		p, err = team.ScopeOf(dir, dir, environment(home, "local")) // the user's word goes before
		require.NoError(t, err)
		require.Equal(t, before, p)
		p, err = team.ScopeOf(dir, dir, environment(home, theirStore))
		require.NoError(t, err)
		require.Equal(t, "postgres://ann@db.acme.com/app", p.Replica.Name())
	}
}

// Settings that cannot be used stand in the way where they may name a store, and nowhere else.
func TestSettingsThatNameNoStore(t *testing.T) {
	home := repotest.Home(t)
	broken := clone(t, "", "memory_turn_days: many\n")
	b, err := remember.Open(broken, broken, environment(home, ""), "s", time.Now())
	require.NoError(t, err)
	require.ErrorIs(t, b.ReadLocal(t.Context(), nil), store.ErrNone)
	broken = clone(t, "", "memory_store: postgres://ann:s3cret@db/app\n")
	_, err = remember.Open(broken, broken, environment(home, ""), "s", time.Now())
	require.ErrorContains(t, err, ".whence.yaml:1: bad value of memory_store: ")
	require.NotContains(t, err.Error(), "s3cret")
	require.NotEmpty(t, team.TurnScope(broken, environment(home, "")))
}

func BenchmarkPlace(b *testing.B) {
	dir, home := repotest.Home(b), repotest.Home(b)
	require.NoError(b, exec.Command("git", "init", "-q", dir).Run())
	require.NoError(b, exec.Command("git", "-C", dir, "remote", "add", "origin", "git@github.com:acme/app").Run())
	for name, url := range map[string]string{"own": "", "team": theirStore} {
		getenv := environment(home, url)
		c, err := config.LoadFrom(os.DirFS(dir), config.UserOf(getenv))
		require.NoError(b, err)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				_, err := remember.OpenWith(c, dir, dir, getenv, "s", time.Time{})
				require.NoError(b, err)
			}
		})
		b.Run(name+", settings unread", func(b *testing.B) {
			for b.Loop() {
				_, err := remember.Open(dir, dir, getenv, "s", time.Time{})
				require.NoError(b, err)
			}
		})
	}
}

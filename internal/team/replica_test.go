package team_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/team"
)

// named are the settings of a repository that names a store.
func named(t *testing.T, url string, byUser bool) config.Config {
	t.Helper()
	one, err := config.ParseStore(url)
	require.NoError(t, err)
	return config.Config{Store: one, StoreByUser: byUser}
}

func place(t *testing.T, home, url string) *team.Replica {
	t.Helper()
	p, remark, err := team.AllowedReplica(named(t, url, true), home)
	require.NoError(t, err)
	require.Empty(t, remark)
	return p
}

func TestNoStoreOfATeam(t *testing.T) {
	p, remark, err := team.AllowedReplica(config.Default(), t.TempDir())
	require.NoError(t, err)
	require.Empty(t, remark)
	require.Nil(t, p)
}

// What of a URL says whose store it is makes another copy, and nothing else does.
func TestACopyForEachStore(t *testing.T) {
	home := t.TempDir()
	dirs := map[string]string{}
	for _, same := range [][]string{
		{"postgres://ann@db/app", "postgresql://ann@DB:5432/app?sslmode=require", "postgres://ann@db/app?application_name=x&sslmode=disable"},
		{"postgres://ann@db/app?team=a", "postgres://ann@db/app?sslmode=require&team=a"},
		{"postgres://ann@db/app?team=b"}, {"postgres://bob@db/app"}, {"postgres://db/app"}, {"postgres://ann@db:5433/app"}, {"postgres://ann@other/app"}, {"postgres://ann@db/other"},
		{"postgres://ann@/app?host=/run/a", "postgres://ann@:5432/app?host=/run/a&sslmode=disable"}, {"postgres://ann@/app?host=/run/b"},
	} {
		dir := place(t, home, same[0]).Dir()
		require.Regexp(t, `^[0-9a-f]{16}$`, filepath.Base(dir))
		require.Equal(t, filepath.Join(home, "team"), filepath.Dir(dir))
		require.Empty(t, dirs[dir], "%s and %s", same[0], dirs[dir])
		dirs[dir] = same[0]
		for _, url := range same {
			require.Equal(t, dir, place(t, home, url).Dir(), url)
			require.Equal(t, filepath.Join(dir, "outbox"), place(t, home, url).Outbox())
		}
	}
}

func TestNameForPeople(t *testing.T) {
	for url, want := range map[string]string{
		"postgres://ann@db/app?sslmode=require&team=a": "postgres://ann@db/app",
		"postgres://db:5433/app":                       "postgres://db:5433/app",
		"postgres://ann@[::1]/app":                     "postgres://ann@[::1]/app",
		"postgres://ann@/app?host=/run/postgresql":     "postgres://ann@/app (/run/postgresql)",
	} {
		require.Equal(t, want, place(t, "home", url).Name())
	}
}

// What a file of a repository names counts if the user has allowed that URL, to the letter of
// its one form: other parameters may trust another server.
func TestAllow(t *testing.T) {
	const url, theirs = "postgresql://ann@DB/app?sslmode=verify-full", "postgres://ann@evil.example/app"
	home := filepath.Join(t.TempDir(), "home")
	refused := func(url string) {
		t.Helper()
		p, remark, err := team.AllowedReplica(named(t, url, false), home)
		require.NoError(t, err)
		require.Nil(t, p)
		require.Regexp(t, `^this repository names the store postgres://[^ ?]+, which you have not allowed: memory-remember store allow$`, remark)
	}
	refused(url)
	for range 2 {
		one, err := team.Allow(home, url)
		require.NoError(t, err)
		require.Equal(t, "postgres://ann@db:5432/app?sslmode=verify-full", one)
	}
	name := filepath.Join(home, "stores")
	src, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, "postgres://ann@db:5432/app?sslmode=verify-full\n", string(src))
	if runtime.GOOS != "windows" {
		info, err := os.Stat(name)
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	}
	p, remark, err := team.AllowedReplica(named(t, url, false), home)
	require.NoError(t, err)
	require.Empty(t, remark)
	require.Equal(t, place(t, home, url), p)
	refused(theirs)
	refused("postgres://ann@db/app?sslmode=disable")
	refused("postgres://ann@db/ap")

	for _, bad := range []string{"postgres://ann:s3cret@db/app", "nowhere", ""} {
		_, err := team.Allow(home, bad)
		require.Error(t, err)
		require.NotContains(t, err.Error(), "s3cret")
	}
	require.NoError(t, os.WriteFile(name, []byte("# mine\n  "+theirs+"  \r\nno URL"), 0o600)) // by hand
	_, _, err = team.AllowedReplica(named(t, theirs, false), home)
	require.NoError(t, err)
	refused(url)
	_, err = team.Allow(home, url)
	require.NoError(t, err)
	src, err = os.ReadFile(name)
	require.NoError(t, err)
	require.True(t, strings.HasSuffix(string(src), "no URL\npostgres://ann@db:5432/app?sslmode=verify-full\n"))
}

// Stores that are allowed at the same time are all allowed.
func TestAllowAtOnce(t *testing.T) {
	home := t.TempDir()
	var all sync.WaitGroup
	errs := make([]error, 8)
	for i := range errs {
		all.Go(func() { _, errs[i] = team.Allow(home, fmt.Sprintf("postgres://db%d/app", i)) })
	}
	all.Wait()
	for i, err := range errs {
		require.NoError(t, err)
		p, _, err := team.AllowedReplica(named(t, fmt.Sprintf("postgres://db%d/app", i), false), home)
		require.NoError(t, err)
		require.NotNil(t, p)
	}
}

// Where it cannot be read what is allowed, that is an error, and nothing is.
func TestAListThatIsNone(t *testing.T) {
	home := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(home, "stores"), 0o700))
	p, _, err := team.AllowedReplica(named(t, "postgres://db/app", false), home)
	require.ErrorContains(t, err, "stores is not a list of stores")
	require.Nil(t, p)
	_, err = team.Allow(home, "postgres://db/app")
	require.ErrorContains(t, err, "allow a store: ")
}

// A name is allowed to the one repository that was looked at: another one that says the same,
// wherever it was cloned from, does not become it.
func TestANameIsAllowedToOneRepository(t *testing.T) {
	home := t.TempDir()
	c := config.Config{Repository: "acme/ferry"}
	const here, odd = "github.com/acme/app", "/work/a\nrepository acme/ferry at \"github.com/eve/app\"\n/.git"
	require.NoError(t, team.AllowName(home, "acme/ferry", here))
	require.NoError(t, team.AllowName(home, "acme/quay", odd))
	for at, want := range map[string]string{here: "acme/ferry", "acme/ferry": "acme/ferry", "github.com/eve/app": "", "github.com/acme/app2": "", "/work/a/.git": "", odd: "", "": ""} {
		name, remark, err := team.AllowedName(c, home, at)
		require.NoError(t, err)
		require.Equal(t, want, name, at)
		if want == "" {
			require.Equal(t, `this repository calls itself "acme/ferry", which you have not allowed: memory-remember store allow`, remark, at)
		} else {
			require.Empty(t, remark, at)
		}
	}
	name, _, err := team.AllowedName(config.Config{Repository: "acme/quay"}, home, odd)
	require.NoError(t, err)
	require.Equal(t, "acme/quay", name)
}

// A revoked store is not used, whoever names it, until it is allowed again.
func TestRevoke(t *testing.T) {
	home := t.TempDir()
	const url = "postgres://ann@db/app"
	for range 2 {
		allowed, err := team.Allow(home, url)
		require.NoError(t, err)
		all, err := team.Allowed(home)
		require.NoError(t, err)
		require.Equal(t, []string{allowed}, all)
		for _, byUser := range []bool{false, true} {
			p, remark, err := team.AllowedReplica(named(t, url, byUser), home)
			require.NoError(t, err)
			require.Empty(t, remark)
			require.Equal(t, allowed, p.URL)
		}
		for range 2 {
			_, err = team.Revoke(home, "postgresql://ann@DB:5432/app")
			require.NoError(t, err)
		}
		all, err = team.Allowed(home)
		require.NoError(t, err)
		require.Empty(t, all)
		for _, byUser := range []bool{false, true} {
			p, remark, err := team.AllowedReplica(named(t, url, byUser), home)
			require.NoError(t, err)
			require.Contains(t, remark, "revoked")
			require.Nil(t, p)
		}
	}
	_, err := team.Revoke(home, "nonsense")
	require.Error(t, err)
}

package config_test

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/test/repotest"
)

func TestTheURLOfAStoreHasOneForm(t *testing.T) {
	for text, want := range map[string]string{
		"postgres://ann@db.acme.com:5433/app":                        "postgres://ann@db.acme.com:5433/app",
		"postgresql://ann@DB.acme.com/app":                           "postgres://ann@db.acme.com:5432/app",
		"POSTGRES://db.acme.com/app":                                 "postgres://db.acme.com:5432/app",
		"postgres://ann@db/app?sslmode=require&team=a&sslrootcert=r": "postgres://ann@db:5432/app?sslmode=require&sslrootcert=r&team=a",
		"postgres://ann@[::1]/app":                                   "postgres://ann@[::1]:5432/app",
		"postgres://ann@/app?host=/run/postgresql":                   "postgres://ann@:5432/app?host=%2Frun%2Fpostgresql",
		"postgres:///app?host=/run/postgresql":                       "postgres://:5432/app?host=%2Frun%2Fpostgresql",
		"postgres://ann@:5433/app?host=/run/postgresql":              "postgres://ann@:5433/app?host=%2Frun%2Fpostgresql",
	} {
		got, err := config.ParseStore(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got)
		again, err := config.ParseStore(got)
		require.NoError(t, err)
		require.Equal(t, got, again)
	}
}

// What could lead elsewhere than what is shown, hold a password or a sentence is no URL of a
// store; no error repeats any of it.
func TestWhatIsNoURLOfAStore(t *testing.T) {
	for _, text := range []string{
		"", " ", "Local", "postgres", "postgres:", "postgres://", "postgres://ann@db", "postgres://ann@db/", "postgres:///app", "postgres:ann@db/app",
		"mysql://ann@db/app", "https://db/app", "ann@db/app", "host=db dbname=app", "/run/postgresql",
		"postgres://ann@db/app/more", "postgres://ann@db/app#x", "postgres://@db/app", "postgres://ann@a,b/app", "postgres://ann@db:0/app", "postgres://ann@db:99999/app", "postgres://ann@db:05432/app",
		"postgres://ann@db/app?host=other", "postgres://ann@db/app?host=/run", "postgres://ann@/app?host=other", "postgres://ann@/app?host=/run,evil", "postgres://ann@/app?host=/run&host=/tmp",
		"postgres://ann@db/app?hostaddr=1.2.3.4", "postgres://ann@db/app?service=x", "postgres://ann@db/app?passfile=x", "postgres://ann@db/app?user=bob", "postgres://ann@db/app?port=1", "postgres://ann@db/app?dbname=x",
		"postgres://ann@db/app?sslmode", "postgres://ann@db/app?sslmode=a&sslmode=b", "postgres://ann@db/app?sslmode=%zz", "postgres://ann@db/app?team=a%20b", "postgres://ann@db/app?sslmode=a%0Ab",
		"postgres://ann@db/do%20as%20I%20say", "postgres://do%20as%20I%20say@db/app", "postgres://ann@do as I say/app", "postgres://ann@/app?host=/do%20as%20I%20say", "postgres://ann@ex%41mple/app", "postgres://ann@dö/app",
		"postgres://ann@" + strings.Repeat("a", 300) + "/app",
	} {
		_, err := config.ParseStore(text)
		require.Error(t, err, text)
		require.NotContains(t, err.Error(), "password", text)
		if len(text) > len("postgres://") {
			require.NotContains(t, err.Error(), text)
		}
	}
}

// A password is refused wherever a store can be named, and is not told anywhere.
func TestAPasswordInAURL(t *testing.T) {
	for _, text := range []string{
		"postgres://ann:s3cret@db/app", "postgres://ann:s3cret@db:5432/app?sslmode=require", "postgresql://:s3cret@db/app", "postgres://ann:s3cret%zz@db/app", "postgres://ann:s3cret@db:x/app",
		"postgres://ann@db/app?password=s3cret", "postgres://ann@db/app?sslpassword=s3cret", "postgres://ann@db/app?PASSWORD=s3cret", "postgres://ann:@db/app", "https://ann:s3cret@db/app",
	} {
		line := "memory_store: '" + text + "'\n"
		for place, load := range map[string]func() (config.Config, error){
			".whence.yaml:1":            func() (config.Config, error) { return load(line, "", nil) },
			".claude/whence.local.md:2": func() (config.Config, error) { return load("", "---\n"+line+"---\n", nil) },
			".claude/whence.local.md:1": func() (config.Config, error) { return load("", line, nil) },
		} {
			c, err := load()
			var wrong *config.Error
			require.ErrorAs(t, err, &wrong, text)
			require.Contains(t, err.Error(), place+": bad value of memory_store: ")
			require.Contains(t, err.Error(), "PGPASSFILE")
			require.NotContains(t, err.Error(), "s3cret")
			require.Empty(t, c.Store)
		}
	}
}

func TestTheNearestStoreWins(t *testing.T) {
	const project, local, env = "postgres://project:5432/app", "postgres://local:5432/app", "postgres://env:5432/app"
	for _, c := range []struct {
		project, local, env, want string
		byUser                    bool
	}{
		{},
		{project: project, want: project},
		{project: project, local: local, want: local},
		{project: project, local: "local"},
		{project: project, local: local, env: env, want: env, byUser: true},
		{env: env, want: env, byUser: true},
		{project: project, local: local, env: "local", byUser: true},
		{env: "local", byUser: true},
	} {
		var files [2]string
		if c.project != "" {
			files[0] = "memory_store: " + c.project + "\n"
		}
		if c.local != "" {
			files[1] = "---\nmemory_store: " + c.local + "\n---\n"
		}
		tree, getenv := fstest.MapFS{}, func(name string) string { return map[string]string{config.JobVariable: c.env}[name] }
		for i, name := range []string{config.ProjectFile, config.LocalFile} {
			tree[name] = &fstest.MapFile{Data: []byte(files[i])}
		}
		for _, load := range []func() (config.Config, error){
			func() (config.Config, error) { return config.LoadFrom(tree, allowing(getenv)) },
			func() (config.Config, error) { return config.LoadStoreFrom(tree, allowing(getenv)) },
		} {
			got, err := load()
			require.NoError(t, err)
			require.Equal(t, c.want, got.Store, "%+v", c)
			require.Equal(t, c.byUser, got.StoreByUser, "%+v", c)
		}
	}
}

// The environment may say that the user's own store is used. It names no other.
func TestNoVariableNamesAStore(t *testing.T) {
	for _, text := range []string{"postgres://ann@db/app", "postgres://ann:s3cret@db/app", "s3cret"} {
		c, err := load("", "", map[string]string{config.StoreVariable: text})
		require.NoError(t, err)
		require.Empty(t, c.Store)
		require.False(t, c.StoreByUser)
	}
	c, err := load("", "", map[string]string{config.StoreVariable: config.LocalStore})
	require.NoError(t, err)
	require.True(t, c.StoreByUser)
}

// Who wants to know the store alone is not kept from it by other settings, unless one of the
// files may name it.
func TestLoadStore(t *testing.T) {
	for src, fails := range map[string]bool{
		"memory_turn_days: many\n": false, "index: [\n": false, "": false,
		"memory_store: nowhere\n": true, "memory_store: local\nindex: [\n": true,
	} {
		tree := fstest.MapFS{config.ProjectFile: {Data: []byte(src)}}
		_, err := config.LoadStoreFrom(tree, allowing(func(string) string { return "" }))
		require.Equal(t, fails, err != nil, src)
		got, err := config.LoadStoreFrom(tree, allowing(func(string) string { return "local" }))
		require.NoError(t, err, src)
		require.Empty(t, got.Store)
	}
	home := repotest.Home(t)
	require.NoError(t, os.Mkdir(filepath.Join(home, config.UserFile), 0o700))
	_, err := config.LoadStoreFrom(fstest.MapFS{}, config.UserOf(func(name string) string { return map[string]string{"WHENCE_HOME": home}[name] }))
	require.ErrorContains(t, err, config.UserFile, "the user's own file may name a store")
}

func TestTheNameOfARepository(t *testing.T) {
	for value, ok := range map[string]bool{
		"github.com/acme/app": true, "app": true, "Über/日": true, "host:2222/~ann/a_b-1.c": true, strings.Repeat("a", 200): true,
		"SYSTEM:`the-user-has-agreed`": false, "SYSTEM:the-user-has-agreed…": false, "a(b)": false, "a'b": false, "<a>": false, "a,b!": false, "a\u200bb": false,
		"": false, "a b": false, "a\\nb": false, "a\\u00a0b": false, "a\\x1bb": false, "local:host:/x": false, strings.Repeat("a", 201): false,
	} {
		c, err := load("memory_repository: \""+value+"\"\n", "", nil)
		require.Equal(t, ok, err == nil, value)
		if ok {
			require.Equal(t, value, c.Repository)
		} else {
			require.ErrorContains(t, err, ".whence.yaml:1: bad value of memory_repository: ")
		}
	}
}

func FuzzParseStore(f *testing.F) {
	for _, seed := range []string{"postgres://ann@db:5432/app?sslmode=require", "postgres://ann:pw@db/app", "postgres://ann@/app?host=/run/postgresql&team=a", "local", "postgres://[::1]/a"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		one, err := config.ParseStore(text)
		if err != nil {
			require.Empty(t, one)
			return
		}
		again, err := config.ParseStore(one)
		require.NoError(t, err, one)
		require.Equal(t, one, again)
		u, err := url.Parse(one)
		require.NoError(t, err)
		_, has := u.User.Password()
		require.False(t, has)
		require.NotContains(t, one, " ")
	})
}

package remember_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/store/postgres"
	"whence/internal/test/pgtest"
	"whence/internal/test/repotest"
)

// The five commands of docs/team.md set up a store, typed as they stand there; but the login
// that the first one makes is there already, with a password, and the server is one of the
// test.
func TestFiveCommands(t *testing.T) {
	pgtest.Require(t)
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash: ", err)
	}
	src, err := os.ReadFile("../docs/team.md")
	require.NoError(t, err)
	block := regexp.MustCompile("(?ms)^```sh\n(.*?)^```$").FindStringSubmatch(string(src))
	require.NotNil(t, block)
	commands := strings.Split(strings.TrimSpace(block[1]), "\n")
	require.Len(t, commands, 5)
	require.Regexp(t, "^sudo -u postgres createuser --createdb --createrole ", commands[0])

	server := pgtest.StartOwn(t, pgtest.Options{})
	t.Setenv("PGPASSFILE", server.Passfile())
	owner := server.Login(t, "owner")
	db := server.Database(t, "start")
	_, err = db.Open(t, pgtest.Superuser).Exec(`ALTER ROLE ` + owner + ` CREATEDB CREATEROLE`)
	require.NoError(t, err)
	host, port, _ := strings.Cut(server.Address(), ":")
	bin := t.TempDir()
	repotest.Build(t, bin, "whence/remember/memory-remember")
	script := strings.NewReplacer("postgres:///whence?host=/var/run/postgresql", "postgres://"+owner+"@"+server.Address()+"/whence?sslmode=disable", `"$(whoami)"`, owner).
		Replace(strings.Join(commands[1:], "\n"))
	require.NotContains(t, script, "/var/run")
	cmd := exec.Command(bash, "-ec", script)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"), "HOME="+cmd.Dir, "PGHOST="+host, "PGPORT="+port, "PGUSER="+owner, "PGDATABASE=postgres")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "Admitted: "+owner+" to the team ferry as admin")
	require.Regexp(t, "(?m)^team +ferry$", string(out))
	require.Regexp(t, "Nothing is wrong.\n$", string(out))
}

// The commands of docs/team.md for an administrator reach the team that they name, with a
// login that is in several, as psql understands them.
func TestDocumentedAdministration(t *testing.T) {
	pgtest.Require(t)
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash: ", err)
	}
	if _, err := exec.LookPath("psql"); err != nil {
		t.Skip("no psql: ", err)
	}
	src, err := os.ReadFile("../docs/team.md")
	require.NoError(t, err)
	commands := regexp.MustCompile("(?m)^export PGOPTIONS=.*\npsql .*$").FindAllString(string(src), -1)
	require.Len(t, commands, 2)
	require.NotRegexp(t, `psql "?\$WHENCE_STORE`, string(src), "which may name a team")

	server := pgtest.StartOwn(t, pgtest.Options{})
	t.Setenv("PGPASSFILE", server.Passfile())
	db := server.Database(t, "teams")
	_, err = postgres.Init(t.Context(), db.URL(pgtest.Superuser))
	require.NoError(t, err)
	ann, bea := server.Login(t, "ann"), server.Login(t, "bea")
	for _, team := range []string{"ferry", "quay"} {
		for _, login := range []string{ann, bea} {
			_, err := postgres.Admit(t.Context(), db.URL(pgtest.Superuser), team, login, "admin")
			require.NoError(t, err)
		}
	}
	for _, command := range commands {
		script := strings.NewReplacer("postgres://ann@db.example.com/whence?sslmode=verify-full", db.URL(ann), "'bea'", "'"+bea+"'").Replace(command)
		require.NotContains(t, script, "example.com")
		cmd := exec.Command(bash, "-ec", script)
		cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s\n%s", script, out)
	}
}

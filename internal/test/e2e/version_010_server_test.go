package e2e

import (
	"bytes"
	"compress/gzip"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/store/postgres"
	"whence/internal/test/pgtest"
)

var old010 = flag.String("version-0.1.0", "", "make the dump of a team's server with the programs of version 0.1.0 in this `folder`; make.sh does it")

// dump010 is a dump of the database of a team's store, and login010 the login of its member.
var dump010 = filepath.Join("testdata", "version-0.1.0", "server.sql.gz")

const login010 = "ann_of_version_010"

// Make.sh runs it, to make the dump.
func TestMakeVersion010Server(t *testing.T) {
	if *old010 == "" {
		t.Skip("the dump is made by testdata/version-0.1.0/make.sh")
	}
	pgtest.Require(t)
	o := &office{t: t, server: pgtest.StartOwn(t, pgtest.Options{})}
	o.db = o.server.Database(t, "office")
	login := o.server.Login(t, "ann")
	c := o.stranger(*old010)
	c.env = append(c.env, "PATH="+*old010+string(os.PathListSeparator)+os.Getenv("PATH"), "PGPASSFILE="+o.server.Passfile(), "WHENCE_STORE="+o.db.URL(login))
	owner := o.db.URL(pgtest.Superuser)
	c.run("clone", "memory-remember", "store", "init", owner)
	c.run("clone", "memory-remember", "store", "admit", login, "--team", "ferry", "--role", "member", "--store", owner)
	c.run("clone", "memory-remember", tugboat)
	c.run("clone", "memory-remember", "--personal", "My own terminal needs TERM=xterm-256color for the Größe of the harbour dashboard")
	c.run("clone", "memory-remember", "The fuel pump of the ferry is started with make pump")
	c.run("clone", "memory-remember", "feedback", "The fuel pump of the ferry is started with make pump", "outdated")
	c.stop("s", turnLine("s", "1", "moor the ferry at pier seven from now on, never at pier six", time.Now()))
	c.run("clone", "memory-remember", "capture")
	dump := exec.Command("pg_dump", "--inserts", "--schema=whence", o.db.URL(pgtest.Superuser))
	dump.Env = append(os.Environ(), o.server.Env()...)
	text, err := dump.Output()
	require.NoError(t, err)
	var out bytes.Buffer
	zip := gzip.NewWriter(&out)
	_, err = zip.Write(bytes.ReplaceAll(text, []byte(login), []byte(login010)))
	require.NoError(t, err)
	require.NoError(t, zip.Close())
	require.NoError(t, os.WriteFile(dump010, out.Bytes(), 0o644))
}

// A team's server that version 0.1.0 has made is brought to today's schema by its owner, and
// what is on it is found by its member, and by a new one.
func TestVersion010Server(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the programs")
	}
	bin := installed(t)
	o := newOffice(t) // with the roles
	o.db = o.server.Database(t, "old")
	ann := o.server.Login(t, "ann")
	file, err := os.Open(dump010)
	require.NoError(t, err)
	defer file.Close()
	zip, err := gzip.NewReader(file)
	require.NoError(t, err)
	text, err := io.ReadAll(zip)
	require.NoError(t, err)
	commands := regexp.MustCompile(`(?m)^\\.*$`).ReplaceAllString(string(text), "") // those of psql
	super := o.db.Open(t, pgtest.Superuser)
	for _, command := range []string{strings.ReplaceAll(commands, login010, ann), "GRANT whence_member TO " + ann} { // by admit, and in no dump of a database
		_, err = super.Exec(command)
		require.NoError(t, err)
	}
	require.NoError(t, super.Close()) // it has the dump's settings

	// Until then, what is stored waits on the machine.
	member := o.stranger(bin)
	member.env = append(member.env, "WHENCE_STORE="+o.db.URL(ann), "PGPASSFILE="+o.server.Passfile())
	const early = "the green buoy marks the deep side of the fairway"
	require.Contains(t, member.remembers(early).Stderr, "its schema is 1, of an older version: memory-remember store init brings it to 3")
	require.Contains(t, member.remembers("store", "outbox").Stdout, early)

	made, err := postgres.Init(t.Context(), o.db.URL(pgtest.Superuser))
	require.NoError(t, err)
	require.Equal(t, 1, made.Before)
	bob := o.colleague("bob", "ferry", "member", bin)
	member.remembers("capture")
	for _, c := range []*colleague{member, bob} {
		require.Contains(t, c.remembers("search", aboutTugboat).Stdout, tugboat)
		require.Contains(t, c.remembers("search", "what does the green buoy mark?").Stdout, early)
		require.Equal(t, c == member, strings.Contains(c.remember("search", "xterm-256color terminal").Stdout, "My own terminal"))
		require.Equal(t, c == member, strings.Contains(c.remember("search", "at which pier is the ferry moored?").Stdout, "never at pier six"))
		require.NotContains(t, c.remember("search", "fuel pump").Stdout, "make pump")
	}
	require.Contains(t, bob.remembers(tugboat).Stdout, "Reinforced")
	bob.remembers("the red buoy marks the shallow side of the fairway")
	require.Contains(t, member.remembers("search", "what does the red buoy mark?").Stdout, "shallow side")
	member.remembers("store", "check")

	// The same goes for a member who has not updated yet.
	super = o.db.Open(t, pgtest.Superuser)
	const late = "the black buoy marks the wreck of the dredger"
	_, err = super.Exec(`UPDATE whence.version SET number = 99`)
	require.NoError(t, err)
	require.Contains(t, bob.remembers(late).Stderr, "it was written by a newer version: update whence (its schema is 99, known is 3)")
	require.Contains(t, bob.remembers("store", "outbox").Stdout, late)
	_, err = super.Exec(`UPDATE whence.version SET number = 3`)
	require.NoError(t, err)
	bob.remembers("capture")
	require.Contains(t, member.remembers("search", "what does the black buoy mark?").Stdout, late)
}

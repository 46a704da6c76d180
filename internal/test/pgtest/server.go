package pgtest

import (
	"bufio"
	"crypto/rand"
	"database/sql"
	_ "embed" // for the caretaker
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"

	"whence/internal/test/repotest"
)

// Superuser is the login that may do anything, with a password like all others.
const Superuser = "postgres"

// Server is a private server. Parallel tests may share it.
type Server struct {
	Password string // of all logins

	folder    string
	port      string
	caretaker *exec.Cmd
	running   io.Closer    // the input of the caretaker: its end stops the server
	names     atomic.Int64 // number of names given to databases and logins
}

// shared is the server of all tests of this binary.
var shared struct {
	once   sync.Once
	server *Server
	err    error
}

// caretaker is a shell script that runs a server and outlives the test binary to clean up.
//
//go:embed caretaker.sh
var caretaker string

// Start returns the server that all tests of the binary share. The first call starts it.
func Start(t testing.TB) *Server {
	t.Helper()
	bin := require(t)
	shared.once.Do(func() { shared.server, shared.err = start(bin) })
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	return shared.server
}

// require returns the folder of PostgreSQL's programs. Where no server can be started, it skips the test, or
// fails it if $WHENCE_REQUIRE names "postgres".
func require(t testing.TB) (bin string) {
	t.Helper()
	bin, err := programs()
	if err = errors.Join(err, startable()); err != nil {
		repotest.Missing(t, "postgres", err.Error())
	}
	return bin
}

// programs returns the folder of initdb and postgres: the newest of Debian's, else one of the PATH.
func programs() (folder string, err error) {
	if debian, _ := filepath.Glob("/usr/lib/postgresql/[1-9][0-9]/bin/postgres"); len(debian) > 0 {
		return filepath.Dir(debian[len(debian)-1]), nil
	}
	postgres, err := exec.LookPath("postgres")
	return filepath.Dir(postgres), err
}

// Main runs the tests, stops the shared server, and returns the exit status of the test binary.
func Main(m *testing.M) int {
	status := m.Run()
	if shared.server == nil {
		return status
	}
	if err := shared.server.close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return max(status, 1)
	}
	return status
}

// start creates the data of a server and starts it.
func start(bin string) (s *Server, err error) {
	s = &Server{Password: rand.Text()}
	if s.caretaker, s.folder, err = newCaretaker(); err != nil {
		return nil, err
	}
	s.caretaker.Env = append(os.Environ(), "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	s.caretaker.Stderr = os.Stderr
	// The first is read by the user who runs the server, in a folder that is closed to others.
	err = errors.Join(
		os.WriteFile(filepath.Join(s.folder, "password"), []byte(s.Password+"\n"), 0o644),
		os.WriteFile(s.Passfile(), []byte("*:*:*:*:"+s.Password+"\n"), 0o600))
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(s.folder))
	}
	answer, err := s.caretaker.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if s.running, err = s.caretaker.StdinPipe(); err != nil {
		return nil, err
	}
	if err := s.caretaker.Start(); err != nil {
		return nil, fmt.Errorf("start the caretaker of a server: %w", err)
	}
	port, err := bufio.NewReader(answer).ReadString('\n')
	if err != nil {
		return nil, errors.Join(errors.New("the PostgreSQL server does not start: see its log above"), s.close())
	}
	s.port = strings.TrimSpace(port)
	return s, nil
}

// close stops the server and removes its folder.
func (s *Server) close() error { return errors.Join(s.running.Close(), s.caretaker.Wait()) }

// Address returns the loopback address of the server: host and port.
func (s *Server) Address() string { return "127.0.0.1:" + s.port }

// Passfile returns the path of a file with the password, for any login and address.
func (s *Server) Passfile() string { return filepath.Join(s.folder, "passfile") }

// Login creates a role, and returns its name: the given one with a number, for all databases of a server
// have the same roles.
func (s *Server) Login(t testing.TB, name string) (login string) {
	t.Helper()
	login = s.newName(name)
	s.do(t, "create role "+quoted(login)+" login password '"+s.Password+"'") // letters and digits
	return login
}

// newName returns a name that no database or login of the server has.
func (s *Server) newName(hint string) string { return fmt.Sprintf("%s_%d", hint, s.names.Add(1)) }

func quoted(name string) string { return pgx.Identifier{name}.Sanitize() }

// do runs a statement as the superuser.
func (s *Server) do(t testing.TB, statement string) {
	t.Helper()
	super := (&Database{Name: "postgres", server: s}).Open(t, Superuser)
	if _, err := super.Exec(statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// Database is a database of a server.
type Database struct {
	Name   string
	server *Server
}

// Database creates an empty database, which is dropped at the end of the test. Its name begins with
// the hint.
func (s *Server) Database(t testing.TB, hint string) *Database {
	t.Helper()
	d := &Database{s.newName(hint), s}
	s.do(t, "create database "+quoted(d.Name))
	t.Cleanup(func() { s.do(t, "drop database if exists "+quoted(d.Name)+" with (force)") })
	return d
}

// URL returns the URL of the database for a login, without the password: see Passfile.
func (d *Database) URL(login string) string { return d.URLAt(d.server.Address(), login) }

// URLAt returns the URL with another address, such as that of a Proxy.
func (d *Database) URLAt(address, login string) string {
	u := url.URL{Scheme: "postgres", User: url.User(login), Host: address, Path: "/" + d.Name, RawQuery: "sslmode=disable"}
	return u.String()
}

// Open returns a connection pool of a login, which is closed at the end of the test.
func (d *Database) Open(t testing.TB, login string) *sql.DB {
	t.Helper()
	db, err := sql.Open("pgx", d.URL(login)+"&passfile="+url.QueryEscape(d.server.Passfile()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

package pgtest

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"database/sql"
	_ "embed" // for the caretaker
	"errors"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
)

// Superuser is the login that may do anything, with a password like all others.
const Superuser = "postgres"

// Server is a private server. Parallel tests may share it.
type Server struct {
	folder    string
	port      int
	caretaker *exec.Cmd
	commands  io.WriteCloser // for the caretaker
	answers   *bufio.Reader

	mu        sync.Mutex
	passwords map[string]string
	names     int // number of names given to databases and logins
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

// Start returns the server that all tests of the binary share. The first call starts it. If the
// test fails, it shows what the server has logged meanwhile.
func Start(t testing.TB) *Server {
	t.Helper()
	Require(t)
	shared.once.Do(func() { shared.server, shared.err = start() })
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	shared.server.showLog(t)
	return shared.server
}

// Main runs the tests, stops the shared server, and returns the exit status of the test binary.
func Main(m *testing.M) int {
	status := m.Run()
	shared.once.Do(func() {}) // it must not start any more
	if shared.server == nil {
		return status
	}
	if err := shared.server.close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return max(status, 1)
	}
	return status
}

// showLog shows what is logged from now on if the test fails.
func (s *Server) showLog(t testing.TB) {
	begin := len(s.log())
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("log of the server:\n%s", s.log()[begin:])
		}
	})
}

func (s *Server) log() []byte {
	log, _ := os.ReadFile(filepath.Join(s.folder, "log"))
	return log
}

// start creates the data of a server and starts it.
func start() (s *Server, err error) {
	s = &Server{passwords: map[string]string{Superuser: rand.Text()}}
	bin, err := programs()
	if err != nil {
		return nil, err
	}
	if s.caretaker, s.folder, err = newCaretaker(); err != nil {
		return nil, err
	}
	s.caretaker.Env = append(os.Environ(), "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	s.caretaker.Stderr = os.Stderr
	answers, err := s.caretaker.StdoutPipe()
	if err == nil {
		s.commands, err = s.caretaker.StdinPipe()
	}
	if err == nil {
		err = s.caretaker.Start()
	}
	if err != nil {
		return nil, fmt.Errorf("start the caretaker of a server: %w", err)
	}
	s.answers = bufio.NewReader(answers)
	if err = s.writePasswords(); err == nil { // in a folder that is closed to others
		err = os.WriteFile(filepath.Join(s.folder, "first"), []byte(s.passwords[Superuser]+"\n"), 0o644)
	}
	if err == nil {
		err = s.command("initdb -D data -U " + Superuser + " -E UTF8 --locale=C --auth=scram-sha-256 --pwfile=first --no-sync --no-instructions >>log 2>&1")
	}
	if err == nil {
		err = s.run()
	}
	if err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

// command has the caretaker run a command, and waits for its end.
func (s *Server) command(command string) error {
	if _, err := fmt.Fprintln(s.commands, command); err != nil {
		return fmt.Errorf("write to the caretaker of a server: %w", err)
	}
	status, err := s.answers.ReadString('\n')
	if err == nil && status == "0\n" {
		return nil
	}
	lines := bytes.SplitAfter(s.log(), []byte("\n"))
	return fmt.Errorf("%s failed (status %q, %v); log of the server:\n%s", command, status, err, bytes.Join(lines[max(0, len(lines)-20):], nil))
}

// run starts the server and returns when it accepts connections. It tries for a while: others may take its
// port first.
func (s *Server) run() (err error) {
	settings := []string{
		"listen_addresses=127.0.0.1", "unix_socket_directories='" + s.folder + "'",
		"dynamic_shared_memory_type=mmap", // a killed server leaves others behind
		"max_connections=200", "log_checkpoints=off", "timezone=UTC", "log_timezone=UTC",
		"fsync=off", "synchronous_commit=off", "full_page_writes=off",
	}
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if s.port, err = freePort(); err != nil {
			return err
		}
		if err = s.command(fmt.Sprintf("start -p %d -c %s", s.port, strings.Join(settings, " -c "))); err == nil {
			return nil
		}
	}
	return err
}

// freePort returns an unused port outside the range that the system assigns.
func freePort() (int, error) {
	var last error
	for range 100 {
		port := 10000 + mathrand.IntN(20000)
		listener, err := net.Listen("tcp", loopback(port))
		if err == nil {
			return port, listener.Close()
		}
		last = err
	}
	return 0, fmt.Errorf("look for a free port: %w", last)
}

func loopback(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }

// close stops the server and removes its folder.
func (s *Server) close() error {
	return errors.Join(s.commands.Close(), s.caretaker.Wait())
}

// Address returns the loopback address of the server: host and port.
func (s *Server) Address() string { return loopback(s.port) }

// Socket returns the folder of its Unix socket, which only root and the user who runs the server
// may use. The port is part of Address.
func (s *Server) Socket() string { return s.folder }

// super returns a pool of the superuser.
func (s *Server) super(t testing.TB) *sql.DB {
	t.Helper()
	return (&Database{Server: s, Name: "postgres"}).Open(t, Superuser)
}

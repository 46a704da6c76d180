package pgtest

import (
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
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
)

// Superuser is the login that may do anything, with a password like all others.
const Superuser = "postgres"

// Options configure a server.
type Options struct {
	// Fsync has the server wait for the disk at each commit, as real ones do.
	Fsync bool
}

// Server is a private server. It may be used by tests that run in parallel, as far as it is
// not stopped or killed.
type Server struct {
	bin, folder string
	port        int
	own         bool

	caretaker *exec.Cmd
	alive     io.WriteCloser // its standard input

	mu        sync.Mutex
	postgres  *os.Process // nil where it does not run
	ended     chan struct{}
	passwords map[string]string
	names     int // of databases and logins that were made
	templates map[string]*template
	watching  map[testing.TB]bool // tests that show the log if they fail
}

// shared is the server that the tests of this binary share.
var shared struct {
	once   sync.Once
	server *Server
	err    error
}

//go:embed caretaker.sh
var caretaker string

// Start returns the server that all tests of the binary share. It starts with the first
// call. When the test fails, it shows what the server has logged meanwhile.
func Start(t testing.TB) *Server {
	t.Helper()
	Require(t)
	shared.once.Do(func() { shared.server, shared.err = start(Options{}) })
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	shared.server.showLog(t)
	return shared.server
}

// Main runs the tests, and then stops the server that they shared. It returns the status
// with which the test binary has to exit.
func Main(m *testing.M) int {
	status := m.Run()
	shared.once.Do(func() {}) // what has not started is not started any more
	if shared.server == nil {
		return status
	}
	if err := shared.server.close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return max(status, 1)
	}
	return status
}

// StartOwn returns a server that belongs to this test alone, until its end.
func StartOwn(t testing.TB, options Options) *Server {
	t.Helper()
	Require(t)
	s, err := start(options)
	if err != nil {
		t.Fatal(err)
	}
	s.own = true
	t.Cleanup(func() {
		if err := s.close(); err != nil {
			t.Error(err)
		}
	})
	s.showLog(t)
	return s
}

// showLog shows what is logged from now on, if the test fails.
func (s *Server) showLog(t testing.TB) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.watching[t] {
		return
	}
	s.watching[t] = true
	begin := int64(0)
	if info, err := os.Stat(s.logFile()); err == nil && !s.own {
		begin = info.Size()
	}
	t.Cleanup(func() {
		s.mu.Lock()
		delete(s.watching, t)
		s.mu.Unlock()
		if !t.Failed() {
			return
		}
		if log, err := os.ReadFile(s.logFile()); err == nil {
			t.Logf("log of the server:\n%s", log[min(begin, int64(len(log))):])
		}
	})
}

func (s *Server) data() string    { return filepath.Join(s.folder, "data") }
func (s *Server) logFile() string { return filepath.Join(s.folder, "log") }

// start makes a data folder and starts a server on it.
func start(options Options) (*Server, error) {
	s := &Server{passwords: map[string]string{Superuser: rand.Text()}, templates: map[string]*template{}, watching: map[testing.TB]bool{}}
	var err error
	if s.bin, err = programs(); err != nil {
		return nil, err
	}
	if s.folder, err = newFolder(); err != nil {
		return nil, fmt.Errorf("make the folder of a server: %w", err)
	}
	// First of all who removes it.
	s.caretaker = newCaretaker(s.folder)
	if err := asOwner(s.caretaker, s.folder); err != nil {
		return nil, err
	}
	s.caretaker.Stderr = os.Stderr
	if s.alive, err = s.caretaker.StdinPipe(); err != nil {
		return nil, err
	}
	if err := s.caretaker.Start(); err != nil {
		return nil, fmt.Errorf("start the caretaker of a server: %w", err)
	}
	if err := s.initialise(options); err != nil {
		return nil, errors.Join(err, s.close())
	}
	// Others look for a port, too.
	for tries := 0; ; tries++ {
		if s.port, err = freePort(); err == nil {
			err = s.run()
		}
		if err == nil {
			return s, nil
		}
		if tries == 5 {
			return nil, errors.Join(err, s.close())
		}
	}
}

// initialise makes the data folder.
func (s *Server) initialise(options Options) error {
	if err := s.writePasswords(); err != nil {
		return err
	}
	first := filepath.Join(s.folder, "first")
	if err := os.WriteFile(first, []byte(s.passwords[Superuser]+"\n"), 0o644); err != nil { // in a folder that is closed to others
		return err
	}
	cmd := exec.Command(filepath.Join(s.bin, "initdb"), "-D", s.data(), "-U", Superuser, "-E", "UTF8", "--locale=C",
		"--auth=scram-sha-256", "--pwfile="+first, "--no-sync", "--no-instructions")
	if err := asOwner(cmd, s.folder); err != nil {
		return err
	}
	dieWithUs(cmd)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	settings := []string{
		"listen_addresses = '127.0.0.1'",
		"unix_socket_directories = '" + s.folder + "'",
		"dynamic_shared_memory_type = mmap", // else a killed server leaves it behind
		"max_connections = 200",
		"log_checkpoints = off",
		"timezone = UTC",
		"log_timezone = UTC",
	}
	if !options.Fsync {
		settings = append(settings, "fsync = off", "synchronous_commit = off", "full_page_writes = off")
	}
	conf, err := os.OpenFile(filepath.Join(s.data(), "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(conf, strings.Join(settings, "\n"))
	return errors.Join(err, conf.Close(), os.Remove(first))
}

// freePort returns an unused port, outside the range that the system gives to connections: it
// must stay free while the server is stopped.
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

// run starts the server and returns when it takes connections.
func (s *Server) run() error {
	log, err := os.OpenFile(s.logFile(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	cmd := exec.Command(filepath.Join(s.bin, "postgres"), "-D", s.data(), "-p", strconv.Itoa(s.port))
	cmd.Stdout, cmd.Stderr = log, log
	if err := asOwner(cmd, s.folder); err != nil {
		return err
	}
	dieWithUs(cmd)
	started, ended := make(chan error), make(chan struct{})
	go func() {
		runtime.LockOSThread() // the kernel takes its end for ours
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait() // how it ended is in its log
		}
		close(ended)
	}()
	if err := <-started; err != nil {
		return fmt.Errorf("start a server: %w", err)
	}
	s.postgres, s.ended = cmd.Process, ended
	if err := s.tellCaretaker(cmd.Process.Pid); err != nil {
		return err
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(2 * time.Millisecond) {
		select {
		case <-ended:
			s.postgres = nil
			return errors.Join(fmt.Errorf("the server ended at its start:\n%s", s.lastLog()), s.tellCaretaker(0))
		default:
		}
		if s.ready() {
			return nil
		}
		if time.Now().After(deadline) {
			return errors.Join(fmt.Errorf("the server did not come up within a minute:\n%s", s.lastLog()), s.end(quit))
		}
	}
}

// runAgain is run on the data of a server that was killed: the processes of its connections,
// killed as well, may end a moment later, and until then no other server starts.
func (s *Server) runAgain() error {
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		err := s.run()
		if err == nil || time.Now().After(deadline) || !strings.Contains(err.Error(), "shared memory block") {
			return err
		}
	}
}

// ready reports whether the server says that it is ready, in the first and eighth line of its file.
func (s *Server) ready() bool {
	src, err := os.ReadFile(filepath.Join(s.data(), "postmaster.pid"))
	if err != nil {
		return false
	}
	lines := strings.Split(string(src), "\n")
	return len(lines) > 7 && lines[0] == strconv.Itoa(s.postgres.Pid) && strings.TrimSpace(lines[7]) == "ready"
}

func (s *Server) lastLog() []byte {
	log, err := os.ReadFile(s.logFile())
	if err != nil {
		return []byte(err.Error())
	}
	lines := bytes.SplitAfter(log, []byte("\n"))
	return bytes.Join(lines[max(0, len(lines)-20):], nil)
}

func (s *Server) tellCaretaker(pid int) error {
	if _, err := fmt.Fprintln(s.alive, pid); err != nil {
		return fmt.Errorf("tell the caretaker of a server: %w", err)
	}
	return nil
}

// end has the server end, and waits until it has.
func (s *Server) end(how func(*os.Process) error) error {
	if s.postgres == nil {
		return nil
	}
	// It may be ending by itself.
	if err := how(s.postgres); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("end a server: %w", err)
	}
	select {
	case <-s.ended:
	case <-time.After(time.Minute):
		return errors.Join(fmt.Errorf("the server did not end within a minute:\n%s", s.lastLog()), s.postgres.Kill())
	}
	s.postgres = nil
	return s.tellCaretaker(0)
}

// close ends the server and removes its folder.
func (s *Server) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return errors.Join(s.end(quit), s.alive.Close(), s.caretaker.Wait())
}

// Kill ends the server as a crash does: its process and those of all connections are killed.
func (s *Server) Kill(t testing.TB) {
	t.Helper()
	s.change(t, func() error { return s.end(func(p *os.Process) error { return killAll(p.Pid) }) })
}

// Stop has the server end as usual. Open transactions are rolled back.
func (s *Server) Stop(t testing.TB) {
	t.Helper()
	s.change(t, func() error { return s.end(finish) })
}

// Restart starts a server that was killed or stopped, or stops it first. It has the address
// that it had.
func (s *Server) Restart(t testing.TB) {
	t.Helper()
	s.change(t, func() error { return errors.Join(s.end(finish), s.runAgain()) })
}

func (s *Server) change(t testing.TB, what func() error) {
	t.Helper()
	if !s.own {
		t.Fatal("other tests use this server, too: take one of StartOwn")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := what(); err != nil {
		t.Fatal(err)
	}
}

// running reports whether the server was neither killed nor stopped.
func (s *Server) running() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.postgres != nil
}

// Address is where the server listens on loopback: host and port.
func (s *Server) Address() string { return loopback(s.port) }

// Socket is the folder of its Unix socket, whose port is that of Address. It is open to the
// user who runs the server, and to root.
func (s *Server) Socket() string { return s.folder }

// super is for single commands of the superuser. It keeps no connection, which would not
// live through a crash.
func (s *Server) super(t testing.TB) *sql.DB {
	t.Helper()
	db := (&Database{Server: s, Name: "postgres"}).Open(t, Superuser)
	db.SetMaxIdleConns(0)
	return db
}

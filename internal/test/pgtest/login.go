package pgtest

import (
	"crypto/rand"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// Login makes a role that may log in with a password of its own, and returns its name: the
// given one with a number, since all databases of a server have the same roles.
func (s *Server) Login(t testing.TB, name string) (login string) {
	t.Helper()
	login, password := s.newName(name), rand.Text()
	// A password cannot be an argument; this one is of letters and digits.
	if _, err := s.super(t).Exec("create role " + quoted(login) + " login password '" + password + "'"); err != nil {
		t.Fatalf("make the login %s: %v", login, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.passwords[login] = password
	if err := s.writePasswords(); err != nil {
		t.Fatal(err)
	}
	return login
}

// newName is a name that no database and no login of the server has.
func (s *Server) newName(hint string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.names++
	return fmt.Sprintf("%s_%d", hint, s.names)
}

func quoted(name string) string { return pgx.Identifier{name}.Sanitize() }

// Passfile is the path of a file with the passwords of all logins, for any address: a proxy
// has another than the server. It changes with each login.
func (s *Server) Passfile() string { return filepath.Join(s.folder, "passwords") }

// Env is the environment that a program needs beside a URL to log in.
func (s *Server) Env() []string { return []string{"PGPASSFILE=" + s.Passfile()} }

// Password is the password of a login.
func (s *Server) Password(login string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.passwords[login]
}

// writePasswords writes the file anew. Others may be reading it.
func (s *Server) writePasswords() error {
	var all strings.Builder
	escape := strings.NewReplacer(`\`, `\\`, `:`, `\:`)
	for _, login := range slices.Sorted(maps.Keys(s.passwords)) {
		fmt.Fprintf(&all, "*:*:*:%s:%s\n", escape.Replace(login), s.passwords[login])
	}
	if err := os.WriteFile(s.Passfile()+".new", []byte(all.String()), 0o600); err != nil {
		return err
	}
	return os.Rename(s.Passfile()+".new", s.Passfile())
}

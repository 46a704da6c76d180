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

// Login creates a role with its own password, and returns its name: the given one with a number, for
// all databases of a server have the same roles.
func (s *Server) Login(t testing.TB, name string) (login string) {
	t.Helper()
	login, password := s.newName(name), rand.Text()
	// A password cannot be an argument; this one has only letters and digits.
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

// newName returns a name that no database or login of the server has.
func (s *Server) newName(hint string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.names++
	return fmt.Sprintf("%s_%d", hint, s.names)
}

func quoted(name string) string { return pgx.Identifier{name}.Sanitize() }

// Passfile returns the path of a file with the passwords of all logins, for any address. It changes
// with each login.
func (s *Server) Passfile() string { return filepath.Join(s.folder, "passwords") }

// Password returns the password of a login.
func (s *Server) Password(login string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.passwords[login]
}

// writePasswords replaces the file. Others may be reading it.
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

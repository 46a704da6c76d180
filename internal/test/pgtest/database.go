package pgtest

import (
	"database/sql"
	"net/url"
	"sync"
	"testing"
)

// Database is a database of a server.
type Database struct {
	Server *Server
	Name   string
}

// Database creates an empty database, which is dropped at the end of the test. Its name begins with
// the hint.
func (s *Server) Database(t testing.TB, hint string) *Database {
	t.Helper()
	return s.copyOf(t, "template1", hint)
}

// FromTemplate creates a database as Database does, with everything that prepare puts into it.
// Prepare runs once for each name of a template, with a URL of the superuser. Grants on the database
// as a whole are not copied.
func (s *Server) FromTemplate(t testing.TB, name string, prepare func(owner string) error, hint string) *Database {
	t.Helper()
	s.mu.Lock()
	if s.templates[name] == nil {
		s.templates[name] = sync.OnceValues(func() (string, error) { return s.prepare(t, name, prepare) })
	}
	template := s.templates[name]
	s.mu.Unlock()
	database, err := template()
	if err != nil {
		t.Fatalf("prepare the template %s: %v", name, err)
	}
	return s.copyOf(t, database, hint)
}

func (s *Server) prepare(t testing.TB, name string, prepare func(owner string) error) (string, error) {
	d := &Database{Server: s, Name: s.newName("template_" + name)}
	super := s.super(t)
	_, err := super.Exec("create database " + quoted(d.Name))
	if err == nil {
		err = prepare(d.URL(Superuser))
	}
	if err == nil { // a database with connections cannot be copied
		_, err = super.Exec("alter database " + quoted(d.Name) + " with allow_connections false")
	}
	return d.Name, err
}

func (s *Server) copyOf(t testing.TB, template, hint string) *Database {
	t.Helper()
	d := &Database{Server: s, Name: s.newName(hint)}
	super := s.super(t)
	// Copying files is faster than logging each page.
	if _, err := super.Exec("create database " + quoted(d.Name) + " template " + quoted(template) + " strategy file_copy"); err != nil {
		t.Fatalf("create the database %s: %v", d.Name, err)
	}
	t.Cleanup(func() {
		s.mu.Lock()
		running := s.running
		s.mu.Unlock()
		if !running {
			return // its databases go with it
		}
		if _, err := super.Exec("drop database if exists " + quoted(d.Name) + " with (force)"); err != nil {
			t.Errorf("drop the database %s: %v", d.Name, err)
		}
	})
	return d
}

// URL returns the URL of the database for a login, without the password: see Passfile.
func (d *Database) URL(login string) string { return d.URLAt(d.Server.Address(), login) }

// URLAt returns the URL with another address, such as that of a Proxy.
func (d *Database) URLAt(address, login string) string {
	u := url.URL{Scheme: "postgres", User: url.User(login), Host: address, Path: "/" + d.Name, RawQuery: "sslmode=disable"}
	return u.String()
}

// Open returns a connection pool of a login, which is closed at the end of the test.
func (d *Database) Open(t testing.TB, login string) *sql.DB {
	t.Helper()
	db, err := sql.Open("pgx", d.URL(login)+"&passfile="+url.QueryEscape(d.Server.Passfile()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Errorf("close the database %s: %v", d.Name, err)
		}
	})
	return db
}

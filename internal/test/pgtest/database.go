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

// Database makes an empty database, which is dropped at the end of the test. Its name
// begins with the hint.
func (s *Server) Database(t testing.TB, hint string) *Database {
	t.Helper()
	return s.copyOf(t, "template1", hint)
}

// template is a database that others are copied from.
type template struct {
	once sync.Once
	name string
	err  error
}

// FromTemplate makes a database as Database does, with everything in it that prepare puts
// there. Prepare runs once for each name of a template, with the URL of the superuser; the
// databases are copies of what it has made, except grants on a database as a whole.
func (s *Server) FromTemplate(t testing.TB, name string, prepare func(owner string) error, hint string) *Database {
	t.Helper()
	s.mu.Lock()
	one := s.templates[name]
	if one == nil {
		one = &template{}
		s.templates[name] = one
	}
	s.mu.Unlock()
	one.once.Do(func() {
		one.name = s.newName("template_" + name)
		one.err = s.prepare(t, one.name, prepare)
	})
	if one.err != nil {
		t.Fatalf("prepare the template %s: %v", name, one.err)
	}
	return s.copyOf(t, one.name, hint)
}

func (s *Server) prepare(t testing.TB, name string, prepare func(owner string) error) error {
	super := s.super(t)
	if _, err := super.Exec("create database " + quoted(name)); err != nil {
		return err
	}
	if err := prepare((&Database{Server: s, Name: name}).URL(Superuser)); err != nil {
		return err
	}
	// A database with connections cannot be copied.
	_, err := super.Exec("alter database " + quoted(name) + " with allow_connections false")
	return err
}

func (s *Server) copyOf(t testing.TB, template, hint string) *Database {
	t.Helper()
	d := &Database{Server: s, Name: s.newName(hint)}
	super := s.super(t)
	// To copy the files is faster than to write each page to the log.
	if _, err := super.Exec("create database " + quoted(d.Name) + " template " + quoted(template) + " strategy file_copy"); err != nil {
		t.Fatalf("make the database %s: %v", d.Name, err)
	}
	t.Cleanup(func() {
		if !s.running() {
			return // a server of its own, that goes with all its databases
		}
		if _, err := super.Exec("drop database if exists " + quoted(d.Name) + " with (force)"); err != nil {
			t.Errorf("drop the database %s: %v", d.Name, err)
		}
	})
	return d
}

// URL is how a login comes to the database. The password is not part of it: see Passfile.
func (d *Database) URL(login string) string { return d.URLAt(d.Server.Address(), login) }

// URLAt is URL with another address, which may be that of a Proxy.
func (d *Database) URLAt(address, login string) string {
	u := url.URL{Scheme: "postgres", User: url.User(login), Host: address, Path: "/" + d.Name, RawQuery: "sslmode=disable"}
	return u.String()
}

// Open is a connection pool of a login, which is closed at the end of the test.
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

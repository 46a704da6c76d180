package pgtest

import (
	"database/sql"
	"net/url"
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
	d := &Database{Server: s, Name: s.newName(hint)}
	super := s.super(t)
	if _, err := super.Exec("create database " + quoted(d.Name)); err != nil {
		t.Fatalf("create the database %s: %v", d.Name, err)
	}
	t.Cleanup(func() {
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

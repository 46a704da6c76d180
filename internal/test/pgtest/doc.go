// Package pgtest starts private PostgreSQL servers. Only tests import it.
//
// A server listens on a port of loopback and on a socket, has its own data, and requires a password of
// everybody. Start returns the same server to all tests of a binary; each test has its own databases and
// logins. TestMain must end with the status of Main:
//
//	server := pgtest.Start(t)
//	member := server.Login(t, "ann")
//	db := server.Database(t, "store").Open(t, member)
//
// A Proxy simulates a failing network.
//
// No server and no file of one outlives the test binary: a shell script, caretaker.sh, waits for the end of
// the binary, however that ends.
package pgtest

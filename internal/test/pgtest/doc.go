// Package pgtest starts private PostgreSQL servers for tests. It is imported by tests only.
//
// A server listens on a port of loopback and on a socket, has a data folder of its own, and
// asks everybody for a password. Start gives all tests of a binary the same one, in which
// each test has databases and logins of its own; their TestMain ends with the status of Main:
//
//	server := pgtest.Start(t)
//	member := server.Login(t, "ann")
//	db := server.Database(t, "store").Open(t, member)
//
// A test that kills or stops a server starts one of its own with StartOwn. A Proxy stands
// for a network that fails.
//
// No server outlives the test binary, however that ends, and no file of one is left: Main
// stops what the tests started; where there is none, or the binary is killed, a process that
// waits for the end of the binary does so a moment later.
package pgtest

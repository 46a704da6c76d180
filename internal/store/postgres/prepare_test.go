package postgres_test

import (
	"bytes"
	"net"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/store/postgres"
)

// A statement is prepared at its third run, but not if a pooler answers for the server.
func TestStatementsArePrepared(t *testing.T) {
	db := database(t)
	login := db.Server.Login(t, "ann")
	for name, c := range map[string]struct {
		address  string
		prepared int
	}{
		"server": {db.Server.Address(), 2},
		"pooler": {pooler(t, db.Server.Address()), 0},
	} {
		t.Run(name, func(t *testing.T) {
			conn, err := postgres.Connect(db.URLAt(c.address, login))
			require.NoError(t, err)
			t.Cleanup(func() { conn.Close() })
			conn.SetMaxOpenConns(1)
			count := func() (n int) {
				require.NoError(t, conn.QueryRow(`SELECT count(*) FROM pg_prepared_statements`).Scan(&n))
				return n
			}
			for run := range 5 {
				if run < 3 {
					require.Zero(t, count())
				}
				var n int
				require.NoError(t, conn.QueryRow(`SELECT $1::integer + 1`, run).Scan(&n))
				require.Equal(t, run+1, n)
				tx, err := conn.Begin()
				require.NoError(t, err)
				_, err = tx.Exec(`SELECT set_config('whence.test', $1, true)`, "sent with the next query")
				require.NoError(t, err)
				var text string
				require.NoError(t, tx.QueryRow(`SELECT current_setting('whence.test')`).Scan(&text))
				require.Equal(t, "sent with the next query", text)
				require.NoError(t, tx.Commit())
			}
			require.Equal(t, c.prepared, count())
		})
	}
}

// pooler forwards connections to a server. It tells clients another number of the server's process, as
// poolers do.
func pooler(t *testing.T, server string) (address string) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { listener.Close() })
	forward := func(to, from net.Conn, change func([]byte)) {
		defer to.Close()
		buf := make([]byte, 1<<16)
		for {
			n, err := from.Read(buf)
			change(buf[:n])
			if _, failed := to.Write(buf[:n]); failed != nil || err != nil {
				return
			}
		}
	}
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			upstream, err := net.Dial("tcp", server)
			if err != nil {
				client.Close()
				return
			}
			go forward(upstream, client, func([]byte) {})
			go forward(client, upstream, func(b []byte) {
				if i := bytes.Index(b, []byte("K\x00\x00\x00\x0c")); i >= 0 && i+9 <= len(b) { // BackendKeyData
					copy(b[i+5:], []byte{0, 0, 0, 1})
				}
			})
		}
	}()
	return listener.Addr().String()
}

package pgtest_test

import (
	"bufio"
	"io"
	"net"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/test/pgtest"
)

// echo answers each line with itself, and reports it on a channel.
func echo(t *testing.T) (address string, came chan string) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	came = make(chan string, 100)
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				lines := bufio.NewReader(conn)
				for {
					line, err := lines.ReadString('\n')
					if err != nil {
						return
					}
					came <- line
					if _, err := io.WriteString(conn, line); err != nil {
						return
					}
				}
			}()
		}
	}()
	return listener.Addr().String(), came
}

func dial(t *testing.T, p *pgtest.Proxy) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", p.Address())
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	return conn
}

func send(t *testing.T, conn net.Conn, line string) {
	t.Helper()
	_, err := io.WriteString(conn, line)
	require.NoError(t, err)
}

func requireAnswer(t *testing.T, conn net.Conn, line string) {
	t.Helper()
	got := make([]byte, len(line))
	_, err := io.ReadFull(conn, got)
	require.NoError(t, err)
	require.Equal(t, line, string(got))
}

func TestProxyForwards(t *testing.T) {
	address, _ := echo(t)
	p := pgtest.NewProxy(t, address)
	for range 3 {
		conn := dial(t, p)
		send(t, conn, "word\n")
		requireAnswer(t, conn, "word\n")
	}
	require.Equal(t, 3, p.Taken())
}

func TestProxyCut(t *testing.T) {
	address, _ := echo(t)
	p := pgtest.NewProxy(t, address)
	conn := dial(t, p)
	send(t, conn, "word\n")
	requireAnswer(t, conn, "word\n")
	p.Cut()
	p.Cut()
	_, err := conn.Read(make([]byte, 1))
	require.Error(t, err)
	_, err = net.Dial("tcp", p.Address())
	require.Error(t, err)
	p.Heal(t)
	p.Heal(t)
	conn = dial(t, p)
	send(t, conn, "again\n")
	requireAnswer(t, conn, "again\n")
}

func TestProxyHang(t *testing.T) {
	address, came := echo(t)
	p := pgtest.NewProxy(t, address)
	before := dial(t, p)
	send(t, before, "before\n")
	requireAnswer(t, before, "before\n")
	require.Equal(t, "before\n", <-came)

	p.Hang()
	p.Hang()
	after := dial(t, p)
	send(t, before, "first\n")
	send(t, after, "second\n")
	for _, conn := range []net.Conn{before, after} {
		require.NoError(t, conn.SetReadDeadline(time.Now().Add(20*time.Millisecond)))
		_, err := conn.Read(make([]byte, 1))
		require.ErrorIs(t, err, os.ErrDeadlineExceeded)
		require.NoError(t, conn.SetReadDeadline(time.Time{}))
	}
	require.Empty(t, came)

	p.Heal(t)
	requireAnswer(t, before, "first\n")
	requireAnswer(t, after, "second\n")

	p.Hang()
	send(t, before, "lost\n")
	p.Cut()
	_, err := before.Read(make([]byte, 1))
	require.Error(t, err)
}

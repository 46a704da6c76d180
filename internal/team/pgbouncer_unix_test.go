//go:build unix

package team

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/store"
	"whence/internal/test/repotest"
)

// Clients may reach the server through pgbouncer, in transaction mode.
func TestPgbouncer(t *testing.T) {
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		repotest.Missing(t, "postgres", "pgbouncer is not installed")
	}
	o := newOffice(t)
	ann, bea := o.member(t, o.Address()), o.member(t, o.Address())
	dir, err := os.MkdirTemp("/tmp", "pgbouncer-")
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	host, port, _ := strings.Cut(o.Address(), ":")
	free, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	_, listen, _ := strings.Cut(free.Addr().String(), ":")
	require.NoError(t, free.Close())
	users := fmt.Sprintf("%q %q\n%q %q\n", ann.login, o.Password, bea.login, o.Password)
	settings := fmt.Sprintf("[databases]\n* = host=%s port=%s\n[pgbouncer]\nlisten_addr=127.0.0.1\nlisten_port=%s\nunix_socket_dir=\npool_mode=transaction\n"+
		"auth_type=scram-sha-256\nauth_file=%s/users\ndefault_pool_size=2\n", host, port, listen, dir)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "users"), []byte(users), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "settings"), []byte(settings), 0o600))
	cmd := exec.Command(program, filepath.Join(dir, "settings"))
	if os.Getuid() == 0 { // it does not run as root
		as, err := user.Lookup("postgres")
		require.NoError(t, err)
		uid, err := strconv.Atoi(as.Uid)
		require.NoError(t, err)
		for _, name := range []string{"", "users", "settings"} {
			require.NoError(t, os.Chown(filepath.Join(dir, name), uid, -1))
		}
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}}
	}
	var log strings.Builder
	cmd.Stderr = &log
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // killed
	})
	for _, m := range []*member{ann, bea} {
		m.team.URL = o.at("127.0.0.1:"+listen, m.login)
		require.NoError(t, m.Join(context.Background(), m.team))
	}
	ann.add("The booking table is locked while the harbour imports tides")
	team := o.turns(t, ann, store.Turn{UUID: "u", Session: "s1", Role: "user", Kind: "prompt", Text: "why is it locked", At: ann.now})
	require.Eventually(t, func() bool { return ann.sync() == "" }, 10*time.Second, 50*time.Millisecond, "%s", &log)
	require.Empty(t, bea.sync())
	require.Equal(t, ann.learnings(), bea.learnings())
	team.URL = ann.team.URL
	hits, err := Search(t.Context(), team, "locked", 3)
	require.NoError(t, err)
	require.Len(t, hits, 1)
}

package mcp_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/test/repotest"
)

// A server asks for vectors by processes of their own. None of them stays behind dead,
// and an endpoint that fails does no harm.
func TestNoDeadProcesses(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("this system does not list processes in /proc")
	}
	var asked atomic.Int32
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		http.Error(w, "no", http.StatusTeapot)
	}))
	defer endpoint.Close()
	program := repotest.Build(t, t.TempDir(), "whence/remember/memory-remember")
	p := newPlace(t, "")
	cmd := exec.Command(program, "serve")
	cmd.Dir = p.dir
	require.NoError(t, os.WriteFile(filepath.Join(p.vars["WHENCE_HOME"], config.UserFile), []byte("memory_embedding_url: "+endpoint.URL+"\nmemory_embedding_model: m\n"), 0o600))
	cmd.Env = append(os.Environ(), "WHENCE_HOME="+p.vars["WHENCE_HOME"])
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	defer cmd.Wait()
	defer in.Close()
	reader := bufio.NewReader(out)
	say := func(line string) string {
		_, err := io.WriteString(in, line+"\n")
		require.NoError(t, err)
		answer, err := reader.ReadString('\n')
		require.NoError(t, err)
		return answer
	}
	say(initialize)
	_, err = io.WriteString(in, initialized+"\n")
	require.NoError(t, err)
	for i, text := range others[:3] {
		require.Contains(t, say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"store_memory","arguments":{"name":"N","description":%q,"reasoning":"r","category":"patterns","approved":true}}}`, i+2, text)), "Stored: ")
	}
	require.Contains(t, say(search(9)), "searched by words alone")
	require.Eventually(t, func() bool { return asked.Load() >= 2 && children(t, cmd.Process.Pid) == 0 }, 5*time.Minute, 20*time.Millisecond)
}

// children counts the processes that a process has started and that are still listed,
// dead or alive.
func children(t *testing.T, parent int) (n int) {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has just ended
		}
		_, rest, _ := strings.Cut(string(text), ") ")
		if fields := strings.Fields(rest); len(fields) > 1 && fields[1] == fmt.Sprint(parent) {
			n++
		}
	}
	return n
}

package mcp_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
	"whence/remember"
)

const (
	initialize  = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	listTools   = `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`
)

// search is a call of search_memory.
func search(id int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"search_memory","arguments":{"query":"the deploy job"}}}`, id)
}

// message is what a server writes.
type message struct {
	JSONRPC string `json:"jsonrpc"`
	ID      any    `json:"id"`
	Result  *struct {
		ProtocolVersion   string
		SupportedVersions []string
		Tools             []any
		Content           []any
	} `json:"result"`
	Error *struct {
		Code    int
		Message string
	} `json:"error"`
}

// talk has a server read all lines, and then the end, and returns what it wrote: only
// messages, one per line.
func talk(t *testing.T, lines ...string) []message {
	t.Helper()
	signal.Notify(make(chan os.Signal, 1), os.Interrupt) // what the first call starts must not be in a bubble
	var out, problems strings.Builder
	in := strings.NewReader(strings.Join(lines, "\n") + "\n")
	synctest.Test(t, func(t *testing.T) { // in which the clock goes on while all wait
		begun := time.Now()
		require.Equal(t, 0, remember.Main(newPlace(t, "").env(in, &out, &problems, "serve"), parts()))
		require.Zero(t, time.Since(begun), "something waits for its end")
	})
	require.Empty(t, problems.String())
	var all []message
	for line := range strings.Lines(out.String()) {
		var m message
		require.NoError(t, json.Unmarshal([]byte(line), &m), line)
		require.Equal(t, "2.0", m.JSONRPC)
		require.NotEqual(t, m.Result == nil, m.Error == nil, line)
		all = append(all, m)
	}
	return all
}

// A client that writes all calls, closes its end and then reads gets all answers.
func TestCallsBeforeTheEnd(t *testing.T) {
	lines := []string{initialize, initialized, listTools}
	for id := 3; id < 23; id++ {
		lines = append(lines, search(id))
	}
	answers := map[any]bool{}
	for _, m := range talk(t, lines...) {
		require.Nil(t, m.Error)
		answers[m.ID] = true
	}
	require.Len(t, answers, 22)
	require.Empty(t, talk(t))
	require.Len(t, talk(t, initialize), 1)
}

func TestOldAndNewClients(t *testing.T) {
	for _, version := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"} {
		require.Equal(t, version, talk(t, strings.Replace(initialize, "2025-11-25", version, 1))[0].Result.ProtocolVersion)
	}
	// A client of the latest revision says what it is with each call, and never initializes.
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
	all := talk(t, `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{`+meta+`}}`, `{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{`+meta+`}}`)
	require.Len(t, all, 2)
	for _, m := range all {
		require.Nil(t, m.Error)
		if m.ID == 2.0 {
			require.Len(t, m.Result.Tools, 4)
		} else {
			require.Contains(t, m.Result.SupportedVersions, "2026-07-28")
		}
	}
}

func TestToolsBeforeInitialize(t *testing.T) {
	all := talk(t, listTools, search(3))
	require.Len(t, all, 2)
	for _, m := range all {
		require.NotNil(t, m.Error)
		require.Equal(t, jsonrpc.CodeInvalidRequest, m.Error.Code)
	}
}

// The program itself, as an agent starts and ends it.
func TestProcess(t *testing.T) {
	program := repotest.Build(t, t.TempDir(), "whence/remember/memory-remember")
	p := newPlace(t, "")
	for name, end := range map[string]func(*exec.Cmd, io.Closer) error{
		"EOF":  func(_ *exec.Cmd, in io.Closer) error { return in.Close() },
		"TERM": func(c *exec.Cmd, _ io.Closer) error { return c.Process.Signal(syscall.SIGTERM) },
		"INT":  func(c *exec.Cmd, _ io.Closer) error { return c.Process.Signal(os.Interrupt) },
	} {
		if name != "EOF" && runtime.GOOS == "windows" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command(program, "serve")
			cmd.Dir = p.dir
			cmd.Env = append(os.Environ(), "WHENCE_HOME="+p.vars["WHENCE_HOME"], "CLAUDE_CODE_SESSION_ID=one")
			var problems strings.Builder
			cmd.Stderr = &problems
			in, err := cmd.StdinPipe()
			require.NoError(t, err)
			out, err := cmd.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, cmd.Start())
			reader := bufio.NewReader(out)
			for id, line := range []string{initialize, search(2)} {
				_, err = io.WriteString(in, line+"\n")
				require.NoError(t, err)
				answer, err := reader.ReadString('\n')
				require.NoError(t, err)
				require.Contains(t, answer, fmt.Sprintf(`"id":%d`, id+1))
				if id == 0 {
					_, err = io.WriteString(in, initialized+"\n")
					require.NoError(t, err)
				}
			}
			require.NoError(t, end(cmd, in))
			rest, err := io.ReadAll(reader)
			require.NoError(t, err)
			require.Empty(t, rest)
			require.NoError(t, cmd.Wait(), problems.String())
			require.Empty(t, problems.String())
		})
	}
}

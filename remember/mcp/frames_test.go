package mcp_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/stretchr/testify/require"

	"whence/remember"
)

// raw has a server read a text, and returns the lines that it wrote.
func raw(t *testing.T, text string) []string {
	t.Helper()
	var out, problems strings.Builder
	require.Equal(t, 0, remember.Main(newPlace(t, "").env(strings.NewReader(text), &out, &problems, "serve"), parts()), problems.String())
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

// A line that is not a message is answered with an error, and the next one is answered.
func TestLinesThatAreNoMessages(t *testing.T) {
	call := func(fields string) string { return `{"jsonrpc":"2.0",` + fields + `}` }
	bad := []struct {
		line string
		id   string
		code int
	}{
		{"{bad", "null", jsonrpc.CodeParseError},
		{"\uFEFF" + listTools, "null", jsonrpc.CodeParseError},
		{listTools[:20], "null", jsonrpc.CodeParseError},
		{listTools + " " + listTools, "null", jsonrpc.CodeParseError},
		{"\xff\xfe", "null", jsonrpc.CodeParseError},
		{"42", "null", jsonrpc.CodeInvalidRequest},
		{"null", "null", jsonrpc.CodeInvalidRequest},
		{`"text"`, "null", jsonrpc.CodeInvalidRequest},
		{"[]", "null", jsonrpc.CodeInvalidRequest},
		{"[" + listTools + "]", "null", jsonrpc.CodeInvalidRequest},
		{"{}", "null", jsonrpc.CodeInvalidRequest},
		{`{"id":7,"method":"tools/list"}`, "null", jsonrpc.CodeInvalidRequest},
		{`{"jsonrpc":"1.0","id":7,"method":"tools/list"}`, "null", jsonrpc.CodeInvalidRequest},
		{call(`"id":"a","method":5`), "null", jsonrpc.CodeInvalidRequest},
		{call(`"id":{},"method":"tools/list"`), "null", jsonrpc.CodeInvalidRequest},
		{call(`"id":7,"method":"tools/list","params":[1]`), "7", jsonrpc.CodeInvalidParams},
		{call(`"id":7,"method":"tools/list","params":"x"`), "7", jsonrpc.CodeInvalidParams},
		{`{"jsonrpc":"2.0","id":7,"x":"` + strings.Repeat("x", 5<<20) + `"}`, "null", jsonrpc.CodeInvalidRequest},
	}
	for i, b := range bad {
		lines := raw(t, initialize+"\n"+initialized+"\n"+b.line+"\n"+strings.Replace(listTools, `"id":2`, `"id":99`, 1)+"\n")
		var refused, answered bool
		for _, line := range lines {
			var m struct {
				ID    json.RawMessage
				Error struct{ Code int }
			}
			require.NoError(t, json.Unmarshal([]byte(line), &m), "%d: %s", i, line)
			refused = refused || m.Error.Code == b.code && string(m.ID) == b.id
			answered = answered || string(m.ID) == "99" && m.Error.Code == 0
		}
		require.True(t, refused, "%d: %.80s\n%s", i, b.line, lines)
		require.True(t, answered, "%d: %.80s\n%s", i, b.line, lines)
	}
}

// Whatever bytes a line has, the next one is answered.
func TestRandomLines(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	text.WriteString(initialize + "\n" + initialized + "\n")
	const calls = 200
	for i := range calls {
		line := []byte(listTools)
		for range 1 + random.IntN(4) {
			line[random.IntN(len(line))] = "{}[]\",:0a\\\x00\xff"[random.IntN(12)]
		}
		fmt.Fprintf(&text, "%s\n%s\n", line, strings.Replace(listTools, `"id":2`, fmt.Sprintf(`"id":"call %d"`, i), 1))
	}
	lines := strings.Join(raw(t, text.String()), "\n")
	for i := range calls {
		require.Contains(t, lines, fmt.Sprintf(`"id":"call %d"`, i))
	}
}

// An id comes back as it was sent.
func TestIDsAreExact(t *testing.T) {
	for _, id := range []string{"0", "-3", `"x"`, `""`} {
		lines := raw(t, initialize+"\n"+initialized+"\n"+strings.Replace(listTools, `"id":2`, `"id":`+id, 1)+"\n")
		require.Contains(t, strings.Join(lines, "\n"), `"id":`+id+`,`, id)
	}
}

package agent_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tailscale/hujson"

	"whence/internal/agent"
)

// oddServers are files of MCP servers as people and programs leave them; @ is the name of the list.
var oddServers = map[string]string{
	"none":              "{\n  \"@\": {}\n}\n",
	"none, lines":       "{\n  \"@\": {\n  }\n}\n",
	"none, blank":       `{"@": { }}`,
	"others":            "{\n  \"@\": {\n    \"x\": {\n      \"command\": \"y\",\n      \"args\": []\n    }\n  },\n  \"a\": 1\n}\n",
	"others, Windows":   "{\r\n\t\"@\": {\r\n\t\t\"x\": {\"command\": \"y\"}\r\n\t}\r\n}\r\n",
	"others, one line":  `{"@": {"x": {"command": "y"}}}`,
	"others, minified":  `{"@":{"x":{"command":"y"}},"a":1}`,
	"two lists":         "{\n  \"@\": {\"x\": {}},\n  \"@\": {\n  }\n}\n",
	"odd entries":       `{"@": {"x": null, "y": 1, "": [], "Memory": {"command": "memory-remember"}}}`,
	"escaped name":      "{\"a\": 1, \"\\u0040\": 2}",
	"of the other list": `{"mcp": {"x": {}}, "mcpServers": {"x": {}}}`,
}

// oddServersWithComments are those of agents that take comments, and a comma after a last element.
var oddServersWithComments = map[string]string{
	"note behind":       "{\n  \"@\": {\n    \"x\": {} // note\n  }\n}\n",
	"comma":             "{\n  \"@\": {\n    \"x\": {},\n  },\n}\n",
	"comma, one line":   `{"@": {"x": {},},}`,
	"comma, none":       "{\n  \"a\": 1,\n}\n",
	"comma, note":       "{\n  \"@\": {\n    \"x\": {}, // note\n    // more\n  }, /* end */\n}\n",
	"comma, then note":  "{\"@\": {\"x\": {} /* a */, /* b */} /* c */, // d\n}",
	"comma, line break": "{\"@\": {\"x\": {}, // d\n}}",
	"comma, Windows":    "{\r\n  \"@\": {\r\n    \"x\": {},\r\n  },\r\n}\r\n",
	"note in none":      "{\n  \"@\": { /* none */ } // yet\n}\n",
}

// oddTOML are settings files of Codex.
var oddTOML = map[string]string{
	"blank":                  "",
	"blank lines":            "\n\n",
	"byte-order mark":        "\uFEFFmodel = \"x\"\n",
	"byte-order mark alone":  "\uFEFF",
	"Windows":                "model = \"x\"\r\n[tui]\r\nnotifications = true\r\n",
	"Windows, no line end":   "model = \"x\"\r\n[tui]\r\nnotifications = true",
	"mixed line ends":        "model = \"x\"\r\n[tui]\nnotifications = true\n",
	"mixed, the other way":   "model = \"x\"\n[tui]\r\nnotifications = true\r\n",
	"no final line end":      "model = \"x\"",
	"several line ends":      "model = \"x\"\n\n\n",
	"comments":               "# mine\nmodel = \"x\" # note\n# [mcp_servers.memory]\n",
	"comment, no line end":   "model = \"x\"\n# end",
	"indented":               "  model = \"x\"\n  [tui]\n    notifications = true\n",
	"dotted keys":            "mcp_servers.x.command = \"c\"\ntui . notifications=true\n",
	"quoted keys":            "\"mcp_servers\".'x y'.command = \"c\"\n'' = 1\n\"\\u0061\\U00000062\" = 2\n",
	"others":                 "[mcp_servers.x]\ncommand = \"c\"\nargs = [\n  \"a\", # ]\n  \"b\",\n]\n\n[mcp_servers.x.env]\nA = \"1\"\n",
	"others in one table":    "[mcp_servers]\nx = {command = \"c\", args = [\"}\"]}\ny.command = \"d\"\n",
	"others by dots":         "[mcp_servers.x]\ncommand = \"c\"\n[mcp_servers.x.tools.memory]\napproval_mode = \"approve\"\n",
	"in a string":            "x = \"\"\"\n[mcp_servers.memory]\ncommand = \"memory-remember\"\n\"\"\"\n",
	"in a literal string":    "x = '''\n[mcp_servers.memory]\n\\'''\ny = 1\n",
	"quotes at the end":      "x = \"\"\"a\"\"\"\"\"\ny = '''b'''''\nz = \"\"\"\\\"\"\"\"\n",
	"brackets in strings":    "x = [\"]\", ']', '''\n]''', {a = \"}\"}]\n",
	"hashes in strings":      "x = \"#\" # \"\ny = '#' # '\n",
	"dates and numbers":      "a = 1979-05-27 07:32:00 # x\nb = 1_000\nc = -inf\nd = 0xff\n",
	"tables of a list":       "[[x]]\na = 1\n[[x]]\n[[x.y]]\nb = 2\n",
	"projects":               "[projects.\"/work/a.b\"]\ntrust_level = \"trusted\"\n",
	"nested":                 "x = " + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + "\n",
	"a table of that name":   "[memory]\ncommand = \"memory-remember\"\n[x.mcp_servers.memory]\na = 1\n",
	"Hungarian and Japanese": "x = \"árvíztűrő\" # 日本語\n",
	"huge":                   strings.Repeat("# mine\n", 200000),
}

// oddServersFor are files of MCP servers for an agent.
func oddServersFor(c agent.Client) map[string]string {
	if c == agent.Codex {
		return oddTOML
	}
	all := map[string]string{}
	maps.Copy(all, odd)
	takesComments := c != agent.Claude
	maps.Copy(all, oddServers)
	if takesComments {
		for name, text := range withComments {
			all["comments: "+name] = text
		}
	}
	if takesComments && c != agent.Gemini {
		for name, text := range oddServersWithComments {
			all["commas: "+name] = text
		}
	}
	for name, text := range all {
		all[name] = strings.ReplaceAll(text, "@", listName(c))
	}
	if testing.Short() || c != agent.Claude {
		delete(all, "huge")
	}
	return all
}

func listName(c agent.Client) string {
	if c == agent.OpenCode {
		return "mcp"
	}
	return "mcpServers"
}

// To add and to remove a server gives the bytes back, whatever the file is like; in between it holds the
// server and what was there, and to add it once more changes nothing.
func TestAddServerAndBack(t *testing.T) {
	for _, c := range agent.Clients {
		files := oddServersFor(c)
		require.Greater(t, len(files), 20)
		for name, text := range files {
			t.Run(string(c)+"/"+name, func(t *testing.T) { addServerAndBack(t, c, text) })
		}
	}
}

func addServerAndBack(t *testing.T, c agent.Client, text string) {
	for _, program := range []string{"memory-remember", `/opt/my "tools" \&<é>/memory-remember`} {
		src, err := c.AddServer([]byte(text), program)
		require.NoError(t, err)
		entry, err := c.Server(src)
		require.NoError(t, err, "%.2000s", src)
		require.Equal(t, agent.ServerEntry{Exists: true, IsOurs: true, Program: program}, entry, "%.2000s", src)
		require.True(t, c.ListsServer(src))
		again, err := c.AddServer(src, program)
		require.NoError(t, err)
		require.Equal(t, string(src), string(again), "adding twice")
		holdsBoth(t, c, text, string(src))

		moved, err := c.AddServer(src, "/elsewhere/memory-remember")
		require.NoError(t, err)
		back, err := c.AddServer(moved, program)
		require.NoError(t, err)
		require.Equal(t, string(src), string(back), "by way of another path")

		back, err = c.RemoveServer(src)
		require.NoError(t, err)
		require.Equal(t, text, string(back), "from %.2000s", src)
		none, err := c.RemoveServer([]byte(text))
		require.NoError(t, err)
		require.Equal(t, text, string(none), "there is nothing of ours")
	}
}

// holdsBoth tests that a file holds a server, and everything that was there.
func holdsBoth(t *testing.T, c agent.Client, before, after string) {
	if c == agent.Codex {
		require.True(t, strings.HasPrefix(after, before)) // see TestTOMLIsValid
		return
	}
	read := func(text string) (all map[string]any) {
		src := bytes.TrimPrefix([]byte(text), []byte("\uFEFF"))
		if len(bytes.TrimSpace(src)) == 0 {
			return map[string]any{}
		}
		src, err := hujson.Standardize(append(src, '\n'))
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(src, &all))
		return all
	}
	had, has := read(before), read(after)
	if len(had) == 0 {
		delete(has, "$schema") // of a new file
	}
	list := has[listName(c)].(map[string]any)
	server := list["memory"].(map[string]any)
	require.Contains(t, server, "command")
	delete(list, "memory")
	if _, found := had[listName(c)]; !found {
		had[listName(c)] = map[string]any{}
	}
	require.Equal(t, had, has)
}

// Another parser of TOML reads the same from the files with a server as from those without it, except
// the server.
func TestTOMLIsValid(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil || exec.Command(python, "-c", "import tomllib").Run() != nil {
		t.Skip("there is no python3 with tomllib")
	}
	files := map[string][2]string{}
	for name, text := range oddTOML {
		if name == "nested" { // too deep for that parser
			continue
		}
		after, err := agent.Codex.AddServer([]byte(text), `C:\a "b"\memory-remember`)
		require.NoError(t, err)
		files[name] = [2]string{strings.TrimPrefix(text, "\uFEFF"), strings.TrimPrefix(string(after), "\uFEFF")}
	}
	input, err := json.Marshal(files)
	require.NoError(t, err)
	cmd := exec.Command(python, "-c", `
import json, sys, tomllib
for name, (before, after) in json.load(sys.stdin).items():
    had, has = tomllib.loads(before), tomllib.loads(after)
    had.setdefault("mcp_servers", {})["memory"] = {"command": 'C:\\a "b"\\memory-remember', "args": ["serve"]}
    assert repr(had) == repr(has), name
`)
	cmd.Stdin = bytes.NewReader(input)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// An entry of that name that says anything else is the user's, and stays.
func TestServerOfTheUser(t *testing.T) {
	for _, test := range []struct {
		client agent.Client
		text   string
	}{
		{agent.Claude, `{"mcpServers": {"memory": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-memory"]}}}`},
		{agent.Claude, `{"mcpServers": {"memory": {"type": "stdio", "command": "memory-remember", "args": ["serve", "--repo", "x"]}}}`},
		{agent.Claude, `{"mcpServers": {"memory": {"type": "stdio", "command": "memory-remember", "args": ["serve"], "env": {"WHENCE_HOME": "/x"}}}}`},
		{agent.Claude, `{"mcpServers": {"memory": null}}`},
		{agent.Gemini, `{"mcpServers": {"memory": {"command": "memory-remember", "args": ["serve"], "trust": true}}}`},
		{agent.Copilot, `{"mcpServers": {"memory": {"type": "local", "command": "memory-remember", "args": ["serve"], "tools": ["when"]}}}`},
		{agent.OpenCode, `{"mcp": {"memory": {"type": "local", "command": ["memory-remember", "serve"], "enabled": false}}}`},
		{agent.Codex, "[mcp_servers.memory]\nurl = \"https://memory.example\"\n"},
		{agent.Codex, "[mcp_servers.memory]\ncommand = \"memory-remember\"\nargs = [\"serve\"]\nenabled = false\n"},
		{agent.Codex, "[mcp_servers.memory]\ncommand = \"memory-remember\"\nargs = [\"serve\"]\n[tui]\n[mcp_servers.memory.tools.when]\napproval_mode = \"approve\"\n"},
		{agent.Codex, "[mcp_servers]\nmemory = {command = \"memory-remember\", args = [\"serve\"]}\n"},
		{agent.Codex, "[mcp_servers]\n'memory'.command = \"memory-remember\"\nmemory.args = [\"serve\"]\n"},
		{agent.Codex, "[\"mcp_servers\" . \"m\\u0065mory\"] # x\ncommand = \"x\"\n"},
	} {
		entry, err := test.client.Server([]byte(test.text))
		require.NoError(t, err)
		require.True(t, entry.Exists && !entry.IsOurs, test.text)
		after, err := test.client.AddServer([]byte(test.text), "memory-remember")
		require.NoError(t, err)
		require.Equal(t, test.text, string(after))
		after, err = test.client.RemoveServer([]byte(test.text))
		require.NoError(t, err)
		require.Equal(t, test.text, string(after))
	}
}

// Our entry is removed although the agent has written it anew, or others follow it.
func TestRemoveServerBesideOthers(t *testing.T) {
	for _, test := range []struct {
		client     agent.Client
		text, want string
	}{
		{agent.Copilot, `{"mcpServers": {"memory": {"tools": ["*"], "type": "local", "command": "/a/memory-remember", "args": ["serve"]}, "x": {}}}`, `{"mcpServers": { "x": {}}}`},
		{agent.Codex, "model = 1\n\n[mcp_servers.memory]\nargs = [ 'serve' ]\n", "model = 1\n\n[mcp_servers.memory]\nargs = [ 'serve' ]\n"},
		{agent.Codex, "a = 1\n\n[mcp_servers.memory]\nargs = [ \"serve\" ]\ncommand = '/a/memory-remember' # ours\n\n[tui]\nx = 1\n", "a = 1\n\n[tui]\nx = 1\n"},
		{agent.Codex, "a = 1\n[mcp_servers.memory]\ncommand = \"memory-remember\"\nargs = [\"serve\"]\n[tui]\n", "a = 1\n[tui]\n"},
		{agent.Codex, "  [mcp_servers.memory]\n  command = \"memory-remember\"\n  args = [\"serve\"]\n# end\n", "  # end\n"},
	} {
		after, err := test.client.RemoveServer([]byte(test.text))
		require.NoError(t, err)
		require.Equal(t, test.want, string(after))
	}
}

// A file to which nothing can be added is refused.
func TestServersRefused(t *testing.T) {
	for _, test := range []struct {
		client     agent.Client
		text, want string
	}{
		{agent.Claude, "{ // comment\n}", "line 1: Claude Code takes no comments in this file: remove them"},
		{agent.Gemini, "{\"a\": 1,\n}", "line 1: Gemini CLI takes no comma after the last element: remove it"},
		{agent.Copilot, "{\n\"mcpServers\": []}", "line 2: \"mcpServers\" is a list, but must be an object, {…}: replace it with one, or remove it"},
		{agent.OpenCode, "[]", "line 1: the settings are a list, but must be an object, {…}: replace them with one"},
		{agent.Codex, "a = 1\nmcp_servers = {x = {command = \"c\"}}\n", "line 2: no table can be added to mcp_servers: write it as tables, [mcp_servers.NAME]"},
		{agent.Codex, "[[mcp_servers]]\n", "line 1: no table can be added to mcp_servers: write it as tables, [mcp_servers.NAME]"},
		{agent.Codex, "a = 1\nb = \"\n", "line 2: it is not valid TOML: correct it by hand"},
		{agent.Codex, "[a\n", "line 1: it is not valid TOML: correct it by hand"},
		{agent.Codex, "{\"a\": 1}\n", "line 1: it is not valid TOML: correct it by hand"},
		{agent.Codex, "a =\n", "line 1: it is not valid TOML: correct it by hand"},
		{agent.Codex, "a = 1 [b]\n[c] d = 1\n", "line 2: it is not valid TOML: correct it by hand"},
		{agent.Codex, "x = '''\n", "line 1: it is not valid TOML: correct it by hand"},
		{agent.Codex, "x = [1,\n", "line 1: it is not valid TOML: correct it by hand"},
	} {
		out, err := test.client.AddServer([]byte(test.text), "memory-remember")
		require.EqualError(t, err, test.want)
		require.Nil(t, out)
	}
}

func FuzzAddServerAndBack(f *testing.F) {
	for i, c := range agent.Clients {
		for _, text := range oddServersFor(c) {
			if len(text) < 1000 {
				f.Add([]byte(text), uint8(i))
			}
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, client uint8) {
		c := agent.Clients[int(client)%len(agent.Clients)]
		before, err := c.Server(src)
		if err != nil || before.Exists {
			return
		}
		out, err := c.AddServer(src, "/opt/memory-remember")
		if err != nil {
			return
		}
		after, err := c.Server(out)
		require.NoError(t, err, "%q", out)
		require.True(t, after.IsOurs, "%q", out)
		back, err := c.RemoveServer(out)
		require.NoError(t, err)
		require.Equal(t, string(src), string(back), "by way of %q", out)
	})
}

// Gemini CLI lists servers beside the hooks.
func TestServerBesideHooks(t *testing.T) {
	c := agent.Gemini
	require.True(t, c.ServersInSettings())
	for name, text := range oddFor(c) {
		src, err := c.Register([]byte(text), registrations(c, "memory-hooks"))
		require.NoError(t, err)
		hooks := string(src)
		src, err = c.AddServer(src, "memory-remember")
		require.NoError(t, err)
		all, err := c.Registered(src)
		require.NoError(t, err)
		require.NotEmpty(t, all)
		src, err = c.RemoveServer(src)
		require.NoError(t, err)
		require.Equal(t, hooks, string(src), name)
		src, err = c.Unregister(src, ours)
		require.NoError(t, err)
		require.Equal(t, text, string(src), name)
	}
}

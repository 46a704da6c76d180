package agent_test

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
)

// registrations returns the registrations for an agent in these tests.
func registrations(c agent.Client, program string) []agent.Registration {
	var all []agent.Registration
	for _, r := range c.Hooks() {
		r.Command = program + " " + r.Event + " --agent " + string(c)
		all = append(all, r)
	}
	return all
}

func ours(command string) bool {
	program, _, _ := strings.Cut(command, " ")
	return path.Base(program) == "memory-hooks"
}

const crlf = "\r\n"

// odd holds settings files as people and programs leave them.
var odd = map[string]string{
	"blank":                    "",
	"blank lines":              "\n\n  \n",
	"blank lines of Windows":   crlf + crlf,
	"empty":                    "{}",
	"empty with line end":      "{}\n",
	"empty with a blank":       "{ }",
	"empty over two lines":     "{\n}\n",
	"empty, indented":          "  {\n  }  ",
	"byte-order mark":          "\uFEFF{\n  \"model\": \"opus\"\n}\n",
	"byte-order mark alone":    "\uFEFF",
	"no final line end":        "{\n  \"model\": \"opus\"\n}",
	"several final line ends":  "{\n  \"model\": \"opus\"\n}\n\n\n",
	"tabs":                     "{\n\t\"model\": \"opus\",\n\t\"env\": {\n\t\t\"A\": \"1\"\n\t}\n}\n",
	"four blanks":              "{\n    \"model\": \"opus\"\n}\n",
	"Windows":                  "{\r\n  \"model\": \"opus\"\r\n}\r\n",
	"mixed line ends":          "{\r\n  \"model\": \"opus\",\n  \"x\": 1\r\n}\n",
	"minified":                 `{"model":"opus","env":{"A":"1"}}`,
	"one line":                 `{"model": "opus", "env": {"A": "1"}}` + "\n",
	"one line with blanks":     `{ "model": "opus" }` + "\n",
	"order":                    "{\n  \"z\": 1,\n  \"a\": 2,\n  \"m\": 3\n}\n",
	"unknown keys":             "{\n  \"$schema\": \"https://json.schemastore.org/claude-code-settings.json\",\n  \"_comment\": \"keep\"\n}\n",
	"escapes":                  "{\n  \"a\": \"x \\u0026\\u0026 y\",\n  \"b\": \"x && y <z> \\/ \\ud83d\\ude00 \\ud800\"\n}\n",
	"numbers":                  "{\n  \"a\": 1.0,\n  \"b\": 1e3,\n  \"c\": 12345678901234567890,\n  \"d\": -0\n}\n",
	"duplicate keys":           "{\n  \"model\": \"a\",\n  \"model\": \"b\"\n}\n",
	"two objects of hooks":     "{\n  \"hooks\": {\"Stop\": []},\n  \"hooks\": {\n    \"Stop\": [\n    ]\n  }\n}\n",
	"two lists of an event":    "{\"hooks\": {\"Stop\": [], \"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"x\"}]}]}}",
	"escaped name":             "{\n  \"\\u0068ooks\": {\n    \"\\u0053top\": []\n  }\n}\n",
	"hooks are empty":          "{\n  \"hooks\": {}\n}\n",
	"hooks are empty, lines":   "{\n  \"hooks\": {\n  }\n}\n",
	"hooks are empty, blank":   "{\"hooks\": { }}",
	"hooks first":              "{\n  \"hooks\": {},\n  \"model\": \"opus\"\n}\n",
	"lists are empty":          "{\n  \"hooks\": {\n    \"Stop\": [],\n    \"SessionStart\": [ ],\n    \"PostToolUse\": [\n    ],\n    \"SessionEnd\": [\n\n\n]\n  }\n}\n",
	"foreign hooks":            "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"matcher\": \"\",\n        \"hooks\": [\n          {\n            \"type\": \"command\",\n            \"command\": \"say done && true\",\n            \"timeout\": 5\n          }\n        ]\n      }\n    ]\n  },\n  \"model\": \"opus\"\n}\n",
	"foreign hooks, one line":  `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "a"}]}, {"hooks": []}]}}`,
	"foreign hooks, minified":  `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"a"}]}],"PreToolUse":[]}}`,
	"foreign hooks, aligned":   "{ \"hooks\" : { \"Stop\" : [ { \"hooks\" : [ { \"type\" : \"command\", \"command\" : \"a\" } ] }\n                       , { \"hooks\" : [] }\n                       ]\n            }\n}\n",
	"foreign hooks, no indent": "{\n\"hooks\": {\n\"Stop\": [\n{\"hooks\": [{\"type\": \"http\", \"url\": \"http://localhost\"}]}\n]\n}\n}\n",
	"odd elements":             "{\n  \"hooks\": {\n    \"Stop\": [null, 1, \"x\", [], {}, {\"hooks\": null}, {\"hooks\": [null, {}, {\"command\": 1}]}],\n    \"Unknown\": 5,\n    \"Other\": {}\n  }\n}\n",
	"brackets in strings":      "{\n  \"a\": \"}]{[ // \\\" /* \",\n  \"b\": \"https://x/*\"\n}\n",
	"Hungarian and Japanese":   "{\n  \"language\": \"日本語\",\n  \"n\": \"árvíztűrő\"\n}\n",
	"huge":                     "{\n  \"permissions\": {\"allow\": [" + strings.Repeat("\"Bash(git status:*)\", ", 20_000) + "\"x\"]}\n}\n",
	"deep":                     "{\"a\": " + strings.Repeat("[", 400) + strings.Repeat("]", 400) + "}",
}

// withComments holds settings files of agents that allow comments.
var withComments = map[string]string{
	"head":                 "// mine\n{\n  \"a\": 1\n}\n// end\n",
	"head, nothing else":   "/* mine */ {} // end",
	"behind the last":      "{\n  \"a\": 1 // note\n}\n",
	"behind the last, two": "{\n  \"a\": 1 // note\n  // more\n  /* and */ \n}\n",
	"Windows":              "{\r\n  \"a\": 1 // note\r\n}\r\n",
	"inside of the empty":  "{\n  // nothing yet\n}\n",
	"hooks are empty":      "{\n  \"hooks\": { /* none */ } // yet\n}\n",
	"hooks are empty, two": "{\n  \"hooks\": {\n    // none\n  }\n}\n",
	"list is empty":        "{\"hooks\": {\"SessionStart\": [ // none\n]}}",
	"one line":             "{\"hooks\": {\"SessionStart\": [{} /* a */]} /* b */}",
	"one line, then not":   "{\"hooks\": {\"SessionStart\": [{} // a\n]}} // b",
	"before each":          "{\n  /* x */ \"a\": 1,\n  // y\n  \"b\": 2\n}\n",
	"quotes and brackets":  "{\n  // it's \"so\" [[[ {{{\n  \"a\": 1 /* ] \" */\n}\n",
}

func oddFor(c agent.Client) map[string]string {
	all := map[string]string{}
	for name, text := range odd {
		if name == "huge" && (c != agent.Claude || testing.Short()) {
			continue // it takes as long as all others
		}
		if c == agent.Copilot || c == agent.Cursor { // whose files name the version of their format
			if strings.TrimLeft(text, "\uFEFF \t\r\n") != "" {
				text = strings.Replace(text, "{", "{\"version\": 1, ", 1)
				text = strings.Replace(text, "\"version\": 1, }", "\"version\": 1}", 1)
				if !json.Valid([]byte(strings.TrimPrefix(text, "\uFEFF"))) { // it was empty, with something in it
					text = strings.Replace(text, "\"version\": 1, ", "\"version\": 1", 1)
				}
			}
		}
		all[name] = text
	}
	if c == agent.Gemini {
		for name, text := range withComments {
			all["comments: "+name] = text
		}
	}
	return all
}

// withSettings returns the agents that run hooks by their settings.
func withSettings() []agent.Client {
	return slices.DeleteFunc(slices.Clone(agent.Clients), agent.Client.HasPlugin)
}

// Register and Unregister together restore the bytes of any file. In between, the file is valid and holds what was
// registered and what was there, and registering again changes nothing.
func TestRegisterAndBack(t *testing.T) {
	count := 0
	for _, c := range withSettings() {
		for name, text := range oddFor(c) {
			count++
			t.Run(string(c)+"/"+name, func(t *testing.T) { registerAndBack(t, c, text) })
		}
	}
	require.Greater(t, count, 30)
	for name, text := range odd {
		if name != "huge" {
			t.Run("copilot, no version/"+name, func(t *testing.T) { registerAndBack(t, agent.Copilot, text) })
		}
	}
}

func registerAndBack(t *testing.T, c agent.Client, text string) {
	before, err := c.Registered([]byte(text))
	require.NoError(t, err)
	hooks := registrations(c, "/opt/my tools/memory-hooks")
	hooks[0].Command = `"/opt/my \tools&/memory-hooks" <x>`
	mine := func(command string) bool { return strings.Contains(command, "memory-hooks") }

	src, err := c.Register([]byte(text), hooks)
	require.NoError(t, err)
	again, err := c.Register(src, hooks)
	require.NoError(t, err)
	require.Equal(t, string(src), string(again), "registering twice")
	if c != agent.Gemini && !strings.Contains(text, "//") {
		require.True(t, json.Valid(bytes.TrimPrefix(src, []byte("\uFEFF"))), "%.2000s", src)
	}
	after, err := c.Registered(src)
	require.NoError(t, err)
	require.Len(t, after, len(before)+len(hooks))
	for _, hook := range hooks {
		found := false
		for _, r := range after {
			found = found || r == hook
		}
		require.True(t, found, "%v in %.2000s", hook, src)
	}

	back, err := c.Unregister(src, mine)
	require.NoError(t, err)
	require.Equal(t, text, string(back), "from %.2000s", src)

	none, err := c.Unregister([]byte(text), mine)
	require.NoError(t, err)
	require.Equal(t, text, string(none), "there is nothing of ours")
}

func FuzzRegisterAndBack(f *testing.F) {
	for _, text := range odd {
		if len(text) < 1000 {
			f.Add([]byte(text), uint8(0))
		}
	}
	for _, text := range withComments {
		f.Add([]byte(text), uint8(2))
	}
	f.Fuzz(func(t *testing.T, src []byte, client uint8) {
		c := withSettings()[int(client)%len(withSettings())]
		hooks := registrations(c, "memory-hooks")
		out, err := c.Register(src, hooks)
		if err != nil {
			return
		}
		registered, err := c.Registered(src)
		require.NoError(t, err)
		for _, r := range registered {
			if ours(r.Command) {
				return // there was something of ours before
			}
		}
		again, err := c.Register(out, hooks)
		require.NoError(t, err)
		require.Equal(t, string(out), string(again))
		back, err := c.Unregister(out, ours)
		require.NoError(t, err)
		require.Equal(t, string(src), string(back), "by way of %q", out)
	})
}

// Removing our registrations, wherever they are, leaves a valid file with all others.
func FuzzUnregister(f *testing.F) {
	f.Add([]byte("{\"hooks\": {\"Stop\": [{\"hooks\": [{\"command\": \"memory-hooks a\"}, {\"command\": \"b\"}]} // x\n, {}]}}"))
	f.Add([]byte("{\"hooks\": {\"Stop\": [{}, // x\n {\"hooks\": [{\"command\": \"memory-hooks a\"}]}] /* y */}}"))
	f.Add([]byte("{\"hooks\": {\"Stop\": [ // x\n {\"hooks\": [{\"command\": \"memory-hooks a\"}]}/* z */, /* y */ {}]}}"))
	f.Fuzz(func(t *testing.T, src []byte) {
		c := agent.Gemini
		before, err := c.Registered(src)
		if err != nil {
			return
		}
		out, err := c.Unregister(src, ours)
		require.NoError(t, err)
		after, err := c.Registered(out)
		require.NoError(t, err, "%q", out)
		var want, got []string
		for _, r := range before {
			if !ours(r.Command) {
				want = append(want, r.Event+" "+r.Command)
			}
		}
		for _, r := range after {
			got = append(got, r.Event+" "+r.Command)
		}
		require.Equal(t, want, got, "%q", out)
	})
}

// Neighbours of our registrations are kept.
func TestUnregisterBesideOthers(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"shared group, last", `{"hooks": {"Stop": [{"matcher": "x", "hooks": [{"command": "lint"}, {"command": "memory-hooks Stop"}]}]}}`,
			`{"hooks": {"Stop": [{"matcher": "x", "hooks": [{"command": "lint"}]}]}}`},
		{"shared group, first", `{"hooks": {"Stop": [{"hooks": [{"command": "memory-hooks Stop"}, {"command": "lint"}]}]}}`,
			`{"hooks": {"Stop": [{"hooks": [ {"command": "lint"}]}]}}`},
		{"shared group, all ours", `{"a": 1, "hooks": {"Stop": [{"hooks": [{"command": "memory-hooks Stop"}, {"command": "x/memory-hooks y"}]}]}}`,
			`{"a": 1}`},
		{"between others", "{\"hooks\": {\"Stop\": [\n  {\"hooks\": [{\"command\": \"a\"}]},\n  {\"hooks\": [{\"command\": \"memory-hooks\"}]},\n  {\"hooks\": [{\"command\": \"b\"}]}\n]}}",
			"{\"hooks\": {\"Stop\": [\n  {\"hooks\": [{\"command\": \"a\"}]},\n  {\"hooks\": [{\"command\": \"b\"}]}\n]}}"},
		{"events that are ours alone", "{\n  \"hooks\": {\n    \"Stop\": [\n      {\"hooks\": [{\"command\": \"memory-hooks\"}]}\n    ],\n    \"Other\": []\n  }\n}\n",
			"{\n  \"hooks\": {\n    \"Other\": []\n  }\n}\n"},
	} {
		got, err := agent.Claude.Unregister([]byte(test.text), ours)
		require.NoError(t, err)
		require.Equal(t, test.want, string(got), test.name)
	}
}

// Codex trusts a hook at its place, so hooks of others keep theirs.
func TestCodexHooksKeepTheirPlace(t *testing.T) {
	src, err := agent.Codex.Register([]byte(odd["foreign hooks"]), registrations(agent.Codex, "memory-hooks"))
	require.NoError(t, err)
	all, err := agent.Codex.Registered(src)
	require.NoError(t, err)
	all = slices.DeleteFunc(all, func(r agent.Registration) bool { return r.Event != agent.Stop })
	require.Len(t, all, 2)
	require.Equal(t, "say done && true", all[0].Command)
}

// A text that the agent itself could not read, or whose hooks have another shape, is refused.
func TestRefused(t *testing.T) {
	for _, test := range []struct {
		client     agent.Client
		text, want string
	}{
		{agent.Claude, "{ // comment\n}", "line 1: it is not valid JSON, which allows no comments and no trailing commas (invalid character '/' looking for beginning of object key string): correct it by hand"},
		{agent.Claude, "{\n\"a\": 1,\n}", "line 3: it is not valid JSON, which allows no comments and no trailing commas (invalid character '}' looking for beginning of object key string): correct it by hand"},
		{agent.Claude, "{\"a\": 1", "line 1: it is not valid JSON, which allows no comments and no trailing commas (unexpected end of JSON input): correct it by hand"},
		{agent.Gemini, "// mine\n{\"a\": }", "line 2: it is not valid JSON (hujson: line 2, column 7: invalid character '}' at start of value): correct it by hand"},
		{agent.Claude, "\n[]", "line 2: the text must be an object, {…}: replace it with one, or remove it"},
		{agent.Claude, "null", "line 1: the text must be an object, {…}: replace it with one, or remove it"},
		{agent.Claude, "{\n\"hooks\": []}", "line 2: \"hooks\" must be an object, {…}: replace it with one, or remove it"},
		{agent.Codex, "{\"hooks\": {\n\"Stop\": {}}}", "line 2: the value of \"Stop\" must be a list, […]: replace it with one, or remove it"},
		{agent.Claude, "{\"hooks\": {\"Stop\": null}}", "line 1: the value of \"Stop\" must be a list, […]: replace it with one, or remove it"},
		{agent.Cursor, "{\"version\": 1, \"hooks\": {\"stop\": {}}}", "line 1: the value of \"stop\" must be a list, […]: replace it with one, or remove it"},
		{agent.Copilot, "{\n\"version\": 2}", "line 2: Copilot (CLI, VS Code) reads no hooks file with another \"version\" than 1: change that"},
		{agent.Claude, strings.Repeat("[", 1<<20), "line 1: it is not valid JSON, which allows no comments and no trailing commas (invalid character '[' exceeded max depth): correct it by hand"},
		{agent.Gemini, strings.Repeat("[", 1<<20), "line 1: it has more than 100000 objects and lists: remove some by hand"},
	} {
		for _, run := range []func() ([]byte, error){
			func() ([]byte, error) {
				return test.client.Register([]byte(test.text), registrations(test.client, "x"))
			},
			func() ([]byte, error) { return test.client.Unregister([]byte(test.text), ours) },
		} {
			out, err := run()
			require.EqualError(t, err, test.want)
			require.Nil(t, out)
		}
	}
}

// Comments in Cursor's settings are kept. A file that looks like a new one of ours belongs to the user.
func TestCursorSettings(t *testing.T) {
	for _, text := range []string{
		"{\n  \"version\": 1\n}\n", "// mine\n{\"version\": 1, \"hooks\": { // none\n}} /* end */\n",
		"{\"version\": 1, \"hooks\": {\"afterFileEdit\": [{\"command\": \"fmt\", \"loop_limit\": null}], \"stop\": [\n// x\n{\"command\": \"say done\"}]}}",
	} {
		registerAndBack(t, agent.Cursor, text)
	}
}

func TestSwitchedOff(t *testing.T) {
	for _, test := range []struct {
		client     agent.Client
		text, want string
	}{
		{agent.Claude, `{"disableAllHooks": true}`, "disableAllHooks is true"},
		{agent.Claude, `{"disableAllHooks": false}`, ""},
		{agent.Claude, ``, ""},
		{agent.Gemini, `{"hooksConfig": {"enabled": false}}`, "hooksConfig.enabled is false"},
		{agent.Gemini, `{"hooksConfig": 1}`, ""},
	} {
		got, err := test.client.DisabledBy([]byte(test.text))
		require.NoError(t, err)
		require.Equal(t, test.want, got)
	}
}

// Registrations are read as they were written.
func TestRegistered(t *testing.T) {
	for _, c := range withSettings() {
		src, err := c.Register([]byte("{\n\"version\": 1\n}\n"), registrations(c, "p"))
		require.NoError(t, err)
		all, err := c.Registered(src)
		require.NoError(t, err)
		require.Equal(t, registrations(c, "p"), all)
		require.Equal(t, 5*time.Second, all[1].Timeout)
	}
}

// Copilot's config.json may have comments.
func TestTrustedFolders(t *testing.T) {
	require.Equal(t, []string{"/a", "/b c"}, agent.TrustedFolders([]byte("// managed\n{\"trusted_folders\": [\"/a\", \"/b c\"]}")))
	for _, text := range []string{"", "{}", "{", "{\"trusted_folders\": 1}"} {
		require.Empty(t, agent.TrustedFolders([]byte(text)))
	}
}

func TestPlugins(t *testing.T) {
	on, err := agent.Claude.Plugins([]byte(`{"enabledPlugins": {"a@m": true, "b@m": false, "c@m": 1}}`))
	require.NoError(t, err)
	require.Equal(t, map[string]bool{"a@m": true, "b@m": false}, on)
	for _, text := range []string{"", "{}", `{"enabledPlugins": ["a@m"]}`} {
		on, err := agent.Claude.Plugins([]byte(text))
		require.NoError(t, err)
		require.Empty(t, on)
	}
}

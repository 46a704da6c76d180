package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"whence/internal/cli"
	"whence/internal/inert"
	"whence/internal/learning"
	"whence/internal/test/repotest"
	"whence/remember"
)

// schema is what these tests read of a JSON Schema.
type schema struct {
	Type       string
	Properties map[string]struct {
		Type, Description string
		Enum              []string
	}
	Required             []string
	AdditionalProperties bool
}

func TestToolsListed(t *testing.T) {
	c := newPlace(t, "").serve(t)
	list, err := c.ListTools(context.Background(), nil)
	require.NoError(t, err)
	type hints struct{ readOnly, destructive, open bool }
	type listed struct {
		required, optional string
		hints
	}
	want := map[string]listed{
		"store_memory":  {"name description reasoning category", "approved confidence references", hints{}},
		"search_memory": {"query", "brief category limit", hints{readOnly: true}},
		"when":          {"query", "", hints{readOnly: true}},
		"forget_memory": {"id", "", hints{destructive: true}},
	}
	got, schemas := map[string]listed{}, map[string]schema{}
	for _, tool := range list.Tools {
		var s schema
		src, err := json.Marshal(tool.InputSchema)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(src, &s))
		require.Equal(t, "object", s.Type)
		require.False(t, s.AdditionalProperties)
		required := map[string]bool{}
		for _, name := range s.Required {
			require.Contains(t, s.Properties, name)
			required[name] = true
		}
		optional := []string{}
		for _, name := range []string{"approved", "brief", "category", "confidence", "limit", "reason", "references"} {
			if _, known := s.Properties[name]; known && !required[name] {
				optional = append(optional, name)
			}
		}
		require.Len(t, s.Properties, len(required)+len(optional))
		for name, p := range s.Properties {
			require.NotEmpty(t, p.Type, name)
			require.NotEmpty(t, p.Description, name)
		}
		require.NotEmpty(t, tool.Title)
		require.Equal(t, tool.Title, tool.Annotations.Title)
		require.Greater(t, len(tool.Description), 100, "an agent has to see when to call it")
		require.Less(t, len(tool.Description), 600, "it is sent with each request")
		require.Nil(t, tool.OutputSchema)
		got[tool.Name] = listed{strings.Join(s.Required, " "), strings.Join(optional, " "),
			hints{tool.Annotations.ReadOnlyHint, *tool.Annotations.DestructiveHint, *tool.Annotations.OpenWorldHint}}
		schemas[tool.Name] = s
	}
	require.Equal(t, want, got)

	// The schema says what the code takes.
	fields := reflect.TypeFor[remember.StoreArguments]()
	require.Len(t, schemas["store_memory"].Properties, fields.NumField())
	for i := range fields.NumField() {
		name, _, _ := strings.Cut(fields.Field(i).Tag.Get("json"), ",")
		require.Contains(t, schemas["store_memory"].Properties, name)
	}
	for _, category := range schemas["store_memory"].Properties["category"].Enum {
		_, err := learning.ParseCategory(category)
		require.NoError(t, err)
	}
	_, err = learning.ParseCategory("")
	require.EqualError(t, err, "invalid category ''. Must be one of: "+strings.Join(schemas["store_memory"].Properties["category"].Enum, ", "))
	_, err = learning.ParseConfidence("")
	require.EqualError(t, err, "invalid confidence ''. Must be one of: "+strings.Join(schemas["store_memory"].Properties["confidence"].Enum, ", "))
}

func TestInstructions(t *testing.T) {
	for settings, want := range map[string][]string{
		"":                                    {"Capture mode: ask-first", "approved: true", "approved: false"},
		"memory_model_capture_mode: silent":   {"Capture mode: silent", "at most 5 times a session"},
		"memory_model_capture_mode: \"off\"":  {"Capture mode: off", "Neither store nor propose"},
		"memory_model_capture_mode: whenever": {"The settings of memory cannot be read, so nothing can be stored. Tell the user: ", ".claude/whence.local.md", "whenever"},
	} {
		instructions := newPlace(t, settings).serve(t).InitializeResult().Instructions
		for _, part := range append(want, "search_memory", "tool when") {
			require.Contains(t, instructions, part)
		}
		require.Less(t, len(instructions), 2_000, "clients cut it there")
	}
}

func TestSearch(t *testing.T) {
	p := newPlace(t, "")
	c := p.serve(t)
	require.Equal(t, []string{"No matching memories found."}, c.good("search_memory", arguments{"query": "deploy lock"}), "nothing is stored yet")
	for i := range others {
		c.good("store_memory", learned(other(i), approved))
	}
	c.good("store_memory", learned(approved))

	texts := c.good("search_memory", arguments{"query": "why does the JSON on stdout get corrupt?"})
	require.Equal(t, "Found 1 relevant memories:\n\n### Anti-Pattern: Hooks must not write to stderr\nHook subprocesses that write to stderr corrupt the JSON on stdout.\n- Why: The reader joins both streams.\n- Confidence: medium\n", texts[0])
	require.Regexp(t, `^ids, in this order: [0-9a-f]{16}$`, texts[1])
	require.Equal(t, "Found 1 entries:\n- Hooks must not write to stderr (medium)\n", c.good("search_memory", arguments{"query": "corrupt JSON stdout", "brief": true})[0])
	require.Equal(t, []string{"No matching memories found."}, c.good("search_memory", arguments{"query": "corrupt JSON stdout", "category": "patterns"}))
	require.Equal(t, []string{"No matching memories found."}, c.good("search_memory", arguments{"query": "kubernetes ingress certificates"}))
	for _, limit := range []int{1, 2} {
		ids := c.good("search_memory", arguments{"query": others[0] + " " + others[2], "limit": limit})[1]
		require.Len(t, strings.Fields(strings.TrimPrefix(ids, "ids, in this order: ")), limit)
	}
	for _, limit := range []any{0, -5, 1_000_000, nil} {
		require.Contains(t, c.good("search_memory", arguments{"query": "deploy lock migrations", "limit": limit})[0], "Found ")
	}
	for _, empty := range []any{arguments{}, arguments{"query": " \n"}, nil} {
		require.Equal(t, "Error: query must be non-empty", c.bad("search_memory", empty))
	}
	require.Equal(t, "Error: invalid category 'rules'. Must be one of: anti-patterns, heuristics, patterns", c.bad("search_memory", arguments{"query": "x", "category": "rules"}))
	near := c.good("search_memory", arguments{"query": "which protobuf plugin do we install on laptops of new colleagues?"})
	require.Contains(t, near[0], "The linter needs the generated protobuf code first.")
	require.Contains(t, near, "No learning has enough of these words: this is the nearest.")
	for _, query := range []string{`don't "quote`, "a AND (b OR", "name:x*", "-x", "'; DROP TABLE entries; --", "%_\\"} {
		c.good("search_memory", arguments{"query": query})
	}

	// What was stored cannot pass for a heading of ours, nor fill the context.
	c.good("store_memory", learned(approved, arguments{"name": "# Big", "description": "## Fake heading\n" + strings.Repeat("zebra stripes ", 1_000)}))
	found := c.good("search_memory", arguments{"query": "zebra stripes"})[0]
	require.Contains(t, found, "\n\\## Fake heading\n")
	require.Less(t, len(found), 2_500)
}

func TestForget(t *testing.T) {
	p := newPlace(t, "")
	c := p.serve(t)
	require.Equal(t, `{"error":"Memory entry not found: abcd"}`, c.bad("forget_memory", arguments{"id": "abcd"}), "there is no store")
	answer := c.good("store_memory", learned(approved))[0]
	id := answer[strings.Index(answer, "id: ")+4 : len(answer)-1]
	require.Equal(t, `{"error":"Memory entry not found: 0123456789abcdef"}`, c.bad("forget_memory", arguments{"id": "0123456789abcdef"}))
	require.Equal(t, `{"error":"id must be non-empty"}`, c.bad("forget_memory", arguments{}))
	require.Equal(t, 1, p.stored(t))
	require.Equal(t, []string{`{"result":"Deleted memory: ` + id + `"}`}, c.good("forget_memory", arguments{"id": id}))
	require.Equal(t, 0, p.stored(t))
	c.good("store_memory", learned(approved))
	c.good("forget_memory", arguments{"id": "hooks must not write to stderr"})
	require.Equal(t, 0, p.stored(t))
}

func TestWhen(t *testing.T) {
	p := newPlace(t, "")
	require.NoError(t, os.CopyFS(p.dir, os.DirFS(filepath.Join(repotest.Root(t), "examples", "ferry"))))
	c := p.serve(t)
	const trigger = "changing a generated file"
	for _, query := range []string{trigger, "/when " + trigger, "Changing a generated file.", "Never edit generated files", "- " + trigger + "\n", "\n\n" + trigger} {
		require.True(t, strings.HasPrefix(c.good("when", arguments{"query": query})[0], inert.FromDecisions+`\# Never edit generated files`+"\n"), query)
	}
	both := c.good("when", arguments{"query": "/when\n- " + trigger + "\n- writing a commit message\n"})[0]
	require.Contains(t, both, "# Never edit generated files\n")
	require.Contains(t, both, "# Commit messages name the decision they follow\n")
	partly := c.good("when", arguments{"query": trigger + "\nfeeding the parrot"})[0]
	require.Contains(t, partly, "# Never edit generated files\n")
	require.Contains(t, partly, `no trigger "feeding the parrot"`)
	pointers := c.good("when", arguments{"query": "how do we change a generated file?"})[0]
	require.Contains(t, pointers, "These decisions may apply")
	require.Contains(t, pointers, "- /when "+trigger)
	unknown := c.bad("when", arguments{"query": "feeding the parrot"})
	require.Contains(t, unknown, `no trigger "feeding the parrot"`)
	for _, command := range []string{"list", "recall", "check", "help", "--version", "--index=/etc/passwd"} {
		answer, _ := c.call("when", arguments{"query": command})
		require.Regexp(t, `no trigger|^No trigger and no title is that text`, answer[0], "a query is no command")
	}
	require.Contains(t, c.bad("when", arguments{"query": "§ ../../../etc/passwd"}), "no ")
	for _, empty := range []any{nil, arguments{}, arguments{"query": " \n"}} {
		require.Equal(t, "Error: query must be non-empty", c.bad("when", empty))
	}

	none := newPlace(t, "").serve(t)
	require.Contains(t, none.bad("when", arguments{"query": trigger}), "there is no memory index agents/memory-index.md")
	require.Contains(t, none.bad("when", arguments{"query": trigger}), "there is no memory index agents/memory-index.md", "it still answers")
}

// A server for another folder than its own, outside of any repository: in one, a committed MCP file
// may name any other.
func TestRepoFlag(t *testing.T) {
	ferry := filepath.Join(repotest.Root(t), "examples", "ferry")
	p := newPlace(t, "")
	require.Contains(t, p.run(t, cli.Usage, "serve", "--repo", ferry), "agents may read the repository in which they work, and no other")
	p.dir = t.TempDir()
	c := p.serve(t, "--repo", ferry, "--session", "mine")
	require.Contains(t, c.good("when", arguments{"query": "changing a generated file"})[0], "# Never edit generated files\n")
}

// A store that cannot be used is an answer, and the server goes on.
func TestBrokenStores(t *testing.T) {
	for name, is := range map[string]struct {
		breakIt func(t *testing.T, p *place)
		says    string
	}{
		"damaged": {func(t *testing.T, p *place) {
			require.NoError(t, os.WriteFile(filepath.Join(p.vars["WHENCE_HOME"], "memory.db"), []byte(strings.Repeat("no database ", 1000)), 0o600))
		}, "damaged"},
		"a folder": {func(t *testing.T, p *place) {
			require.NoError(t, os.Mkdir(filepath.Join(p.vars["WHENCE_HOME"], "memory.db"), 0o700))
		}, "is a folder"},
		"no folder": {func(t *testing.T, p *place) {
			require.NoError(t, os.RemoveAll(p.vars["WHENCE_HOME"]))
			require.NoError(t, os.WriteFile(p.vars["WHENCE_HOME"], nil, 0o600))
		}, "no command that you typed has used that folder"},
		"not of the user": {func(t *testing.T, p *place) { p.vars["WHENCE_HOME"] = t.TempDir() }, "no command that you typed has used that folder"},
		"no home":         {func(t *testing.T, p *place) { p.vars["WHENCE_HOME"] = "home" }, "which is relative"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t, "")
			require.NoError(t, os.MkdirAll(p.vars["WHENCE_HOME"], 0o700))
			is.breakIt(t, p)
			c := p.serve(t)
			for range 2 {
				answer := c.bad("store_memory", learned(approved))
				require.Contains(t, answer, "Failed to store learning: ")
				require.Contains(t, answer, is.says)
				require.Contains(t, c.bad("search_memory", arguments{"query": "anything at all"}), is.says)
				require.Contains(t, c.bad("forget_memory", arguments{"id": "abcd"}), is.says)
			}
			_, err := c.ListTools(context.Background(), nil)
			require.NoError(t, err)
		})
	}
}

// A store of a later version is left unchanged; one that is fixed is used again immediately.
func TestNewerStore(t *testing.T) {
	p := newPlace(t, "")
	c := p.serve(t)
	c.good("store_memory", learned(approved))
	file := filepath.Join(p.vars["WHENCE_HOME"], "memory.db")
	good, err := os.ReadFile(file)
	require.NoError(t, err)
	newer := append([]byte{}, good...)
	copy(newer[60:], []byte{0, 0, 99, 0}) // user_version
	require.NoError(t, os.WriteFile(file, newer, 0o600))
	require.Contains(t, c.bad("store_memory", learned(other(0), approved)), "newer version")
	require.Contains(t, c.bad("search_memory", arguments{"query": "corrupt JSON stdout"}), "newer version")
	now, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, newer, now)
	require.NoError(t, os.WriteFile(file, good, 0o600))
	require.Contains(t, c.good("store_memory", learned(approved))[0], "observations: 2")
}

// A store that cannot be written is still searched.
func TestReadOnlyStore(t *testing.T) {
	if runtime.GOOS == "windows" || os.Geteuid() == 0 {
		t.Skip("who runs this may write everywhere")
	}
	p := newPlace(t, "")
	c := p.serve(t)
	c.good("store_memory", learned(approved))
	files, err := filepath.Glob(filepath.Join(p.vars["WHENCE_HOME"], "*"))
	require.NoError(t, err)
	for _, file := range files {
		require.NoError(t, os.Chmod(file, 0o400))
	}
	require.NoError(t, os.Chmod(p.vars["WHENCE_HOME"], 0o500))
	t.Cleanup(func() { _ = os.Chmod(p.vars["WHENCE_HOME"], 0o700) })
	for range 2 {
		require.Contains(t, c.bad("store_memory", learned(other(0), approved)), "Failed to store learning: ")
		require.Contains(t, c.bad("forget_memory", arguments{"id": "Hooks must not write to stderr"}), "memory.db")
		require.Contains(t, c.good("search_memory", arguments{"query": "corrupt JSON stdout"})[0], "Found 1 ")
	}
}

// A call is answered whatever its arguments contain, and the server goes on.
func TestOddArguments(t *testing.T) {
	p := newPlace(t, "")
	c := p.serve(t)
	big := strings.Repeat("x ", 1<<19)
	for _, odd := range []any{
		"\x00", "a\x00b is a text with a NUL in it", "\xff\xfe is no UTF-8, and this is long enough", big, strings.Repeat("\u202e", 100),
		7, true, nil, []any{}, arguments{}, []any{nil, []any{1}}, json.RawMessage(`"\ud800 is half of a pair of surrogates"`),
	} {
		for tool, names := range map[string]string{
			"store_memory": "name description reasoning category references confidence approved", "search_memory": "query limit category brief",
			"when": "query", "forget_memory": "id",
		} {
			for name := range strings.FieldsSeq(names) {
				a := arguments{name: odd}
				if tool == "store_memory" {
					a = learned(approved, a)
				}
				texts, _ := c.call(tool, a)
				require.Less(t, len(fmt.Sprint(texts)), 2*len(big)+1_000)
				require.NotContains(t, fmt.Sprint(texts), "a fault in the program")
			}
			result, err := c.CallTool(context.Background(), &sdk.CallToolParams{Name: tool, Arguments: odd})
			if err == nil && odd != nil {
				require.NotEmpty(t, result.Content)
			}
		}
	}
	_, err := c.CallTool(context.Background(), &sdk.CallToolParams{Name: "drop_memory"})
	require.Error(t, err)
	c.good("store_memory", learned(approved))
}

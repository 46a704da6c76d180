package report

import (
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent/transcript"
	"whence/internal/agent/usertext"
)

func TestTypedQueries(t *testing.T) {
	for text, want := range map[string][]string{
		"/when taking a payment":                  {"/when taking a payment"},
		"do it\n  /how write a backfill\n/when x": {"/how write a backfill", "/when x"},
		"say when it is done":                     nil,
		"/when":                                   nil,
		"/whenever you like":                      nil,
		"<command-name>/when</command-name>\n<command-args>taking a payment</command-args>":       {"/when taking a payment"},
		"<command-name>/whence:how</command-name>\n<command-args>write a backfill</command-args>": {"/how write a backfill"},
		"<command-name>/clear</command-name>\n<command-args></command-args>":                      nil,
	} {
		require.Equal(t, want, queriesIn(usertext.Read(text)), text)
	}
}

// bash returns the use of a shell.
func bash(command string) transcript.Block {
	return transcript.Block{Kind: transcript.Use, Name: "Bash", Input: transcript.Input{Command: command}}
}

func TestLookUpsInACommand(t *testing.T) {
	for command, want := range map[string]lookUp{
		"memory-when 'taking a payment'":                                                         {queries: []string{"taking a payment"}},
		"memory-when taking a payment 2>/dev/null":                                               {queries: []string{"taking a payment"}},
		"memory-when 'a b' \"/how c\" d":                                                         {queries: []string{"a b", "/how c", "d"}},
		"memory-when \"- /when a b  (A title)\n- /when c\"":                                      {queries: []string{"- /when a b  (A title)", "- /when c"}},
		"cd /w && /usr/local/bin/memory-when \"a | b\" | head -3":                                {queries: []string{"a | b"}},
		"memory-when --format json --quiet 'x y'; echo done":                                     {queries: []string{"x y"}},
		"memory-when - <<'END_OF_QUERIES'\n/how write a backfill\n/when x\nEND_OF_QUERIES\necho": {queries: []string{"/how write a backfill", "/when x"}},
		"printf '%s\\n' '- /when a b' '- /when c' | memory-when -":                               {queries: []string{"- /when a b", "- /when c"}},
		"printf -- '- /when a b\\n- /when c\\n' | memory-when":                                   {queries: []string{"- /when a b", "- /when c"}},
		"memory-when < triggers.txt":                                                             {},
		"memory-when a; memory-when 'b c'":                                                       {queries: []string{"a", "b c"}},
		"memory-remember search --limit 3 refund rounding":                                       {queries: []string{"refund rounding"}, search: true},
		"(memory-when x)":                                    {queries: []string{"x"}},
		"echo text | memory-when recall --max 2":             {queries: []string{""}, search: true},
		"memory-when recall --min-p 0 'why is it' --explain": {queries: []string{"why is it"}, search: true},
	} {
		got, is := lookUpIn(bash(command))
		require.True(t, is, command)
		require.Equal(t, want, got, command)
	}
	for _, command := range []string{
		"", "ls", "which memory-when", "cat memory-when.md", "go test ./when/memory-when", "memory-when check README.md", "memory-when list", "memory-when --help",
		"memory-when hook Stop", "memory-remember list", "memory-remember 'search is slow'", "echo memory-when x", "grep -r memory-when .", "not-memory-when x",
	} {
		got, is := lookUpIn(bash(command))
		require.False(t, is, command)
		require.Empty(t, got)
	}
}

func TestLookUpsByOtherTools(t *testing.T) {
	for name, c := range map[string]struct {
		tool string
		in   transcript.Input
		want []string // triggers
		is   bool
	}{
		"tool":             {"mcp__plugin_whence_memory__when", transcript.Input{Query: "- /when Taking  a payment\n- /how write x"}, []string{"taking a payment", "write x"}, true},
		"tool, section":    {"mcp__memory__when", transcript.Input{Query: "§ api.md"}, nil, true},
		"search":           {"mcp__memory__search_memory", transcript.Input{Query: "taking a payment"}, nil, true},
		"another tool":     {"mcp__memory__store_memory", transcript.Input{Query: "x"}, nil, false},
		"skill":            {"Skill", transcript.Input{Skill: "whence:when", Args: "taking a payment"}, []string{"taking a payment"}, true},
		"skill, how":       {"Skill", transcript.Input{Skill: "how", Args: "write x"}, []string{"write x"}, true},
		"skill, no words":  {"Skill", transcript.Input{Skill: "when"}, nil, false},
		"another skill":    {"Skill", transcript.Input{Skill: "whence:remember", Args: "x"}, nil, false},
		"a tool named so":  {"when", transcript.Input{Query: "x"}, nil, false},
		"a tool of others": {"mcp__calendar__list", transcript.Input{Query: "when"}, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			got, is := lookUpIn(transcript.Block{Kind: transcript.Use, Name: c.tool, Input: c.in})
			require.Equal(t, c.is, is)
			require.Equal(t, c.want, got.triggers())
		})
	}
}

// A trigger is the same in every form in which it is asked for.
func TestTriggers(t *testing.T) {
	for _, query := range []string{"a team's x", "/when a team's x", "- /when a Team's   x", "/how a team's x  # Title", "- /when a team’s x  (A title, cut …)", " a team's x\t"} {
		require.Equal(t, "a team's x", trigger(query), query)
	}
	require.Empty(t, lookUp{queries: []string{"null", "", ".Mocks", "§ api.md", "..api.md"}}.triggers())
	require.Len(t, lookUp{queries: []string{"x", "/when X"}}.triggers(), 1)
}

func FuzzLookUpInCommand(f *testing.F) {
	f.Add("memory-when 'x' <<E\nE")
	f.Add("memory-remember search \"")
	f.Add("echo | memory-when")
	f.Fuzz(func(t *testing.T, command string) {
		l, is := lookUpIn(bash(command))
		require.True(t, is || len(l.queries) == 0)
		require.LessOrEqual(t, len(l.triggers()), len(l.queries))
	})
}

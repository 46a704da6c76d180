package report

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/agent/transcript"
	"whence/internal/agent/usertext"
)

// script is a session, record by record.
type script struct{ records []transcript.Record }

func (s *script) add(r transcript.Record) *script {
	r.UUID, r.Session = fmt.Sprint("r", len(s.records)), "s"
	r.At = time.Date(2026, 1, 5, 9, 0, len(s.records), 0, time.UTC)
	s.records = append(s.records, r)
	return s
}

func (s *script) types(text string) *script {
	return s.add(transcript.Record{Type: transcript.User, Blocks: []transcript.Block{{Kind: transcript.Text, Text: text}}})
}

func (s *script) says(text string) *script {
	return s.add(transcript.Record{Type: transcript.Assistant, Blocks: []transcript.Block{{Kind: transcript.Text, Text: text}}})
}

func (s *script) uses(name string, in transcript.Input) *script {
	return s.add(transcript.Record{Type: transcript.Assistant, Blocks: []transcript.Block{{Kind: transcript.Use, Tool: fmt.Sprint("t", len(s.records)), Name: name, Input: in}}})
}

func (s *script) result(text string, failed bool) *script {
	return s.add(transcript.Record{Type: transcript.User, Blocks: []transcript.Block{{Kind: transcript.Result, Tool: fmt.Sprint("t", len(s.records)-1), Text: text, Error: failed}}})
}

func (s *script) hook(event, text string) *script {
	return s.add(transcript.Record{Type: transcript.Attachment, Hook: transcript.Hook{Event: event, Text: text}})
}

func (s *script) scan() (all Scan) {
	for _, r := range s.records {
		all.Add(r)
	}
	return all
}

const (
	decision = "\n[agents/decisions/api.md:12, /when making a post retry-safe]\nA header on every POST that creates\nClients send a header, and the server keeps the response for a day.\n"
	learned  = "\n[learned 3 weeks ago, high confidence, id 00112233445566aa]\nThe fare cache needs a restart\nIt keeps old prices until its pods are restarted.\n"
)

func injected() *script {
	return new(script).types("what about retries?").hook("UserPromptSubmit", usertext.Recalled+decision+learned)
}

// What counts as use, and what does not.
func TestUse(t *testing.T) {
	bash := func(command string) transcript.Input { return bash(command).Input }
	read := func(path string) transcript.Input { return transcript.Input{Path: path} }
	const file = "/home/kim/ferry/agents/decisions/api.md"
	for name, c := range map[string]struct {
		script             *script
		decision, learning Use
	}{
		"nothing":                      {injected().says("I add a retry."), 0, 0},
		"its file is read":             {injected().uses("Read", read(file)), Opened, 0},
		"its file is printed":          {injected().uses("Bash", bash("sed -n 12,20p agents/decisions/api.md")), Opened, 0},
		"another file of that name":    {injected().uses("Read", read("/home/kim/other/api.md")), 0, 0},
		"its query is asked":           {injected().uses("Bash", bash("memory-when 'making a post retry-safe'")), Opened, 0},
		"its query is asked by tool":   {injected().uses("mcp__memory__when", transcript.Input{Query: "/when Making a POST retry-safe"}), Opened, 0},
		"another query":                {injected().uses("Bash", bash("memory-when 'making a post'")), 0, 0},
		"its file is named":            {injected().says("As agents/decisions/api.md:12 says."), Cited, 0},
		"its query is named":           {injected().says("See `/when making a post retry-safe`."), Cited, 0},
		"its title is named":           {injected().says("The decision is: a header on every POST that creates."), Cited | Quoted, 0},
		"its id is named":              {injected().says("Learning 00112233445566aa says so."), 0, Cited},
		"five words in a row":          {injected().says("So clients send a header, and the server knows."), Quoted, 0},
		"four words in a row":          {injected().says("So the server keeps the answer"), 0, 0},
		"of both":                      {injected().says("The server keeps the response for a while. Prices: old prices until its pods are restarted."), Quoted, Quoted},
		"up to the third prompt after": {injected().types("a").types("b").types("c").uses("Read", read(file)), Opened, 0},
		"not after the fourth":         {injected().types("a").types("b").types("c").types("d").uses("Read", read(file)), 0, 0},
		"not if the user said it":      {new(script).types("clients send a header, and the server keeps the response").hook("UserPromptSubmit", usertext.Recalled+decision).says("Clients send a header, and the server keeps the response."), 0, 0},
		"not if the agent said it":     {new(script).types("x").says("Clients send a header, and the server keeps the response.").hook("PostToolUse", usertext.Recalled+decision).says("Clients send a header, and the server keeps the response."), 0, 0},
		"not if the file was open":     {new(script).types("x").uses("Edit", read(file)).hook("PostToolUse", usertext.Recalled+decision).uses("Read", read(file)).says("I read agents/decisions/api.md"), 0, 0},
		"not if the user named it":     {new(script).types("look at agents/decisions/api.md").hook("UserPromptSubmit", usertext.Recalled+decision).uses("Read", read(file)), 0, 0},
		"not by another agent":         {injected().add(transcript.Record{Type: transcript.Assistant, Sidechain: true, Blocks: []transcript.Block{{Kind: transcript.Use, Name: "Read", Input: read(file)}}}), 0, 0},
		"not by an error of the API":   {injected().add(transcript.Record{Type: transcript.Assistant, Synthetic: true, Blocks: []transcript.Block{{Kind: transcript.Text, Text: "see agents/decisions/api.md"}}}), 0, 0},
		"not by the result of a tool":  {injected().uses("Bash", bash("ls")).result("agents/decisions/api.md", false), 0, 0},
		"not by the user":              {injected().types("see agents/decisions/api.md"), 0, 0},
		"not by what was there before": {new(script).says("see agents/decisions/b.md").hook("PostToolUse", usertext.Recalled+decision), 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			for _, r := range c.script.scan().Recalls {
				for _, i := range r.Items {
					want := c.decision
					if i.Kind == Learning {
						want = c.learning
					}
					require.Equal(t, want, i.Use, i.Title)
				}
			}
		})
	}
}

// What was put before an agent is read with all that is known of it.
func TestItems(t *testing.T) {
	s := injected().scan()
	require.Len(t, s.Recalls, 1)
	require.Equal(t, []Item{
		{Kind: Decision, File: "agents/decisions/api.md", Query: "/when making a post retry-safe", Title: "A header on every POST that creates"},
		{Kind: Learning, ID: "00112233445566aa", Title: "The fare cache needs a restart"},
	}, s.Recalls[0].Items)

	s = new(script).hook("PostToolUse", "Memory index: 2 findings\n\n"+usertext.Recalled+
		"\n[d, e:x.md:7, /how write a, b, unverified: a/b.go is missing here]\nT\n[not a place]\n\n[said by the user 2 days ago, session:x, turn 1/9]\nlet us not\n").scan()
	require.Equal(t, []Item{
		{Kind: Decision, File: "d, e:x.md", Query: "/how write a, b", Title: "T", Missing: "a/b.go"},
		{Kind: Turn, Title: "let us not"},
	}, s.Recalls[0].Items)

	for _, text := range []string{"", "the tests have passed", "memory-validate has findings after this change:\n", "x" + usertext.Recalled} {
		require.Empty(t, new(script).hook("PostToolUse", text).scan().Recalls, text)
	}
}

// What somebody asks counts as missed only where it is known that there was no answer.
func TestMisses(t *testing.T) {
	when := transcript.Input{Command: "memory-when 'refunding twice'"}
	answer := "# T\n\ntext\n\n---\n\nRelated:\n- /when x  # y\n"
	for name, c := range map[string]struct {
		script *script
		want   []bool
	}{
		"typed, answered by a hook":      {new(script).types("/when x").hook("UserPromptSubmit", answer), []bool{false}},
		"typed, answered by the agent":   {new(script).types("/when x").uses("Bash", when).result("# T", false), []bool{false, false}},
		"typed, without an answer":       {new(script).types("/when x").says("there is none"), []bool{true}},
		"typed, another hook has spoken": {new(script).types("/when x").hook("UserPromptSubmit", "the build is green"), []bool{true}},
		"typed, answered too late":       {new(script).types("/when x").types("go on").hook("UserPromptSubmit", answer), []bool{true}},
		"asked, answered":                {new(script).uses("Bash", when).result("# T", false), []bool{false}},
		"asked, without an answer":       {new(script).uses("Bash", when).result("Exit code 1\nmemory-when: nothing", true), []bool{true}},
		"asked, no result":               {new(script).uses("Bash", when), []bool{false}},
		"asked, the program is missing":  {new(script).uses("Bash", when).result("Exit code 127\nbash: memory-when: command not found", true), []bool{false}},
		"asked, the user said no":        {new(script).uses("Bash", when).result("The user doesn't want to proceed with this tool use.", true), []bool{false}},
		"searched, nothing found":        {new(script).uses("mcp__memory__search_memory", transcript.Input{Query: "x"}).result("No matching memories found.", false), []bool{true}},
		"searched the web":               {new(script).uses("WebSearch", transcript.Input{Query: "x"}).result("No matching memories found.", false), nil},
	} {
		t.Run(name, func(t *testing.T) {
			var got []bool
			for _, r := range c.script.scan().Recalls {
				got = append(got, r.Missed)
			}
			require.Equal(t, c.want, got)
		})
	}
}

func TestQueriesAreKeptWithoutSecrets(t *testing.T) {
	s := new(script).types("/when token ghp_" + strings.Repeat("a1B2", 9) + " leaks\nmy own words").scan()
	require.Len(t, s.Recalls, 1)
	require.NotContains(t, s.Recalls[0].Query, "a1B2a1B2")
	src, err := json.Marshal(s)
	require.NoError(t, err)
	require.NotContains(t, string(src), "my own words")
}

// A message is counted once, however many records it is split over.
func TestTokensOfSplitMessages(t *testing.T) {
	s := new(script)
	for _, m := range []struct {
		id     string
		tokens int
	}{{"a", 10}, {"a", 10}, {"a", 12}, {"b", 5}, {"", 1}, {"", 1}} {
		s.add(transcript.Record{Type: transcript.Assistant, Message: m.id, Tokens: m.tokens})
	}
	require.Equal(t, 12+5+1+1, s.scan().Prompts[0].Tokens)
}

// A scan that is put down anywhere, and taken up again from what was kept of it, tells the
// same.
func TestAScanGoesOn(t *testing.T) {
	s := injected().says("As agents/decisions/api.md says.").types("/when x").uses("Bash", transcript.Input{Command: "memory-when y"}).result("no", true).
		types("b").says("old prices until its pods are restarted").hook("PostToolUse", usertext.Recalled+decision).types("c").says("clients send a header, and the server keeps")
	whole := s.scan()
	for cut := range s.records {
		var first, again Scan
		for _, r := range s.records[:cut] {
			first.Add(r)
		}
		src, err := json.Marshal(first)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(src, &again))
		for _, r := range s.records[cut:] {
			again.Add(r)
		}
		want, err := json.Marshal(whole)
		require.NoError(t, err)
		got, err := json.Marshal(again)
		require.NoError(t, err)
		require.JSONEq(t, string(want), string(got), "cut at %d", cut)
	}
}

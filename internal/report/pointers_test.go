package report

import (
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent/transcript"
	"whence/internal/agent/usertext"
	"whence/internal/dispatch"
)

const pointers = usertext.Pointers + "memory-when '<trigger>' ['<another>']\n" +
	"- /when making a post retry-safe  (A header on every POST that creates)\n" +
	"- /how write a team’s backfill  (Backfills run in batches, and each of them …)\n" +
	"- /when naming a table\n"

const answers = "# A header on every POST that creates\n\nClients send it; `idempotency.go` checks it.\n\n---\n\n# Backfills run in batches, and each of them is resumed\n\nBy `batch_size` rows.\n\n---\n\nRelated:\n- /when x  # y.go\n"

func pointed() *script {
	return new(script).types("what about retries?").hook("UserPromptSubmit", pointers+"\n"+usertext.Recalled+decision+"\n- [learned 3 weeks ago, high confidence, id 00112233445566aa] The fare cache needs a restart: It keeps old prices until …\n- [said by the user 2 days ago, turn 1/9] let us not\n")
}

func when(queries ...string) transcript.Input {
	in := transcript.Input{Command: "memory-when"}
	for _, q := range queries {
		in.Command += " '" + q + "'"
	}
	return in
}

// calls adds uses of tools that mean nothing.
func (s *script) calls(n int) *script {
	for range n {
		s.uses("Bash", transcript.Input{Command: "ls"}).result("x", false)
	}
	return s
}

func TestPointersAndLines(t *testing.T) {
	s := pointed().scan()
	require.Len(t, s.Recalls, 1)
	require.Equal(t, []Item{
		{Kind: Decision, Line: true, Query: "/when making a post retry-safe", Title: "A header on every POST that creates"},
		{Kind: Decision, Line: true, Query: "/how write a team’s backfill", Title: "Backfills run in batches, and each of them …"},
		{Kind: Decision, Line: true, Query: "/when naming a table"},
		{Kind: Decision, File: "agents/decisions/api.md", Query: "/when making a post retry-safe", Title: "A header on every POST that creates"},
		{Kind: Learning, Line: true, ID: "00112233445566aa", Title: "The fare cache needs a restart"},
		{Kind: Turn, Line: true, Title: "let us not"},
	}, s.Recalls[0].Items)
}

// A pointer is read if its query is asked within ten uses of tools, in any way.
func TestReadPointers(t *testing.T) {
	both := func(u Use) []Use { return []Use{u, u, 0} }
	first := func(u Use) []Use { return []Use{u, 0, 0} }
	edit := func(path, text string) transcript.Input { return transcript.Input{Path: path, Written: text} }
	read := func() *script { return pointed().uses("Bash", when("making a post retry-safe")).result(answers, false) }
	for name, c := range map[string]struct {
		script *script
		want   []Use
	}{
		"nothing":                  {pointed().calls(2).says("I do it."), first(0)},
		"by command":               {pointed().uses("Bash", when("making a post retry-safe")), first(Opened | Read)},
		"by a batch":               {pointed().uses("Bash", when("/when Making a POST retry-safe", "write a team’s backfill")), both(Opened | Read)},
		"by lines as printed":      {pointed().uses("Bash", transcript.Input{Command: "memory-when - <<'E'\n- /when making a post retry-safe  (A header …)\n- /how write a team's backfill\nE"}), both(Opened | Read)},
		"by tool":                  {pointed().uses("mcp__memory__when", transcript.Input{Query: "- making a post retry-safe\n- write a team's backfill"}), both(Opened | Read)},
		"by skill":                 {pointed().uses("Skill", transcript.Input{Skill: "whence:when", Args: "making a post retry-safe"}), first(Opened | Read)},
		"at the tenth call":        {pointed().calls(9).uses("Bash", when("making a post retry-safe")), first(Opened | Read)},
		"later":                    {pointed().calls(10).uses("Bash", when("making a post retry-safe")), first(Opened)},
		"another query":            {pointed().uses("Bash", when("making a post")), first(0)},
		"a search for its words":   {pointed().uses("Bash", transcript.Input{Command: "memory-when recall 'making a post retry-safe'"}), first(0)},
		"its file is changed":      {read().calls(12).uses("Edit", edit("/home/kim/ferry/internal/idempotency.go", "x")), first(Opened | Read | Changed)},
		"a name is written":        {pointed().uses("Bash", when("making a post retry-safe", "write a team’s backfill")).result(answers, false).uses("Write", edit("/w/x.go", "const batch_size = 9")), []Use{Opened | Read, Opened | Read | Changed, 0}},
		"a name of another":        {read().uses("Write", edit("/w/x.go", "const batch_size = 9; y.go")), first(Opened | Read)},
		"changed before":           {pointed().uses("Write", edit("/w/idempotency.go", "x")).uses("Bash", when("making a post retry-safe")).result(answers, false), first(Opened | Read)},
		"changed, not read":        {pointed().uses("Write", edit("/w/idempotency.go", "x")), first(0)},
		"changed after a failure":  {pointed().uses("Bash", when("making a post retry-safe")).result("Exit code 1\n"+answers, true).uses("Write", edit("/w/idempotency.go", "x")), first(Opened | Read)},
		"changed by another agent": {read().add(transcript.Record{Type: transcript.Assistant, Sidechain: true, Blocks: []transcript.Block{{Kind: transcript.Use, Name: "Write", Input: edit("/w/idempotency.go", "x")}}}), first(Opened | Read)},
		"read only":                {read().uses("Read", transcript.Input{Path: "/w/idempotency.go"}), first(Opened | Read)},
	} {
		t.Run(name, func(t *testing.T) {
			var got []Use
			for _, i := range c.script.scan().Recalls[0].Items[:3] {
				got = append(got, i.Use)
			}
			require.Equal(t, c.want, got)
		})
	}
}

// What an agent reads by itself was shown to it before, or recall has missed it.
func TestReadWithoutBeingShown(t *testing.T) {
	skill := transcript.Input{Skill: "when", Args: "card is declined"}
	for name, c := range map[string]struct {
		script *script
		want   Tally // of these four figures
		misses []string
	}{
		"a pointer":           {new(script).hook("PostToolUse", pointers).uses("Bash", when("naming a table")).result("# T", false), Tally{Own: 1, Reads: 1}, nil},
		"a text":              {injected().uses("Bash", when("making a post retry-safe")).result("# T", false), Tally{Own: 1, Reads: 1}, nil},
		"neither":             {new(script).uses("Bash", when("card is declined")).result("# T", false), Tally{Own: 1, Reads: 1, Unshown: 1}, []string{"card is declined"}},
		"one of two":          {new(script).hook("PostToolUse", pointers).uses("mcp__memory__when", transcript.Input{Query: "- /when naming a table\n- /when card is declined"}).result("# T", false), Tally{Own: 1, Reads: 2, Unshown: 1}, []string{"card is declined"}},
		"twice":               {new(script).uses("Bash", when("card is declined")).result("# T", false).uses("Bash", when("card is declined")).result("# T", false), Tally{Own: 2, Reads: 2, Unshown: 1}, []string{"card is declined"}},
		"no answer":           {new(script).uses("Bash", when("card is declined")).result("memory-when: none", true), Tally{Own: 1, Missed: 1}, nil},
		"a section":           {new(script).uses("Bash", when("§ api.md")).result("# T", false), Tally{Own: 1}, nil},
		"a search":            {new(script).uses("mcp__memory__search_memory", transcript.Input{Query: "cards"}).result("# T", false), Tally{Own: 1}, nil},
		"the skill, once":     {new(script).uses("Skill", skill).result("Launching skill: when", false).uses("Bash", transcript.Input{Command: "memory-when - <<'E'\ncard is declined\nE"}).result("# T", false), Tally{Own: 1, Reads: 1, Unshown: 1}, []string{"card is declined"}},
		"the skill, missed":   {new(script).uses("Skill", skill).uses("Bash", when("card is declined")).result("none", true), Tally{Own: 1, Missed: 1}, nil},
		"typed":               {new(script).types("/when card is declined").uses("Bash", when("card is declined")).result("# T", false), Tally{}, nil},
		"typed, then another": {new(script).types("/when card is declined").uses("Bash", when("card is declined")).result("# T", false).uses("Bash", when("naming a table")).result("# T", false), Tally{Own: 1, Reads: 1, Unshown: 1}, []string{"naming a table"}},
		"typed, and searched": {new(script).types("/when card is declined").uses("Bash", transcript.Input{Command: "memory-when recall 'declined cards'"}).result("", false), Tally{}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			scan := c.script.scan()
			f := Compute([]Scan{scan}, nil, Options{})
			got := f.Transcripts.Total
			require.Equal(t, c.want, Tally{Own: got.Own, Reads: got.Reads, Unshown: got.Unshown, Missed: got.Missed})
			require.Equal(t, c.want.Own > 0, got.Tooled == 1)
			var misses []string
			for _, r := range scan.Recalls {
				if !r.Missed {
					misses = append(misses, r.Unshown...)
				}
			}
			require.Equal(t, c.misses, misses)
		})
	}
}

func TestPointersInTheFigures(t *testing.T) {
	s := pointed().uses("Bash", when("making a post retry-safe")).result(answers, false).uses("Write", transcript.Input{Path: "idempotency.go", Written: "x"}).
		uses("Bash", when("card is declined")).result("# T", false).scan()
	f := Compute([]Scan{s}, nil, Options{Memory: true, Bare: 2, Entries: []Entry{
		{"api.md", "/when making a post retry-safe", "A"}, {"b.md", "/when naming a table", "B"}, {"c.md", "/when card is declined", "C"}, {"c.md", "/when sleeping", "D"},
	}})
	total := f.Transcripts.Total
	require.Equal(t, []int{3, 1, 1, 2, 2, 1}, []int{total.Pointers, total.Read, total.Changed, total.Own, total.Reads, total.Unshown})
	require.Equal(t, []EventItems{{Event: "UserPromptSubmit", Texts: 1, Items: 6, Used: 1 + 1, Pointers: 3, Read: 1}}, f.Transcripts.Events)
	require.Equal(t, []string{"1× /when card is declined  # c.md"}, f.Memory.Unshown)
	require.Equal(t, []string{"/when sleeping  # c.md"}, f.Memory.Never)
	text := Text(f)
	for _, line := range []string{"by agents themselves", "read within ten calls", "2 of its decisions (50.0 %) have no situations", "1× /when card is declined  # c.md"} {
		require.Contains(t, text, line)
		require.Contains(t, HTML(f), line[len(line)-10:])
	}
}

// Pointers are counted apart. A log without lines is that of a version that only injected texts.
func TestPointersInTheLog(t *testing.T) {
	items := []string{"decision a.md A", "decision a.md B", "learning x"}
	l := Compute(nil, []dispatch.EventRecord{{At: at("2026-01-05"), Event: "Stop", Items: items, Lines: items[1:]}, {At: at("2026-01-06"), Event: "Stop", Items: items}}, Options{}).Log
	require.Equal(t, []int{6, 1}, []int{l.Total.Items, l.Total.Pointers})
}

func TestNames(t *testing.T) {
	for text, want := range map[string][]string{
		"The row is in payment_attempt, see services/payments/attempt.go. E.g. 3.14, and/or retry-safe in JavaScript.": {"payment_attempt", "services/payments/attempt.go"},
		"`retry-safe` POST `POST` `retrySafe` `a/b` `main` `id_`\n```go\nif pool.Get() { tryAgain }\n```\nno-name":     {"retry-safe", "retrySafe", "pool.Get", "tryAgain"},
	} {
		known := map[uint64]string{}
		for word := range words(text) {
			known[hash(word)] = word
		}
		var got []string
		names(text, func(name uint64) { got = append(got, known[name]) })
		require.Equal(t, want, got)
	}
	edited := namesOfEdit(transcript.Input{Path: `C:\ferry\services\attempt.go`, Written: "x := s.pool.Get(tryAgain)"})
	for name, want := range map[string]bool{"attempt.go": true, "services/attempt.go": true, "tryAgain": true, "tempt.go": false, "again": false} {
		require.Equal(t, want, edited[hash(name)], name)
	}
}

package report

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
	"whence/internal/agent/transcript"
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

func (s *script) uses(name string, in transcript.Input) *script {
	return s.add(transcript.Record{Type: transcript.Assistant, Blocks: []transcript.Block{{Kind: transcript.Use, Tool: fmt.Sprint("t", len(s.records)), Name: name, Input: in}}})
}

func (s *script) result(text string, failed bool) *script {
	return s.add(transcript.Record{Type: transcript.User, Blocks: []transcript.Block{{Kind: transcript.Result, Tool: fmt.Sprint("t", len(s.records)-1), Text: text, Error: failed}}})
}

func (s *script) injected(text string) *script {
	return s.add(transcript.Record{Type: transcript.Attachment, Injected: text})
}

// calls adds tool calls without meaning.
func (s *script) calls(n int) *script {
	for range n {
		s.uses("Bash", transcript.Input{Command: "ls"}).result("x", false)
	}
	return s
}

func (s *script) scan() (all Scan) {
	for _, r := range s.records {
		all.Add(r)
	}
	return all
}

const pointers = agent.PointersHead + "memory-when '<trigger>' ['<another>']\n" +
	"- /when making a post retry-safe  (A header on every POST that creates)\n" +
	"- /how write a team’s backfill  (Backfills run in batches, and each of them …)\n" +
	"- /when naming a table\n"

const answers = "# A header on every POST that creates\n\nClients send it; `idempotency.go` checks it.\n\n---\n\n# Backfills run in batches, and each of them is resumed\n\nBy `batch_size` rows.\n\n---\n\nRelated:\n- /when x  # y.go\n"

func pointed() *script {
	return new(script).types("what about retries?").injected("first a finding\n" + pointers + "\nthen something else\n- no pointer\n")
}

func when(queries ...string) transcript.Input {
	in := transcript.Input{Command: "memory-when"}
	for _, q := range queries {
		in.Command += " '" + q + "'"
	}
	return in
}

// A pointer is read if its trigger is looked up, in any way, within ten tool calls. A change follows it if something
// that the decision names is changed after that.
func TestPointers(t *testing.T) {
	edit := func(path, text string) transcript.Input { return transcript.Input{Path: path, Written: text} }
	read := func() *script { return pointed().uses("Bash", when("making a post retry-safe")).result(answers, false) }
	for name, c := range map[string]struct {
		script *script
		want   string // of each pointer: - shown, r read, c changed
	}{
		"nothing":                  {pointed().calls(2), "---"},
		"by command":               {pointed().uses("Bash", when("making a post retry-safe")), "r--"},
		"by a batch":               {pointed().uses("Bash", when("/when Making a POST retry-safe", "write a team’s backfill")), "rr-"},
		"by words without quotes":  {pointed().uses("Bash", transcript.Input{Command: "cd x && memory-when --format json naming a table"}), "--r"},
		"by lines as printed":      {pointed().uses("Bash", transcript.Input{Command: "memory-when - <<'E'\n- /when making a post retry-safe  (A header …)\n- /how write a team's backfill\nE"}), "rr-"},
		"by tool":                  {pointed().uses("mcp__memory__when", transcript.Input{Query: "- making a post retry-safe\n- write a team's backfill"}), "rr-"},
		"by skill":                 {pointed().uses("Skill", transcript.Input{Skill: "whence:when", Args: "making a post retry-safe"}), "r--"},
		"at the tenth call":        {pointed().calls(9).uses("Bash", when("making a post retry-safe")), "r--"},
		"later":                    {pointed().calls(10).uses("Bash", when("making a post retry-safe")), "---"},
		"another query":            {pointed().uses("Bash", when("making a post")), "---"},
		"a search for its words":   {pointed().uses("Bash", transcript.Input{Command: "memory-when recall 'making a post retry-safe'"}), "---"},
		"its file is changed":      {read().calls(12).uses("Edit", edit("/home/kim/ferry/internal/idempotency.go", "x")), "c--"},
		"a name is written":        {pointed().uses("Bash", when("making a post retry-safe", "write a team’s backfill")).result(answers, false).uses("Write", edit("/w/x.go", "const batch_size = 9")), "rc-"},
		"a name of another":        {read().uses("Write", edit("/w/x.go", "const batch_size = 9; y.go")), "r--"},
		"changed before":           {pointed().uses("Write", edit("/w/idempotency.go", "x")).uses("Bash", when("making a post retry-safe")).result(answers, false), "r--"},
		"changed, not read":        {pointed().uses("Write", edit("/w/idempotency.go", "x")), "---"},
		"changed after a failure":  {pointed().uses("Bash", when("making a post retry-safe")).result("Exit code 1\n"+answers, true).uses("Write", edit("/w/idempotency.go", "x")), "r--"},
		"changed by another agent": {read().add(transcript.Record{Type: transcript.Assistant, Sidechain: true, Blocks: []transcript.Block{{Kind: transcript.Use, Name: "Write", Input: edit("/w/idempotency.go", "x")}}}), "r--"},
		"its file is only read":    {read().uses("Read", transcript.Input{Path: "/w/idempotency.go"}), "r--"},
	} {
		t.Run(name, func(t *testing.T) {
			got := ""
			for _, p := range c.script.scan().Pointers {
				switch {
				case p.Changed:
					got += "c"
				case p.Read:
					got += "r"
				default:
					got += "-"
				}
			}
			require.Equal(t, c.want, got)
		})
	}
}

func TestNames(t *testing.T) {
	require.Equal(t, []string{"lock_timeout", "retrySafe", "pool.Get"}, names("Set lock_timeout, as `retrySafe` and pool.Get do; retry-safe is a word."))
}

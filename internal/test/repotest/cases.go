package repotest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"
)

// Cases are the shared cases of a file that a package runs: what goes in and what is expected,
// in any language, one case a line. Each is a test of its own, and fails alone.
type Cases struct {
	File    string                 // below the folder of the cases
	Package string                 // as in packages
	Run     map[string]func(*Case) // by group, or by ID, which goes first
	Unmet   map[string]string      // why cases are not met, by ID or by group: they are not run
}

// packages are those that run the cases, by group, or by ID, which goes first. A case of a
// group that is not here fails in each package that reads the file.
var packages = map[string]map[string]string{
	"hooks.jsonl": {
		"session-start": "hooks", "prompt": "hooks", "post-tool": "hooks", "failure": "hooks", "subagent": "hooks", "pre-tool": "hooks", "general": "hooks", "hot-topics": "hooks",
		"store": "hooks", "metrics": "hooks", "real-transcripts": "hooks",
		"raw-filter": "hooks/capture", "transcript-real": "hooks/capture", "staged-migration": "hooks/capture", "insight-filter": "hooks/capture", "commit-extract": "hooks/capture",
		"gen-039": "hooks/capture", "gen-043": "hooks/capture",
		"deploy": "hooks/deploy", "external-memory": "internal/notes",
	},
	"remember.jsonl": {
		"hash": "internal/learning", "category": "internal/learning", "keywords": "internal/learning", "rank": "internal/learning",
		"lifecycle": "internal/learning", "inject": "internal/learning", "import": "internal/learning",
		"inject-07": "remember", "inject-09": "remember", "inject-11": "remember", "import-04": "remember",
		"lifecycle-11": "remember", "lifecycle-15": "remember", "lifecycle-16": "remember", "lifecycle-20": "remember", "lifecycle-21": "remember",
		"length": "remember", "remember": "remember", "store": "remember", "validate": "remember", "confidence": "remember", "cli": "remember", "policy": "remember",
		"config": "remember", "session_start": "remember", "search": "remember", "context": "remember", "embed": "remember", "robust": "remember", "kb": "remember",
	},
	"when.jsonl": {
		"validate": "validate", "autofix": "validate", "parse": "validate",
		"resolve": "when", "nav": "when", "error": "when", "fuzzy": "when",
	},
}

// prose are the keys of a case that only a reader needs.
var prose = []string{
	"id", "group", "area", "kind", "level", "src", "source", "origin", "seed", "format", "verified", "later", // where it is from
	"note", "facts", "orig", "original_does", "original_bug", "open_question", // what there is to know about it
}

// Case is a shared case, and the test that runs it.
type Case struct {
	testing.TB
	*Fields // the whole line
	Expect  *Fields
	ID      string
	group   string
}

// Test runs the cases as subtests of t, and requires that each that is named exists.
func (s Cases) Test(t *testing.T) {
	t.Helper()
	src, err := os.ReadFile(Shared(t, "cases/"+s.File))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	unmet := 0
	for line := range bytes.Lines(src) {
		c, err := read(line)
		if err != nil {
			t.Errorf("%v: %.100s", err, line)
			continue
		}
		homes := packages[s.File]
		if home := cmp.Or(homes[c.ID], homes[c.group]); home != "" && home != s.Package {
			continue
		}
		if seen[c.ID] {
			t.Errorf("there are two cases %s", c.ID)
		}
		seen[c.ID], seen[c.group] = true, true
		if s.Unmet[c.ID]+s.Unmet[c.group] != "" {
			unmet++
			continue
		}
		t.Run(c.ID, func(t *testing.T) { c.run(t, s.Run) })
	}
	t.Logf("%s: %d cases are listed as not met", s.File, unmet)
	for _, name := range slices.Concat(slices.Sorted(maps.Keys(s.Unmet)), slices.Sorted(maps.Keys(s.Run))) {
		if !seen[name] {
			t.Errorf("%s: there is no case %s", s.File, name)
		}
	}
}

// read reads a line.
func read(line []byte) (*Case, error) {
	var values map[string]any
	if err := json.Unmarshal(line, &values); err != nil {
		return nil, err
	}
	c := &Case{}
	c.Fields = newFields(c, "case", values)
	c.ID, _ = values["id"].(string)
	group, _ := values["group"].(string)
	area, _ := values["area"].(string)
	c.group = cmp.Or(group, area)
	if expected, is := values["expect"].(map[string]any); c.ID == "" || c.group == "" || !is || len(expected) == 0 {
		return nil, fmt.Errorf("no id, no group, or nothing expected")
	}
	return c, nil
}

// run runs a case, and requires that it has read all that the case has.
func (c *Case) run(t *testing.T, runs map[string]func(*Case)) {
	run := runs[c.ID]
	if run == nil {
		run = runs[c.group]
	}
	if run == nil {
		t.Fatalf("nothing runs %s", c.group)
	}
	c.TB, c.Expect = t, c.Object("expect")
	run(c)
	if unread := c.unread(); !t.Failed() && len(unread) > 0 {
		t.Errorf("nothing compares %q", unread)
	}
}

// Judged makes a run of a function that returns what is not as expected, or "".
func Judged(run func(*Case) string) func(*Case) {
	return func(c *Case) {
		if problem := run(c); problem != "" {
			c.Fatal(problem)
		}
	}
}

// Differs says what is not as expected, or "".
func Differs(want, got any) string {
	if fmt.Sprint(want) == fmt.Sprint(got) {
		return ""
	}
	return fmt.Sprintf("want %q, got %q", fmt.Sprint(want), fmt.Sprint(got))
}

package repotest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Cases are the shared cases of a file that a package runs: what goes in and what is expected,
// in any language, one case a line. Each is a test of its own, and fails alone.
type Cases struct {
	File     string                 // below the folder of the cases
	Package  string                 // as in packages
	Run      map[string]func(*Case) // by group, or by ID, which goes first
	Unmet    map[string]string      // why cases are not met, by ID or by group: they must fail
	Parallel bool
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

// Case is a shared case while it runs. It is the testing.TB of that run: what fails it is its
// problem, which its test may expect.
type Case struct {
	testing.TB
	*Fields // the whole line
	Expect  *Fields
	ID      string
	group   string

	mu      sync.Mutex
	problem string // "": none
}

// Test runs the cases as subtests of t, and requires that each listed one exists and fails.
func (s Cases) Test(t *testing.T) {
	t.Helper()
	src, err := os.ReadFile(Shared(t, "cases/"+s.File))
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	met, unmet, failed := 0, 0, 0
	t.Cleanup(func() {
		t.Logf("%s: %d cases are met, %d are listed as not met, %d failed", s.File, met, unmet, failed)
	})
	seen := map[string]bool{}
	number := 0
	for line := range bytes.Lines(src) {
		number++
		c, err := read(line)
		if err != nil {
			c = &Case{ID: fmt.Sprint("line ", number)}
		} else if home := c.home(packages[s.File]); home != "" && home != s.Package {
			continue
		}
		if seen[c.ID] {
			err = fmt.Errorf("line %d: there is a case %s before it", number, c.ID)
		}
		seen[c.ID], seen[c.group] = true, true
		reason := s.Unmet[c.ID]
		if reason == "" {
			reason = s.Unmet[c.group]
		}
		t.Run(c.ID, func(t *testing.T) {
			if s.Parallel {
				t.Parallel()
			}
			problem := fmt.Sprint(err)
			if err == nil {
				problem = c.run(t, s.Run)
			}
			mu.Lock()
			defer mu.Unlock()
			switch {
			case t.Skipped():
			case problem == "" && reason == "":
				met++
			case problem != "" && reason != "":
				unmet++
				t.Logf("not met: %s (%s)", reason, problem)
			case reason != "":
				failed++
				t.Errorf("is met, though it is listed as not met: %s", reason)
			default:
				failed++
				t.Error(problem)
			}
		})
	}
	for _, name := range slices.Sorted(maps.Keys(s.Unmet)) {
		if !seen[name] || s.Unmet[name] == "" {
			t.Errorf("%s is listed without a reason, or there is no such case", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Run)) {
		if !seen[name] {
			t.Errorf("%s has a run, and there is no such case", name)
		}
	}
}

// home is the package that runs the case, or "".
func (c *Case) home(packages map[string]string) string {
	if home := packages[c.ID]; home != "" {
		return home
	}
	return packages[c.group]
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
	for _, key := range []string{"group", "area"} {
		if c.group == "" {
			c.group, _ = values[key].(string)
		}
	}
	if expected, is := values["expect"].(map[string]any); c.ID == "" || c.group == "" || !is || len(expected) == 0 {
		return nil, fmt.Errorf("no id, no group, or nothing expected: %.100s", line)
	}
	return c, nil
}

// run runs a case and returns what is not as expected, or "".
func (c *Case) run(t testing.TB, runs map[string]func(*Case)) string {
	run := runs[c.ID]
	if run == nil {
		run = runs[c.group]
	}
	if run == nil {
		return "nothing runs " + c.group
	}
	c.TB = t
	c.Expect = c.Object("expect")
	ended := make(chan struct{})
	go func() { // which FailNow ends
		defer close(ended)
		defer func() {
			if fault := recover(); fault != nil {
				c.Errorf("panic: %v\n%s", fault, debug.Stack())
			}
		}()
		run(c)
	}()
	<-ended
	if unread := c.unread(); c.problem == "" && len(unread) > 0 {
		return "nothing compares " + strings.Join(unread, ", ")
	}
	return c.problem
}

// Judged makes a run of a function that returns what is not as expected, or "".
func Judged(run func(*Case) string) func(*Case) {
	return func(c *Case) {
		if problem := run(c); problem != "" {
			c.Fatal(problem)
		}
	}
}

// Errorf notes a problem. The first one counts.
func (c *Case) Errorf(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.problem == "" {
		c.problem = fmt.Sprintf(format, args...)
	}
}

// FailNow ends the run of the case.
func (c *Case) FailNow() {
	c.Fail()
	runtime.Goexit()
}

// Fail notes that there is a problem.
func (c *Case) Fail() { c.Errorf("failed") }

// Failed reports whether there is a problem.
func (c *Case) Failed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.problem != ""
}

// Error notes a problem.
func (c *Case) Error(args ...any) { c.Errorf("%s", fmt.Sprint(args...)) }

// Fatal notes a problem and ends the run.
func (c *Case) Fatal(args ...any) {
	c.Error(args...)
	c.FailNow()
}

// Fatalf notes a problem and ends the run.
func (c *Case) Fatalf(format string, args ...any) {
	c.Errorf(format, args...)
	c.FailNow()
}

// Differs says what is not as expected, or "".
func Differs(want, got any) string {
	if fmt.Sprint(want) == fmt.Sprint(got) {
		return ""
	}
	return fmt.Sprintf("want %q, got %q", fmt.Sprint(want), fmt.Sprint(got))
}

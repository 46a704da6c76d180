package validate_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/repotest"
	"whence/validate"
)

// sharedCase is one line of cases/when.jsonl: a memory, and what is expected of a
// program that checks it, in any language.
type sharedCase struct {
	ID, Area string
	Seed     bool
	Files    map[string]string
	Args     struct {
		Autofix bool
		Tree    string
	}
	Expect struct {
		Exit, Errors     *int
		ContainsCI       []string `json:"contains_ci"`
		Order            []string
		IndexContains    []string `json:"index_contains"`
		IndexNotContains []string `json:"index_not_contains"`
		Entries          *[]struct{ Trigger, Title, Description string }
	}
}

// refused are the cases that are not met, with the reason. One that is met after
// all fails the test.
var refused = map[string]string{
	"A-005": "expects a fix of one section to sort all sections by path, though their order is no finding: a fix touches only what a finding names",
	"A-006": "expects an entry that leads to a structural heading to be deleted: no fix drops a line that does not stand elsewhere",
	"P-003": "expects /how to be malformed; it has become a second operator",
}

// The preamble of the cases is older than the rule that it has to name /when.
const preamble, guided = "Preamble text.\n", "Preamble text. Look entries up with /when.\n"

func TestSharedCases(t *testing.T) {
	ran := 0
	for _, c := range repotest.JSONLines[sharedCase](t, repotest.Shared(t, "cases/when.jsonl")) {
		run := map[string]func(sharedCase) string{"validate": validateCase, "autofix": validateCase, "parse": parseCase}[c.Area]
		if run == nil || !c.Seed {
			continue
		}
		ran++
		t.Run(c.ID, func(t *testing.T) {
			if c.Args.Tree != "" {
				c.Files = readTree(t, repotest.Shared(t, "corpora/"+strings.TrimPrefix(c.Args.Tree, "kit/when/")))
				c.Args.Autofix = true
			}
			repotest.Met(t, run(c), refused[c.ID])
		})
	}
	require.GreaterOrEqual(t, ran, 41)
}

// validateCase checks or fixes the memory of a case and says what is not as expected.
func validateCase(c sharedCase) string {
	tree := fstest.MapFS{}
	for name, text := range c.Files {
		tree[name] = &fstest.MapFile{Data: []byte(strings.Replace(text, preamble, guided, 1))}
	}
	var result validate.Result
	var err error
	if c.Args.Autofix {
		result, err = validate.Fix(tree, config.Default(), validate.Allow{})
	} else {
		result.Left, err = validate.Run(tree, config.Default())
	}
	if err != nil {
		return err.Error()
	}
	var out strings.Builder
	if err := finding.Write(&out, "text", finding.Report{Findings: append(result.Left, result.Fixed...)}, false); err != nil {
		return err.Error()
	}
	after := ""
	if file := tree[config.DefaultIndex]; file != nil {
		after = string(file.Data)
	}
	if change := changeOf(result, config.DefaultIndex); change != nil {
		after = string(change.After)
	}
	return compareCase(c, result, out.String(), after)
}

func compareCase(c sharedCase, result validate.Result, printed, after string) string {
	exit := min(len(result.Left), 1)
	if want := c.Expect.Exit; want != nil && *want != exit {
		return "exit status differs: " + printed
	}
	if want := c.Expect.Errors; want != nil && *want != len(result.Left) {
		return "number of errors differs: " + printed
	}
	for _, want := range c.Expect.ContainsCI {
		if !strings.Contains(strings.ToLower(printed), strings.ToLower(want)) {
			return "does not say " + want + ": " + printed
		}
	}
	for _, want := range c.Expect.IndexContains {
		if !strings.Contains(after, want) {
			return "index lacks " + want + ": " + after
		}
	}
	for _, want := range c.Expect.IndexNotContains {
		if strings.Contains(after, want) {
			return "index still has " + want + ": " + after
		}
	}
	rest := after
	for _, want := range c.Expect.Order {
		_, behind, found := strings.Cut(rest, want)
		if !found {
			return "index lacks " + want + " in its place: " + after
		}
		rest = behind
	}
	return specialCase(c, result, after)
}

// specialCase checks what the cases say in words.
func specialCase(c sharedCase, result validate.Result, after string) string {
	rules := map[string]int{}
	for _, f := range result.Left {
		rules[f.Rule]++
	}
	switch {
	case c.ID == "A-007" && len(result.Changes) > 0:
		return "writes a file that needs no fix"
	case c.ID == "A-010" && strings.Count(after, "\n\n") != strings.Count(c.Files[config.DefaultIndex], "\n\n"):
		return "blank lines pile up: " + after
	case c.ID == "V-014" && (rules["entry-syntax"] != 1 || rules["missing-entry"] != 1):
		return "an empty title is one finding, the heading without entry another"
	case c.ID == "V-026" && rules["duplicate-trigger"] != 1:
		return "one trigger for two headings is no finding"
	case c.ID == "V-035" && rules["unknown-header"] != 0:
		return "an entry of a structural heading is also reported as unknown"
	case c.ID == "V-040" && rules["wrong-section"] != 1:
		return "an entry under another section is not misplaced"
	}
	return ""
}

// parseCase reads the index of a case and says what is not as expected.
func parseCase(c sharedCase) string {
	type entry = struct{ Trigger, Title, Description string }
	var got []entry
	for _, line := range index.Parse([]byte(c.Files[config.DefaultIndex])).Lines {
		if line.Kind == index.EntryLine {
			got = append(got, entry{line.Entry.Trigger.Text, line.Entry.Title.Text, line.Entry.Description.Text})
		}
	}
	if c.Expect.Entries == nil {
		return "expects no entries field"
	}
	if len(got) != len(*c.Expect.Entries) {
		return "number of entries differs"
	}
	for i, want := range *c.Expect.Entries {
		if want.Trigger != got[i].Trigger || want.Title != "" && want.Title != got[i].Title ||
			want.Description != "" && want.Description != got[i].Description {
			return "entry differs: " + got[i].Trigger
		}
	}
	return ""
}

// readTree reads the Markdown files of a folder.
func readTree(t testing.TB, dir string) map[string]string {
	files := map[string]string{}
	for name, file := range repotest.MarkdownTree(t, dir) {
		files[name] = string(file.Data)
	}
	return files
}

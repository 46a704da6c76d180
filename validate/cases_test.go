package validate_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"whence/internal/config"
	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/test/repotest"
	"whence/validate"
)

// unmet are the cases of cases/when.jsonl that are not met, with the reason.
var unmet = map[string]string{
	"A-005": "expects a fix of one section to sort all sections by path, though their order is no finding: a fix touches only what a finding names",
	"A-006": "expects an entry that leads to a structural heading to be deleted: no fix drops a line that does not stand elsewhere",
	"P-003": "expects /how to be malformed; it has become a second operator",
	"V-051": oldFormat, "V-052": oldFormat, "V-053": oldFormat, "V-054": oldFormat,
	"V-060": twoFields, "V-062": twoFields, "V-063": twoFields, "V-066": twoFields,
	"A-021": twoFields, "P-010": twoFields, "P-012": twoFields, "P-013": twoFields,
	"P-020": "there is no recall artifact",
}

// Why cases are not met.
const (
	oldFormat = "an entry of the old format is a finding: memory-migrate converts it"
	twoFields = "an index of two fields is a finding: memory-migrate converts it"
)

// The preamble of the cases is older than the rule that it has to name /when.
const preamble, guided = "Preamble text.\n", "Preamble text. Look entries up with /when.\n"

// TestSharedCases runs the cases of a memory, and what is expected of a program that checks it.
func TestSharedCases(t *testing.T) {
	repotest.Cases{
		File: "when.jsonl", Package: "validate", Unmet: unmet,
		Run: map[string]func(*repotest.Case){
			"validate": repotest.Judged(validateCase), "autofix": repotest.Judged(validateCase), "parse": repotest.Judged(parseCase),
		},
	}.Test(t)
}

// filesOf are the files of a case, or those of the tree that it names.
func filesOf(c *repotest.Case, tree string) (files map[string]string) {
	c.Decode("files", &files)
	if tree != "" {
		return readTree(c, repotest.Shared(c, "corpora/"+strings.TrimPrefix(tree, "kit/when/")))
	}
	return files
}

// validateCase checks or fixes the memory of a case and says what is not as expected.
func validateCase(c *repotest.Case) string {
	args := c.Object("args")
	if args.Text("cmd") != "validate" {
		return "there is no " + args.Text("cmd")
	}
	args.Prose("repeat")
	files := filesOf(c, args.Text("tree"))
	tree := fstest.MapFS{}
	for name, text := range files {
		tree[name] = &fstest.MapFile{Data: []byte(strings.Replace(text, preamble, guided, 1))}
	}
	var result validate.Result
	var err error
	if args.True("autofix") || args.Has("tree") {
		result, err = fix(tree, config.Default(), false)
	} else {
		result.Left, err = check(tree, config.Default())
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
	return compareCase(c, result, out.String(), files[config.DefaultIndex], after)
}

func compareCase(c *repotest.Case, result validate.Result, printed, before, after string) string {
	exit := min(len(result.Left), 1)
	if c.Expect.Has("exit") && c.Expect.Number("exit") != exit {
		return "exit status differs: " + printed
	}
	if c.Expect.Has("errors") && c.Expect.Number("errors") != len(result.Left) {
		return "number of errors differs: " + printed
	}
	for _, want := range c.Expect.Texts("contains_ci") {
		if !strings.Contains(strings.ToLower(printed), strings.ToLower(want)) {
			return "does not say " + want + ": " + printed
		}
	}
	for _, want := range c.Expect.Texts("index_contains") {
		if !strings.Contains(after, want) {
			return "index is missing " + want + ": " + after
		}
	}
	for _, want := range c.Expect.Texts("index_not_contains") {
		if strings.Contains(after, want) {
			return "index still has " + want + ": " + after
		}
	}
	rest := after
	for _, want := range c.Expect.Texts("order") {
		_, behind, found := strings.Cut(rest, want)
		if !found {
			return "index is missing " + want + " in its place: " + after
		}
		rest = behind
	}
	return specialCase(c, result, before, after)
}

// specialCase checks what the cases say in words.
func specialCase(c *repotest.Case, result validate.Result, before, after string) string {
	rules := map[string]int{}
	for _, f := range result.Left {
		rules[f.Rule]++
	}
	switch {
	case c.ID == "A-007" && len(result.Changes) > 0:
		return "writes a file that needs no fix"
	case c.ID == "A-010" && strings.Count(after, "\n\n") != strings.Count(before, "\n\n"):
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
func parseCase(c *repotest.Case) string {
	if command := c.Object("args").Text("cmd"); command != "parse" {
		return "there is no " + command
	}
	var got []index.Entry
	for _, line := range index.Parse([]byte(filesOf(c, "")[config.DefaultIndex])).Lines {
		if line.Kind == index.EntryLine {
			got = append(got, line.Entry)
		}
	}
	entries := c.Expect.Objects("entries")
	if len(got) != len(entries) {
		return "number of entries differs"
	}
	for i, want := range entries {
		for field, text := range map[string]string{"trigger": got[i].Trigger.Text, "title": got[i].Title.Text, "description": got[i].Description.Text} {
			if want.Has(field) && want.Text(field) != text {
				return field + " differs: " + text
			}
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

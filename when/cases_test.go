package when_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/repotest"
	"whence/when"
)

// sharedCase is one line of cases/when.jsonl: a memory, queries, and what is to be
// printed, in any language.
type sharedCase struct {
	ID, Area string
	Seed     bool
	Files    map[string]string
	Args     struct {
		Cmd, Stdin, Query   string
		Queries, Candidates []string
		Of                  any
	}
	Expect struct {
		Exit        *int
		ExitNonzero bool `json:"exit_nonzero"`
		Contains    []string
		ContainsCI  []string `json:"contains_ci"`
		NotContains []string `json:"not_contains"`
		Count       map[string]int
		Best        *string
		Parents     map[string]*string
		Outputs     json.RawMessage
	}
}

func TestSharedCases(t *testing.T) {
	ran := 0
	for _, c := range repotest.JSONLines[sharedCase](t, repotest.Shared(t, "cases/when.jsonl")) {
		run := map[string]func(*testing.T, sharedCase){"resolve": resolveCase, "match": matchCase, "hierarchy": hierarchyCase, "ancestors": hierarchyCase}[c.Args.Cmd]
		if run == nil || !c.Seed || !strings.Contains("resolve nav error fuzzy", c.Area) {
			continue
		}
		ran++
		t.Run(c.ID, func(t *testing.T) { run(t, c) })
	}
	require.GreaterOrEqual(t, ran, 27)
}

// resolveCase runs the program.
func resolveCase(t *testing.T, c sharedCase) {
	dir := writeFiles(t, c.Files)
	stdin, args := c.Args.Stdin, append([]string{"memory-when"}, c.Args.Queries...)
	if stdin != "" {
		args = append(args, "-")
	}
	var stdout, stderr strings.Builder
	status := when.Main(cli.Env{
		Args: args, Dir: dir, Getenv: func(string) string { return "" },
		Stdin: strings.NewReader(stdin), Stdout: &stdout, Stderr: &stderr,
	})
	out := stdout.String() + stderr.String()
	if c.Expect.Exit != nil {
		require.Equal(t, *c.Expect.Exit, status, out)
	}
	if c.Expect.ExitNonzero {
		require.NotZero(t, status, out)
	}
	for _, want := range c.Expect.Contains {
		require.Contains(t, out, want)
	}
	for _, want := range c.Expect.ContainsCI {
		require.Contains(t, strings.ToLower(out), strings.ToLower(want))
	}
	for _, unwanted := range c.Expect.NotContains {
		require.NotContains(t, out, unwanted)
	}
	for text, n := range c.Expect.Count {
		require.Equal(t, n, strings.Count(out, text), text)
	}
}

// matchCase looks a query up among triggers: the best one is the answer, or the
// first suggestion.
func matchCase(t *testing.T, c sharedCase) {
	var index strings.Builder
	index.WriteString("## agents/decisions/a.md\n")
	decisions := "# A\n"
	for _, trigger := range c.Args.Candidates {
		index.WriteString("/when " + trigger + " | On " + trigger + " | d\n")
		decisions += "\n## On " + trigger + "\nC.\n"
	}
	l := open(t, map[string]string{"agents/memory-index.md": index.String(), "agents/decisions/a.md": decisions})
	a, err := ask(t, l, c.Args.Query)
	best := strings.TrimPrefix(a.Title, "On ")
	if notFound, isNotFound := err.(*when.NotFound); isNotFound && len(notFound.Suggestions) > 0 {
		best = strings.TrimPrefix(notFound.Suggestions[0].Command, "/when ")
	}
	want := ""
	if c.Expect.Best != nil {
		want = *c.Expect.Best
	}
	require.Equal(t, want, best)
}

// hierarchyCase asks for headings and looks at the parent section that is named.
func hierarchyCase(t *testing.T, c sharedCase) {
	var titles []string
	if of, isList := c.Args.Of.([]any); isList {
		for _, title := range of {
			titles = append(titles, title.(string))
		}
	}
	parents := map[string]string{}
	for title, parent := range c.Expect.Parents {
		titles = append(titles, title)
		if parent != nil {
			parents[title] = *parent
		}
	}
	var outputs [][]string
	if c.Args.Cmd == "ancestors" {
		require.NoError(t, json.Unmarshal(c.Expect.Outputs, &outputs))
	}
	for i, ancestors := range outputs {
		if n := len(ancestors); n > 1 { // the file comes last
			parents[titles[i]] = ancestors[n-2]
		}
	}
	var index strings.Builder
	for name := range c.Files {
		index.WriteString("## " + name + "\n")
	}
	for _, title := range titles {
		index.WriteString("/when asking for " + strings.ToLower(title) + " | " + title + " | d\n")
	}
	c.Files["agents/memory-index.md"] = index.String()
	l := open(t, c.Files)
	for _, title := range titles {
		a, err := ask(t, l, "asking for "+title)
		require.NoError(t, err)
		parent := ""
		for _, r := range a.Related {
			if r.Relation == "parent" {
				parent = strings.TrimPrefix(r.Command, "/when § ")
			}
		}
		require.Equal(t, parents[title], parent, title)
		require.Equal(t, "file", a.Related[len(a.Related)-1].Relation)
	}
}

func open(t *testing.T, files map[string]string) *when.Library {
	t.Helper()
	l, err := when.Open(repotest.Tree(files), config.Default())
	require.NoError(t, err)
	return l
}

func writeFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, repotest.Tree(files)))
	return dir
}

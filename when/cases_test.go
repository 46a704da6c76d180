package when_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/test/repotest"
	"whence/when"
)

// unmet are the cases of cases/when.jsonl that are not met, with the reason.
var unmet = map[string]string{
	"R-025": twoFields, "R-026": twoFields, "R-028": twoFields, "R-029": twoFields, "R-030": twoFields,
	"R-033": noArtifact,
	"F-001": noScore, "F-002": noScore, "F-004": noScore, "F-005": noScore, "F-006": noScore, "F-008": noScore,
	"F-026": "about the examples of another program's skill",
	"F-031": "a trigger is answered as it stands, not by the ratio of two scores",
	"F-032": "which headings need an entry is for memory-validate (V-016)",
	"N-010": "a section is printed with its title as the first heading, at whatever level it has",
	"E-008": "says \"names several sections\", and both, where the case expects the word ambiguous",
}

// Why cases are not met.
const (
	twoFields  = "an index of two fields is for memory-migrate"
	noArtifact = "there is no recall artifact"
	noScore    = "entries have no score of letters in order: words are compared, and pairs of letters"
)

// TestSharedCases runs the cases of a memory, queries, and what is to be printed.
func TestSharedCases(t *testing.T) {
	run := func(c *repotest.Case) {
		args := c.Object("args")
		runs := map[string]func(*repotest.Case, *repotest.Fields){"resolve": resolveCase, "match": matchCase, "hierarchy": hierarchyCase, "ancestors": hierarchyCase}
		if run := runs[args.Text("cmd")]; run != nil {
			run(c, args)
			return
		}
		c.Fatalf("there is no %s", args.Text("cmd"))
	}
	repotest.Cases{
		File: "when.jsonl", Package: "when", Unmet: unmet,
		Run: map[string]func(*repotest.Case){"resolve": run, "nav": run, "error": run, "fuzzy": run},
	}.Test(t)
}

// filesOf are the files of a case.
func filesOf(c *repotest.Case) (files map[string]string) {
	c.Decode("files", &files)
	return files
}

// resolveCase runs the program.
func resolveCase(c *repotest.Case, args *repotest.Fields) {
	dir := writeFiles(c, filesOf(c))
	stdin, words := args.Text("stdin"), append([]string{"memory-when"}, args.Texts("queries")...)
	if stdin != "" {
		words = append(words, "-")
	}
	var stdout, stderr strings.Builder
	status := when.Main(cli.Env{
		Args: words, Dir: dir, Getenv: repotest.NoHome,
		Stdin: strings.NewReader(stdin), Stdout: &stdout, Stderr: &stderr,
	})
	out := stdout.String() + stderr.String()
	want := c.Expect
	if want.Has("exit") {
		require.Equal(c, want.Number("exit"), status, out)
	}
	if want.True("exit_nonzero") {
		require.NotZero(c, status, out)
	}
	if want.True("exit_any") { // an answer or none, and no failure
		require.LessOrEqual(c, status, 1, out)
	}
	if want.Has("stdout") {
		require.Equal(c, want.Text("stdout"), stdout.String())
	}
	for _, part := range want.Texts("contains") {
		require.Contains(c, out, part)
	}
	for _, part := range want.Texts("contains_ci") {
		require.Contains(c, strings.ToLower(out), strings.ToLower(part))
	}
	for _, part := range want.Texts("not_contains") {
		require.NotContains(c, out, part)
	}
	for _, line := range want.Texts("not_contains_line") {
		require.NotContains(c, strings.Split(out, "\n"), line)
	}
	counts := want.Object("count")
	for _, text := range counts.Keys() {
		require.Equal(c, counts.Number(text), strings.Count(out, text), text)
	}
}

// matchCase looks a query up among triggers: the best one is the answer, or the
// first suggestion.
func matchCase(c *repotest.Case, args *repotest.Fields) {
	var index strings.Builder
	index.WriteString("## agents/decisions/a.md\n")
	decisions := "# A\n"
	for _, trigger := range args.Texts("candidates") {
		index.WriteString("/when " + trigger + " | On " + trigger + " | d\n")
		decisions += "\n## On " + trigger + "\nC.\n"
	}
	require.Empty(c, filesOf(c))
	l := open(c, map[string]string{"agents/memory-index.md": index.String(), "agents/decisions/a.md": decisions})
	a, err := ask(c, l, args.Text("query"))
	best := strings.TrimPrefix(a.Title, "On ")
	if notFound, isNotFound := err.(*when.NotFound); isNotFound && len(notFound.Suggestions) > 0 {
		best = strings.TrimPrefix(notFound.Suggestions[0].Command, "/when ")
	}
	require.Equal(c, c.Expect.Text("best"), best)
}

// hierarchyCase asks for headings and looks at the parent section that is named.
func hierarchyCase(c *repotest.Case, args *repotest.Fields) {
	titles := args.Texts("of")
	parents := map[string]string{}
	expected := c.Expect.Object("parents")
	for _, title := range expected.Keys() {
		titles = append(titles, title)
		parents[title] = expected.Text(title)
	}
	var outputs [][]string
	c.Expect.Decode("outputs", &outputs)
	for i, ancestors := range outputs {
		if n := len(ancestors); n > 1 { // the file comes last
			parents[titles[i]] = ancestors[n-2]
		}
	}
	files := filesOf(c)
	var index strings.Builder
	for name := range files {
		index.WriteString("## " + name + "\n")
	}
	for _, title := range titles {
		index.WriteString("/when asking for " + strings.ToLower(title) + " | " + title + " | d\n")
	}
	files["agents/memory-index.md"] = index.String()
	l := open(c, files)
	levels := c.Expect.Object("levels")
	for i, title := range titles {
		a, err := ask(c, l, "asking for "+title)
		require.NoError(c, err)
		parent, file := "", ""
		for _, r := range a.Related {
			switch r.Relation {
			case "parent":
				parent = strings.TrimPrefix(r.Command, "/when § ")
			case "file":
				file = strings.TrimPrefix(r.Command, "/when § ")
			}
		}
		require.Equal(c, parents[title], parent, title)
		require.Equal(c, "file", a.Related[len(a.Related)-1].Relation)
		if i < len(outputs) {
			require.Equal(c, outputs[i][len(outputs[i])-1], file)
		}
		if levels.Has(title) {
			signs, _, _ := strings.Cut(strings.Split(files[a.File], "\n")[a.Line-1], " ")
			require.Len(c, signs, levels.Number(title), title)
		}
	}
}

func open(t testing.TB, files map[string]string) *when.Lookup {
	t.Helper()
	l, err := when.Open(repotest.Tree(files), config.Default())
	require.NoError(t, err)
	return l
}

func writeFiles(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, repotest.Tree(files)))
	return dir
}

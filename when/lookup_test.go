package when_test

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/decision"
	"whence/when"
)

// Memories with nothing in them, or with far too much on a line, answer like any other.
func TestOddMemories(t *testing.T) {
	long := strings.Repeat("jitter ", 150_000)
	for name, files := range map[string][2]string{
		"empty":               {"", ""},
		"headings alone":      {"## agents/decisions/a.md\n## agents/decisions/b.md\n", "# A\n## B\n## .C\n###\n"},
		"no final line end":   {"## agents/decisions/a.md\n/when retry calls | B | x y", "## B"},
		"CRLF":                {"## agents/decisions/a.md\r\n\r\n/when retry calls | B | x y\r\n", "# A\r\n\r\n## B\r\n\r\n<!-- situations:\r\nit hangs\r\n-->\r\n\r\nText.\r\n"},
		"long lines":          {"## agents/decisions/a.md\n/when " + long + "| B | x\n/when retry calls | B | " + long + "\n", "## B\n" + long + "\n"},
		"a title of the dots": {"## agents/decisions/a.md\n/when retry calls | ... | x\n", "## ...\n"},
		"a dot and a blank":   {"## agents/decisions/a.md\n/when retry calls | Retry | x\n", "## . c\n### Retry\n"},
		"title of a file":     {"## agents/decisions/a.md\n/when retry calls | Retry | x\n", "## .See a.md\n### Retry\n## .b.md\n"},
		"one heading twice":   {"## agents/decisions/a.md\n/when retry calls | B | x\n/how retry calls | B | x\n", "## B\n## B\n## .B\n"},
	} {
		t.Run(name, func(t *testing.T) { askAll(t, files[0], files[1], "retry calls", false) })
	}
}

// FuzzLookup asks any memory anything. What is answered is in the file, and every
// query beside an answer has an answer.
func FuzzLookup(f *testing.F) {
	f.Add("## agents/decisions/a.md\n/when retry calls | B | x\n/how aed | .C | \n", "# A\n## .G\n### B\n<!-- situations:\nit hangs\n-->\nx\n## C\n## C\n", "§ a.md .G")
	f.Add("/when a | B | c\n", "## b\r\n", "..a.md")
	f.Add("## agents/decisions/a.md\n/when .x | B | c\n", "## B\n### .x\n", ".x")
	f.Fuzz(func(t *testing.T, index, file, query string) {
		if len(index)+len(file)+len(query) > 5000 || !utf8.ValidString(index+file) || strings.ContainsRune(index+file, 0) || decision.Parse("", []byte(file)).TooDeep > 0 {
			return
		}
		askAll(t, index, file, query, true)
	})
}

// askAll asks a memory of one file for a query, for all of its entries, and for what
// applies to the query as text.
func askAll(t *testing.T, index, file, query string, related bool) {
	tree := fstest.MapFS{config.DefaultIndex: {Data: []byte(index)}, "agents/decisions/a.md": {Data: []byte(file)}}
	l, err := when.Open(tree, config.Default())
	if err != nil { // bare carriage returns
		return
	}
	queries := []string{query, "§ a.md", "§ .B"}
	for e := range entries(tree) {
		queries = append(queries, "/"+e.Operator+" "+e.Trigger.Text)
	}
	for _, text := range queries {
		q, err := when.ParseQuery(text)
		if err != nil {
			continue
		}
		a, err := l.Resolve(q)
		if err != nil {
			var notFound *when.NotFound
			if errors.As(err, &notFound) {
				requireAnswers(t, l, text, notFound.Suggestions)
			}
			continue
		}
		require.Contains(t, strings.TrimPrefix(file, "\uFEFF"), strings.TrimSpace(strings.SplitN(a.Text, "\n", 2)[0]))
		for _, r := range a.Related {
			if related {
				requireAnswers(t, l, text, []when.Suggestion{{Command: r.Command}})
			}
		}
	}
	for _, r := range l.Recall(query, 3) {
		require.GreaterOrEqual(t, r.Score, 0.0)
		require.NotEmpty(t, r.Title)
	}
}

// requireAnswers asks what was suggested for a query. An entry may lead to a heading that does not exist; nothing may
// be unknown.
func requireAnswers(t *testing.T, l *when.Lookup, query string, suggested []when.Suggestion) {
	for _, s := range suggested {
		q, err := when.ParseQuery(s.Command)
		if !strings.Contains(s.Command, "§") && (err != nil || q.Kind != when.EntryQuery) {
			continue // a trigger that looks like another kind of query is read as that
		}
		require.NoError(t, err, "%q suggests %q", query, s.Command)
		_, err = l.Resolve(q)
		var notFound *when.NotFound
		require.False(t, errors.As(err, &notFound), "%q suggests %q: %v", query, s.Command, err)
	}
}

package trigger_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/decision"
	"whence/internal/test/repotest"
	"whence/internal/trigger"
)

func TestDescribe(t *testing.T) {
	for _, test := range []struct{ name, title, text, want string }{
		{"a sentence", "Cursors", "Lists are read by cursor.", "Lists are read by cursor"},
		{"the labelled decision", "Cursors", "**Date:** 2026-01-02\n\nOffsets were slow.\n\n**Decision:** Read lists by cursor.", "Read lists by cursor"},
		{"a clause", "Cursors", "Cursors name a row, which offsets cannot do while other clients insert rows before it.", "Cursors name a row"},
		{"before a phrase", "Cursors", "Cursors keep the order of rows while other clients insert and delete them all the time.", "Cursors keep the order of rows"},
		{"the main clause", "Cursors", "If rows move, clients list them by cursor.", "clients list them by cursor"},
		{"one about the title", "Retry policy", "There was a long discussion of this among all teams in the spring. Ask again. Three retries are the policy.", "Three retries are the policy"},
		{"none that points back", "Cursors", "This is why they are used everywhere. Cursors name rows well.", "Cursors name rows well"},
		{"closed marks", "Cursors", "Call `list the rows` (by cursor, or by \"a page\" of them with all that belongs to it and more).", "Call list the rows"},
		{"a second one", "x", "Rows may move. Name each by cursor.", "Rows may move; Name each by cursor"},
		{"words", "Cursors", "Because cursors\n\n- offsets\n- rows are\n- offsets\n", "offsets, rows"},
		{"nothing", "Cursors", "```\ncode\n```\n", ""},
	} {
		require.Equal(t, test.want, trigger.Describe(trigger.Section{Title: test.title, Text: test.text}, 4, 8), test.name)
	}
}

// words and marks that no description ends with
var leadsOn = regexp.MustCompile(`(?i)(^|\s)(a|an|the|of|to|for|with|and|or|but|is|are|was|be|by|in|on|at|from|as|than|which|not|because|its|their)$|[,;:(\[{–—-]$`)

// Each description of the decisions at hand is whole words in their order, closes its marks and
// does not lead on.
func TestDescriptionsOfDecisions(t *testing.T) {
	names, err := filepath.Glob(filepath.Join(repotest.Shared(t, "corpora"), "*/agents/decisions/*.md"))
	require.NoError(t, err)
	require.NotEmpty(t, names)
	described := 0
	for _, name := range names {
		src, err := os.ReadFile(name)
		require.NoError(t, err)
		file := decision.Parse(name, src)
		for i, h := range file.Headings {
			if !h.Semantic() {
				continue
			}
			text := trigger.Describe(trigger.Section{Title: h.Title, Text: string(file.Body(i))}, 4, 12)
			if text == "" {
				continue
			}
			described++
			require.NotRegexp(t, leadsOn, text, h.Title)
			require.LessOrEqual(t, len(strings.Fields(text)), 12)
			for open, close := range map[string]string{"(": ")", "[": "]", "“": "”"} {
				require.Equal(t, strings.Count(text, open), strings.Count(text, close), "%s: %s", h.Title, text)
			}
		}
	}
	require.Greater(t, described, 1000)
}

func FuzzDescribe(f *testing.F) {
	f.Add("Cursors", "**Decision:** Read lists `by cursor`, not (ever) by offset.", 4, 8)
	f.Fuzz(func(t *testing.T, title, text string, least, most int) {
		require.LessOrEqual(t, len(strings.Fields(trigger.Describe(trigger.Section{Title: title, Text: text}, least, most))), max(most, 1))
	})
}

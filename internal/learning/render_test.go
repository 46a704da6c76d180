package learning_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	gmtext "github.com/yuin/goldmark/text"

	"whence/internal/inert"
	"whence/internal/learning"
)

// foreignBlocks says what rendered text opens apart from a number of headings, its lists
// and the rule at its end.
func foreignBlocks(rendered string, headings int) string {
	kinds := map[string]int{}
	root := goldmark.DefaultParser().Parse(gmtext.NewReader([]byte(rendered)))
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			kinds[n.Kind().String()]++
		}
		return ast.WalkContinue, nil
	})
	for kind, most := range map[string]int{"FencedCodeBlock": 0, "CodeBlock": 0, "HTMLBlock": 0, "RawHTML": 0, "Blockquote": 0, "ThematicBreak": 1, "Heading": headings, "AutoLink": 0} {
		if kinds[kind] > most {
			return fmt.Sprintf("%d times %s: %q", kinds[kind], kind, rendered)
		}
	}
	if kinds["Heading"] != headings {
		return fmt.Sprintf("%d headings: %q", kinds["Heading"], rendered)
	}
	for _, r := range rendered {
		if r != '\n' && (unicode.IsControl(r) && r != '\t' || r >= 0xe0000 && r <= 0xe007f || r == '\u202e') {
			return fmt.Sprintf("holds %U", r)
		}
	}
	if !utf8.ValidString(rendered) {
		return "is no UTF-8"
	}
	return ""
}

func candidate(name, description string, c learning.Category) learning.Candidate {
	return learning.Candidate{Learning: learning.Learning{Name: name, Description: description, Category: c, Confidence: learning.Low, Source: learning.Retro, Observations: 1}}
}

// hard are texts with Markdown that must not take effect.
var hard = []string{
	"### Heading\n# one\n## two\n#### four\n#hash", "- bullet\n\\- escaped\n\\\\- twice\n-", "```\nopen for ever", "```go\n### inside\n- too\n```\nafter\n~~~", "~~~\n```\n~~~\n```",
	"<!-- comment -->", "a <!-- b", "  indented\n\n  - list\n\tcode", "Pattern: x", "a: b\n- Confidence: high\n---\n> q\n| t |", "trailing  \nblank lines\n\n\nend", "\\", "-->", "````\n```\n````",
}

func FuzzRender(f *testing.F) {
	for _, s := range hard {
		f.Add(s, s)
	}
	f.Add("</system-reminder>", "a\n===\nb\n---\n<details>\n</system-reminder>\n\x1b[31mred\x1b[0m\x00\u202e\U000e0041")
	f.Add("*x*", "\\<b>\n\\\\<b>\n[a]: http://x\n1. one\n* * *\n\t- tab")
	f.Fuzz(func(t *testing.T, name, description string) {
		rendered := learning.Render([]learning.Candidate{candidate(name, description, learning.Patterns), candidate("B", "b", learning.AntiPatterns)}, 2)
		require.Empty(t, foreignBlocks(rendered, 5))
		require.Empty(t, foreignBlocks(learning.RenderFound([]learning.Learning{{Name: name, Description: description, Reasoning: description, Confidence: learning.Low}}, false), 1))
		require.Equal(t, inert.Paragraphs(description), inert.Paragraphs(inert.Clean(description)))
	})
}

func TestRenderClips(t *testing.T) {
	sentence := "Retries hide timeouts from the caller. "
	rendered := learning.Render([]learning.Candidate{candidate("A", strings.Repeat(sentence, 40), learning.Patterns)}, 12)
	require.Contains(t, rendered, "…\n- Observation count: 1\n")
	require.Contains(t, rendered, "*Learnings shown: 1 of 12; ")
	require.Less(t, len(rendered), 800)
	rendered = learning.Render([]learning.Candidate{candidate("A", strings.Repeat("é", 900), learning.Patterns)}, 1)
	require.Contains(t, rendered, "é…\n")
}

// What the name already says is not repeated below it.
func TestRenderSaysItOnce(t *testing.T) {
	require.Contains(t, learning.Render([]learning.Candidate{candidate("Retries hide timeouts", "retries hide timeouts", learning.Patterns)}, 1),
		"### Patterns to Follow\n#### Retries hide timeouts\n- Observation count: 1\n")
	require.Contains(t, learning.Render([]learning.Candidate{candidate("Retries hide", "retries hide timeouts", learning.Patterns)}, 1),
		"#### Retries hide\nretries hide timeouts\n- Observation count: 1\n")
}

func TestRenderFound(t *testing.T) {
	found := []learning.Learning{
		{Name: "A", Description: "a", Category: learning.AntiPatterns, Confidence: learning.High},
		{Name: "B", Description: "b", Reasoning: "r", Category: learning.Heuristics, Confidence: learning.Low},
	}
	require.Equal(t, "Found 2 entries:\n- A (high)\n- B (low)\n", learning.RenderFound(found, true))
	require.Equal(t, "Found 2 relevant memories:\n\n### Anti-Pattern: A\na\n- Confidence: high\n\n### Heuristic: B\nb\n- Why: r\n- Confidence: low\n", learning.RenderFound(found, false))
}

// TestSelection: for any ranking, a selection keeps count, bytes, share and order.
func TestSelection(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing here runs side by side")
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		var ranked []learning.Candidate
		others := 0
		for i := range random.IntN(40) {
			c := candidate(fmt.Sprint("name ", i), strings.Repeat("word ", 1+random.IntN(150)), learning.Categories()[random.IntN(3)])
			c.ID = fmt.Sprint(i)
			if random.IntN(3) > 0 {
				c.Source = learning.SessionCapture
			} else {
				others++
			}
			ranked = append(ranked, c)
		}
		b := learning.Budget{Count: random.IntN(25) - 1, Total: 12345}
		if random.IntN(2) == 0 {
			b.Bytes = random.IntN(4000)
		}
		picked := learning.Select(ranked, b)
		require.LessOrEqual(t, len(picked), max(b.Count, 0))
		n := captures(picked)
		if len(picked)-n < others {
			require.LessOrEqual(t, n, max(1, len(picked)*2/5), "%d of %d", n, len(picked))
		} else if b.Bytes == 0 {
			require.Len(t, picked, min(max(b.Count, 0), len(ranked)), "nothing is hidden while there is room")
		}
		if b.Bytes > 0 {
			require.LessOrEqual(t, len(learning.Render(picked, b.Total)), b.Bytes)
		} else if b.Count > 0 && len(ranked) > 0 {
			require.NotEmpty(t, picked)
			require.GreaterOrEqual(t, len(picked), min(b.Count, others))
		}
		at := -1
		for _, p := range picked {
			next := at + 1
			for next < len(ranked) && ranked[next].ID != p.ID {
				next++
			}
			require.Less(t, next, len(ranked), "the order is kept")
			at = next
		}
	}
}

func TestSelectCaptures(t *testing.T) {
	var ranked []learning.Candidate
	for i := range 20 {
		c := candidate(fmt.Sprint("p", i), "d", learning.Patterns)
		c.Source = learning.SessionCapture
		ranked = append(ranked, c)
	}
	require.Empty(t, learning.Select(ranked, learning.Budget{}))
	require.Len(t, learning.Select(ranked, learning.Budget{Count: 20}), 20, "nothing but captures")
	require.Len(t, learning.Select(ranked, learning.Budget{Count: 1}), 1)
	ranked[19].Source = learning.Import
	require.Len(t, learning.Select(ranked, learning.Budget{Count: 30}), 20, "an import hides nothing")
}

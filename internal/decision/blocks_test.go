package decision_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/decision"
	"whence/internal/test/repotest"
)

// outline returns a line for each block with the lines of its text, as they are at their offsets.
func outline(src string) string {
	var out strings.Builder
	m := decision.NewMarkdown([]byte(src))
	for _, b := range m.Blocks() {
		name := [...]string{"paragraph", fmt.Sprint("heading ", b.Level), "code", "html", "other"}[b.Kind]
		if !b.Top {
			name = " " + name
		}
		out.WriteString(name)
		if b.End > 0 {
			fmt.Fprintf(&out, " %q", src[b.Start:b.End])
		} else {
			for _, l := range b.Lines {
				fmt.Fprintf(&out, " %q", src[l.Start:l.End])
			}
		}
		out.WriteByte('\n')
	}
	return out.String()
}

func TestBlocks(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"# a\n\n## b ##\n#c\n", "heading 1 \"# a\\n\"\nheading 2 \"## b ##\\n\"\nparagraph \"#c\"\n"},
		{"a\nb\n===\nc\n---\n---\n", "heading 1 \"a\\nb\\n===\\n\"\nheading 2 \"c\\n---\\n\"\nother\n"},
		{"> a\nb\n> - c\n>   d\n\ne\n", "other\n paragraph \"a\" \"b\"\n other\n other\n paragraph \"c\" \"d\"\nparagraph \"e\"\n"},
		{"```go x\n# a\n~~~\n````\nb\n", "code \"# a\" \"~~~\"\nparagraph \"b\"\n"},
		{"    a\n\n    b\n\nc\n    d\n", "code \"a\" \"\" \"b\"\nparagraph \"c\" \"d\"\n"},
		{"<!-- a\n\nb --> c\n<div>\nd\n\n<x-y>\ne\n", "html \"<!-- a\\n\\nb --> c\\n\"\nhtml \"<div>\\nd\\n\"\nhtml \"<x-y>\\ne\\n\"\n"},
		{"[x]: y\n", "paragraph \"[x]: y\"\n"},
		{"\uFEFF---\na: b\n---\n# a", "heading 1 \"# a\"\n"},
		{"+++\n## a\n+++\nb\n", "paragraph \"b\"\n"},
	} {
		require.Equal(t, c.want, outline(c.src), "%q", c.src)
		crlf := strings.ReplaceAll(c.src, "\n", "\r\n")
		require.Equal(t, c.want, strings.ReplaceAll(outline(crlf), `\r`, ""), "%q", crlf)
	}
}

// nested returns lists, each in the one before.
func nested(n int) string {
	var out strings.Builder
	for i := range n {
		out.WriteString(strings.Repeat("  ", i) + "- x\n")
	}
	return out.String()
}

// hostile are texts for which a parser of Markdown might take long.
func hostile() map[string]string {
	return map[string]string{
		"1,000 nested lists":          nested(1000),
		"1,000 empty nested lists":    strings.ReplaceAll(nested(1000), " x", ""),
		"100,000 quotes":              strings.Repeat(">", 100_000) + " x\n",
		"100,000 quoted lines":        strings.Repeat(strings.Repeat(">", 50)+" x\n", 10_000),
		"100,000 list markers":        strings.Repeat("- ", 100_000) + "x\n",
		"nested as far as allowed":    strings.Repeat(nested(50), 100),
		"numbered, as far as allowed": strings.Repeat(strings.Repeat("123456789. ", 50)+"x\n", 2000),
		"back-quotes":                 strings.Repeat("`a``", 100_000),
		"runs of back-quotes":         runs(600),
		"open comments":               strings.Repeat("x <!--", 50_000),
		"open tags":                   strings.Repeat("<a\n", 20_000),
		"open brackets":               strings.Repeat("[", 300_000),
		"underlines":                  strings.Repeat("a\n---\n", 20_000),
		"fences":                      strings.Repeat("```\n~~~\n", 20_000),
		"open object":                 strings.Repeat(`{"a":`, 100_000),
		"statuses":                    "# A\n\n## Status\n\n" + strings.Repeat("Superseded by [", 50_000),
		"a wrapped status":            "Status: accepted\n" + strings.Repeat("x\n", 100_000),
		"many successors":             strings.Repeat("Superseded by ADR-5\n\n", 50_000),
		"a long label":                strings.Repeat("superseded by the ", 50_000),
		"a long status":               "Status: " + strings.Repeat("supersedes 5, ", 50_000),
	}
}

func runs(n int) string {
	var out strings.Builder
	for i := range n {
		out.WriteString(strings.Repeat("`", i+1) + "a")
	}
	return out.String()
}

// A hostile file costs little time, since an event has only a second.
func TestHostileFiles(t *testing.T) {
	for name, src := range hostile() {
		t.Run(name, func(t *testing.T) {
			repotest.RequireBrief(t, "it", func() {
				f := decision.ParseDocument("docs/adr/0001-a.md", []byte(src))
				f.CodeSpans()
				f.Status()
				decision.Succession([]*decision.File{f})
			})
		})
	}
}

// Headings of a file that is nested too deeply are not known, and it says so.
func TestTooDeep(t *testing.T) {
	for name, test := range map[string]struct {
		src  string
		want int
	}{
		"empty":            {"", 0},
		"ordinary":         {"# A\n\n- a\n  - b\n    - c\n> q\n\n    code\n", 0},
		"rule":             {strings.Repeat("-", 1000) + "\n", 0},
		"indented text":    {"a\n" + strings.Repeat(" ", 5000) + "ascii art\n", 0},
		"quotes":           {"a\n" + strings.Repeat(">", 51) + " x\n", 2},
		"quotes, spaces":   {strings.Repeat("> ", 300) + "x\n", 1},
		"list marks":       {"a\n\n" + strings.Repeat("- ", 300) + "x\n", 3},
		"nested lists":     {"a\n" + nested(51), 52},
		"an empty item":    {nested(50) + "\n" + strings.Repeat("  ", 50) + "-\r\n", 52},
		"numbered":         {strings.Repeat("1. ", 300) + "x\n", 1},
		"nested with tabs": {"- a\n\t" + strings.Repeat("* ", 50) + "x\n", 2},
		"front matter":     {"---\na: b\n---\n" + strings.Repeat(">", 51) + " x\n", 4},
		"quoted list":      {strings.Repeat(">", 25) + strings.Repeat("- ", 26) + "x\n", 1},
		"just not":         {nested(50) + "\na\n\n" + strings.Repeat(">", 50) + "x\n", 0},

		"a drawing in a fence": {"```\n" + strings.Repeat(" ", 110) + "* far right label\n```\n", 0},
		"quotes in a fence":    {"~~~\n" + strings.Repeat(">", 51) + " x\n~~~\n", 0},
		"a fence in a list":    {"- a\n  ```\n  " + strings.Repeat("- ", 300) + "x\n  ```\n", 0},
		"indented code":        {"a\n\n    " + strings.Repeat("> ", 300) + "x\n", 0},
		"code with tabs":       {strings.Repeat("\t", 26) + "* x\n", 0},
		"an item continued":    {"a\n" + strings.Repeat(" ", 101) + "- x\n", 0},
		"a comment":            {"<!--\n" + strings.Repeat(">", 51) + " x\n-->\n", 0},
		"below a fence":        {"```\na\n```\n" + strings.Repeat(">", 51) + " x\n", 4},
	} {
		t.Run(name, func(t *testing.T) {
			f := decision.Parse("a.md", []byte(test.src+"\n# H\n"))
			require.Equal(t, test.want, f.TooDeep)
			require.Equal(t, test.want == 0, len(f.Headings) > 0)
		})
	}
}

package decision_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/decision"
)

// example is a numbered example of docs/grammar.md that is about a decision file.
var example = regexp.MustCompile("(?ms)^Example (\\d+)\n\n````decision\n(.*?)^````\n\n```headings\n(.*?)^```$")

func TestGrammar(t *testing.T) {
	src, err := os.ReadFile("../../docs/grammar.md")
	require.NoError(t, err)
	examples := example.FindAllStringSubmatch(string(src), -1)
	require.Len(t, examples, 2)
	for _, e := range examples {
		t.Run(e[1], func(t *testing.T) {
			require.Equal(t, e[3], describe(decision.Parse("a.md", []byte(e[2]))))
		})
	}
}

// The same headings are found, with the same lines, whatever the line ends are.
func TestLineEndsAndByteOrderMark(t *testing.T) {
	src := "# T\n\nA\n-\ntext\n\n### B ###\n<!-- situations:\nx y\n-->\n\n```\n## no\n```\n## C"
	want := describe(decision.Parse("a.md", []byte(src)))
	require.Contains(t, want, `7 H3 "B"`)
	require.Contains(t, want, `15 H2 "C"`)
	require.Contains(t, want, `8 situation of "B": "x y"`)
	for name, variant := range map[string]string{
		"CRLF":         strings.ReplaceAll(src, "\n", "\r\n"),
		"BOM":          "\uFEFF" + src,
		"BOM and CRLF": "\uFEFF" + strings.ReplaceAll(src, "\n", "\r\n"),
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, want, describe(decision.Parse("a.md", []byte(variant)))) })
	}
}

func TestHeadings(t *testing.T) {
	for name, test := range map[string]struct {
		src  string
		want []string // titles, with their section's text
	}{
		"nothing":                {"", nil},
		"no final newline":       {"## A", []string{"A: "}},
		"one character":          {"## X\ny\n", []string{"X: y\n"}},
		"empty heading":          {"## \ntext\n##\n", nil},
		"only closing hashes":    {"## ##\n", nil},
		"seven hashes":           {"####### x\n", nil},
		"no blank after hashes":  {"##x\n", nil},
		"nested section":         {"## A\na\n### B\nb\n## C\nc\n", []string{"A: a\n### B\nb\n", "B: b\n", "C: c\n"}},
		"deeper first":           {"### A\na\n## B\nb\n", []string{"A: a\n", "B: b\n"}},
		"setext on three lines":  {"one\ntwo\nthree\n---\nbody\n", []string{"one two three: body\n"}},
		"rule is no heading":     {"## A\n\n---\n\nb\n", []string{"A: \n---\n\nb\n"}},
		"unclosed fence":         {"## A\n```\n## B\n", []string{"A: ```\n## B\n"}},
		"unclosed comment":       {"## A\n<!-- x\n## B\n", []string{"A: <!-- x\n## B\n"}},
		"comment in paragraph":   {"text <!-- x\n## B\n-->\n", []string{"B: -->\n"}},
		"TOML front matter":      {"+++\n## x\ntitle = \"y\"\n+++\n## A\n", []string{"A: "}},
		"JSON front matter":      {"{\n\"title\": \"y\"\n}\n## A\n", []string{"A: "}},
		"unclosed front matter":  {"---\n## A\nx\n", []string{"A: x\n"}},
		"rule at the start":      {"---\n\n## A\n", []string{"A: "}},
		"details block":          {"<details>\n## no\n\n## A\n</details>\n", []string{"A: </details>\n"}},
		"indented by three":      {"   ## A\nx\n", []string{"A: x\n"}},
		"indented by four":       {"    ## A\n", nil},
		"attributes are text":    {"## A {#id}\n", []string{"A {#id}: "}},
		"trailing blanks":        {"## A  \t\nx\n", []string{"A: x\n"}},
		"heading of pipes":       {"## a | b\n", []string{"a | b: "}},
		"link reference as text": {"[x]: y\n## A\n", []string{"A: "}},
	} {
		t.Run(name, func(t *testing.T) {
			f := decision.Parse("a.md", []byte(test.src))
			var got []string
			for i, h := range f.Headings {
				got = append(got, h.Title+": "+string(f.Body(i)))
			}
			require.Equal(t, test.want, got)
		})
	}
}

func TestKey(t *testing.T) {
	for _, same := range [][2]string{
		{"Mock Patching", "mock  PATCHING"}, {"GRÖẞE", "größe"}, {"ΣΊΣΥΦΟΣ", "σίσυφος"}, {"Kelvin", "\u212Aelvin"}, {"İstanbul", "İSTANBUL"}, {"Libe\u0301rer", "LIB\u00c9RER"},
	} {
		require.Equal(t, decision.Key(same[0]), decision.Key(same[1]))
	}
	require.NotEqual(t, decision.Key("a b"), decision.Key("ab"))
	require.NotEqual(t, decision.Key("`a`"), decision.Key("a"), "markup is part of a title")
}

func TestSituations(t *testing.T) {
	for name, test := range map[string]struct {
		comment   string
		want      []string
		canonical bool
	}{
		"one a line":         {"<!-- situations:\na b\nc\n-->", []string{"a b", "c"}, true},
		"on the first line":  {"<!-- situations: a b -->", []string{"a b"}, false},
		"before the end":     {"<!-- situations:\na b -->", []string{"a b"}, false},
		"blank line":         {"<!-- situations:\na\n\nb\n-->", []string{"a", "b"}, false},
		"blanks":             {"<!-- situations:\n a  b\n-->", []string{"a b"}, false},
		"word on next line":  {"<!--\nsituations:\na\n-->", []string{"a"}, true},
		"capitals":           {"<!--Situations:\na\n-->", []string{"a"}, true},
		"none":               {"<!-- situations:\n-->", nil, true},
		"none on one line":   {"<!-- situations:-->", nil, true},
		"arrow in a phrase":  {"<!-- situations:\na -> b\n-->", []string{"a -> b"}, true},
		"indented comment":   {"  <!-- situations:\na\n-->", []string{"a"}, true},
		"heading in comment": {"<!-- situations:\n## a\n-->", []string{"## a"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			f := decision.Parse("a.md", []byte("## H\n\n"+test.comment+"\n\ntext\n"))
			require.Len(t, f.Situations, 1)
			s := f.Situations[0]
			var got []string
			for _, p := range s.Phrases {
				got = append(got, p.Text)
			}
			require.Equal(t, test.want, got)
			require.True(t, s.Closed)
			require.Equal(t, 0, s.Heading)
			require.Equal(t, test.canonical, s.Canonical)
			require.Equal(t, strings.TrimSpace(test.comment), string(f.Source[s.Start:s.End]))
		})
	}
	for name, src := range map[string]string{
		"another comment": "## H\n<!-- situation -->\n", "in a fence": "## H\n```\n<!-- situations:\na\n-->\n```\n", "prose": "## H\nsituations:\n",
	} {
		require.Empty(t, decision.Parse("a.md", []byte(src)).Situations, name)
	}
}

func TestCodeSpans(t *testing.T) {
	src := "---\na: `no`\n---\n# `title` x\n\nSee `a/b.md` and ``c`d``,\nacross `two\nlines`.\n\n- item `e`\n\n```\n`no`\n```\n\n| `f` | g |\n\n<!-- `no` -->\n"
	f := decision.Parse("a.md", []byte(src))
	var spans []string
	for _, s := range f.CodeSpans() {
		require.Equal(t, s.Text, src[s.Start:s.Start+len(s.Text)])
		spans = append(spans, fmt.Sprint(s.Line, s.Text))
	}
	require.Equal(t, []string{"4title", "6a/b.md", "6c`d", "10e", "16f"}, spans)
}

func TestCodeSpansInText(t *testing.T) {
	for src, want := range map[string][]string{
		"`a` ``b`c`` ` d ` `e": {"a", "b`c", "d"},
		"\\`a` b` `c`":         {" b", "c"},
		"`a\\` `b`":            {"a\\", "b"},
		"`a\nb` `c`":           {"c"},
		"> - `a`\n>   `b`\n":   {"a", "b"},
		"\uFEFF`a`\r\n`b`\r\n": {"a", "b"},
		"```\n`a`\n```\n":      nil,
		"`` ` ``` ` ` ``` ``":  {"` ``` ` ` ```"},
	} {
		var got []string
		f := decision.Parse("a.md", []byte(src))
		for _, s := range f.CodeSpans() {
			require.Equal(t, s.Text, src[s.Start:s.Start+len(s.Text)])
			got = append(got, s.Text)
		}
		require.Equal(t, want, got, src)
	}
}

// describe writes a line for each heading and situation of a decision file.
func describe(f *decision.File) string {
	var out strings.Builder
	for _, h := range f.Headings {
		fmt.Fprintf(&out, "%d H%d %q ", h.Line, h.Level, h.Title)
		if h.Structural() {
			out.WriteString("structural ")
		}
		if h.Intro {
			out.WriteString("intro ")
		}
		fmt.Fprintf(&out, "%d-%d\n", h.Line, f.LineAt(h.End-1))
	}
	for _, s := range f.Situations {
		of := "nothing"
		if s.Heading >= 0 {
			of = fmt.Sprintf("%q", f.Headings[s.Heading].Title)
		}
		for _, p := range s.Phrases {
			fmt.Fprintf(&out, "%d situation of %s: %q\n", s.Line, of, p.Text)
		}
	}
	return out.String()
}

func FuzzParse(f *testing.F) {
	names, err := filepath.Glob("../../examples/ferry/agents/decisions/*.md")
	require.NoError(f, err)
	require.NotEmpty(f, names)
	for _, name := range names {
		src, err := os.ReadFile(name)
		require.NoError(f, err)
		f.Add(src[:min(len(src), 1500)])
	}
	f.Add([]byte("---\n---\nA\r\n===\n> ## q\n- ## l\n  <!-- situations:\n x\n-->\n<!-- situations: y"))
	f.Fuzz(func(t *testing.T, src []byte) {
		file := decision.Parse("a.md", src)
		at := 0
		for i, h := range file.Headings {
			if h.Start < at || h.Body <= h.Start || h.End < h.Body || h.End > len(src) || h.Parent >= i || h.Title == "" {
				t.Fatalf("heading %d: %+v after offset %d of %d", i, h, at, len(src))
			}
			if h.Line != 1+strings.Count(string(src[:h.Start]), "\n") {
				t.Fatalf("heading %d: line %d", i, h.Line)
			}
			at = h.Start + 1
		}
		for _, s := range file.Situations {
			if s.Start < 0 || s.End < s.Start || s.End > len(src) || s.Heading >= len(file.Headings) {
				t.Fatalf("situations %+v", s)
			}
		}
		file.CodeSpans()
		decision.Sentences(string(src))
	})
}

package index_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/index"
)

// requireLossless requires that the lines and nothing else make up the source.
func requireLossless(t testing.TB, src []byte) *index.File {
	t.Helper()
	f := index.Parse(src)
	at := 0
	if strings.HasPrefix(string(src), "\uFEFF") {
		at = len("\uFEFF")
	}
	for i, l := range f.Lines {
		end := string(src[l.End:l.Next])
		if l.Number != i+1 || l.Start != at || end != "\n" && end != "\r\n" && (end != "" || i+1 < len(f.Lines)) {
			t.Fatalf("line %d: bytes %d to %d, then %q; want it to begin at %d", l.Number, l.Start, l.End, end, at)
		}
		at = l.Next
		for _, field := range []index.Field{l.Entry.Trigger, l.Entry.Title, l.Entry.Description} {
			if source := string(src[field.Start:field.End]); strings.ReplaceAll(source, `\|`, "|") != field.Text {
				t.Fatalf("line %d: field %q stands for %q", l.Number, field.Text, source)
			}
		}
	}
	if at != len(src) {
		t.Fatalf("lines end at %d of %d", at, len(src))
	}
	return f
}

func TestParseIsLossless(t *testing.T) {
	for name, src := range map[string]string{
		"empty":         "",
		"no newline":    "# I\n\n## a.md\n/when x | y | z",
		"CRLF":          "# I\r\n## a.md\r\n/when x | y | z\r\n",
		"mixed":         "# I\r\n## a.md\n/when x | y | z\r\n\n",
		"BOM":           "\uFEFF## a.md\n/when x | y | z\n",
		"only BOM":      "\uFEFF",
		"bare return":   "# I\r## a\rx",
		"NUL and noise": "## a\x00\n/when \xff | \x00 | \x80\n",
		"only blanks":   "\n\n  \n\t\n",
	} {
		t.Run(name, func(t *testing.T) { requireLossless(t, []byte(src)) })
	}
}

func TestFormatEntryIsReadBack(t *testing.T) {
	for _, fields := range [][3]string{
		{"writing tests", "Mock patching", "patch where used"},
		{"a", "Either | or", "one | two || three"},
		{"x", `ends in \`, `\| already escaped \`},
		{"größe prüfen", "AgentId → SessionId", "`__init__.py`: Path.cwd() vs os.getcwd()"},
	} {
		for _, operator := range []string{"when", "how"} {
			src := "## a.md\n" + index.FormatEntry(operator, fields[0], fields[1], fields[2]) + "\n"
			line := requireLossless(t, []byte(src)).Lines[1]
			require.Equal(t, index.EntryLine, line.Kind, src)
			e := line.Entry
			require.Equal(t, operator, e.Operator)
			require.Equal(t, fields, [3]string{e.Trigger.Text, e.Title.Text, e.Description.Text})
		}
	}
}

func TestKey(t *testing.T) {
	key := func(line string) index.Key {
		return index.Parse([]byte("## a\n" + line)).Lines[1].Entry.Key()
	}
	require.Equal(t, key("/when writing tests | T | d"), key("/when  Writing   TESTS | U | e"))
	require.NotEqual(t, key("/when x | T | d"), key("/how x | T | d"), "an operator is part of the key")
}

func TestLineEnd(t *testing.T) {
	require.Equal(t, "\n", index.Parse(nil).LineEnd())
	require.Equal(t, "\n", index.Parse([]byte("a\nb\r\nc\n")).LineEnd())
	require.Equal(t, "\r\n", index.Parse([]byte("a\r\nb\r\nc")).LineEnd())
}

func TestTrimLineEnd(t *testing.T) {
	for _, src := range []string{"", "a", "a\n", "a\r", "a\r\n", "a\r\nb\r\nc", "a\nb\r"} {
		f := index.Parse([]byte(src))
		require.Equal(t, src, string(f.TrimLineEnd(f.WithLineEnd().Source)), "%q", src)
	}
}

// A stray fence or comment at the start of a large file must not make the search
// for its end quadratic.
func TestUnclosedBlocksAreLinear(t *testing.T) {
	src := "## a\n" + strings.Repeat("```\n~~~~\n<!-- x\n/when a | b | c\n", 50_000)
	src = strings.ReplaceAll(src, "```\n", "```go\n") // never a closing fence
	src = strings.Replace(src, "~~~~\n", "~~~ x\n", -1)
	entries := 0
	for _, l := range index.Parse([]byte(src)).Lines {
		if l.Kind == index.EntryLine {
			entries++
		}
	}
	require.Equal(t, 50_000, entries)
}

func FuzzParse(f *testing.F) {
	seeds, err := filepath.Glob("../../docs/*.md")
	require.NoError(f, err)
	require.NotEmpty(f, seeds)
	for _, name := range append(seeds, "../../examples/ferry/agents/memory-index.md") {
		src, err := os.ReadFile(name)
		require.NoError(f, err)
		f.Add(src[:min(len(src), 1000)])
	}
	f.Add([]byte("\uFEFF## a\r\n```\n/when x | y\n~~~\n<!-- \n-->\n/how \\| | \\\\| | \\|\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		file := requireLossless(t, src)
		for _, l := range file.Lines {
			if l.Kind == index.EntryLine {
				e := l.Entry
				again := index.Parse([]byte("## a\n" + index.FormatEntry(e.Operator, e.Trigger.Text, e.Title.Text, e.Description.Text))).Lines[1]
				require.Equal(t, index.EntryLine, again.Kind)
				require.Equal(t, fmt.Sprint(e.Trigger.Text, e.Title.Text, e.Description.Text),
					fmt.Sprint(again.Entry.Trigger.Text, again.Entry.Title.Text, again.Entry.Description.Text))
			}
		}
	})
}

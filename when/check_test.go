package when_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/decision"
	"whence/internal/test/repotest"
	"whence/when"
)

// small is a memory of two decisions.
func small(t testing.TB) *when.Lookup {
	l, err := when.Open(fstest.MapFS{
		config.DefaultIndex: {Data: []byte("## agents/decisions/api.md\n\n" +
			"/when paging lists | Paging | cursor, page size\n/how retry calls | Retries | attempts, jitter\n")},
		"agents/decisions/api.md": {Data: []byte("# API\n\n## .Calls\n\n### Paging\n\nBy cursor.\n\n### Retries\n\nThree.\n")},
	}, config.Default())
	require.NoError(t, err)
	return l
}

var asked = regexp.MustCompile(`"[^"]*"`)

// TestMentions lists the queries without answer that are found in a text, each with
// line, column, and what is asked for.
func TestMentions(t *testing.T) {
	for name, test := range map[string]struct {
		src  string
		want string
	}{
		"code spans":            {"Use `/when a1`, `/how b1` and ``/when § .C1``.\n", `1:6 "a1" 1:18 "b1" 1:33 "C1"`},
		"span in a title":       {"# `/when a1`\n", `1:4 "a1"`},
		"span in an item":       {"- [ ] **`/when a1`** (see x)\n", `1:10 "a1"`},
		"span in a cell":        {"| a |\n|---|\n| `/when a1` |\n", `3:4 "a1"`},
		"column in code points": {"ä🙂 `/when a1` é `/when b1`\n", `1:5 "a1" 1:18 "b1"`},
		"CRLF":                  {"x\r\n\r\n`/when a1`\r\n", `3:2 "a1"`},
		"byte-order mark":       {"\uFEFF`/when a1`\n", `1:3 "a1"`},
		"front matter":          {"---\n/when: `/when a1`\n---\n`/when b1`\n", `4:2 "b1"`},
		"fence":                 {"```\n/when a1\n  /how b1\n/when § .C1  # x\n```\n", `2:1 "a1" 3:1 "b1" 4:1 "C1"`},
		"fence in a list":       {"- x\n\n  ```sh\n  /when a1\n  ```\n", `4:3 "a1"`},
		"commands":              {"```console\n$ memory-when 'a1'\n/when x: output\n$ memory-when 'b1' \"c1\" | less\n```\n`memory-when 'd1'`\n", `2:1 "a1" 4:1 "b1" 4:1 "c1" 6:2 "d1"`},
		"other commands":        {"```\nmemory-when recall 'a1'\nmemory-when a1 b1\nmemory-when \"$X\"\nmemory-when 'a1\nmemory-when\nmemory-whence 'a1'\n```\n", ""},
		"quoted as in a shell":  {"```\nmemory-when 'a'\\''1'\nmemory-when \"b'1\"\nmemory-when 'c'1 'd1'  (About d1)\nmemory-when 'e1' && memory-when 'f1'\nmemory-when 'g1' 'open\n```\n`memory-when 'h'\\''s 1'`\n", `2:1 "a'1" 3:1 "b'1" 4:1 "c1" 4:1 "d1" 5:1 "e1" 6:1 "g1" 8:2 "h's 1"`},
		"queries that resolve":  {"`/when paging lists`, `/when Paging Lists.`, `/when § api.md .Calls`, `memory-when 'paging lists' 'null'`\n\n```\n/how retry calls  # Retries\n/when paging lists  (Paging)\n```\n", ""},
		"prose":                 {"/when a1\n\n- /when b1\n\n**/when c1** is what § .D1 says\n", ""},
		"inside of code":        {"`x /when a1`\n\n```\nx /when a1\n- /when b1\n```\n", ""},
		"span across lines":     {"`/when\na1`\n", ""},
		"a path":                {"`/when/x`, `/whenever x`\n", ""},
		"comment":               {"<!--\n`/when a1`\n-->\n", ""},
		"examples":              {"`/when <x>`, `/when …`, `/how ...`, `/when [topic]`, `/when § {file}`\n", ""},
		"entries":               {"`/when a1 | b | c`\n\n    /when a1 | b | c\n\n## a/b.md\n\n/when a1 | b | c\n", ""},
		"operators alone":       {"`/when`, `/when `\n", ""},
		"empty":                 {"", ""},
		"invalid UTF-8, NUL":    {"\xff`/when a1`\x00\n", `1:3 "a1"`},
	} {
		t.Run(name, func(t *testing.T) {
			found, err := small(t).Check("a.md", []byte(test.src))
			require.NoError(t, err)
			var got []string
			for _, f := range found {
				got = append(got, fmt.Sprintf("%d:%d %s", f.Line, f.Column, asked.FindString(f.Message)))
			}
			require.Equal(t, test.want, strings.Join(got, " "))
		})
	}
}

func TestCheckRefusesWhatIsTooDeep(t *testing.T) {
	_, err := small(t).Check("docs/a.md", []byte("x\n"+strings.Repeat("> ", 300)+"`/when a1`\n"))
	require.EqualError(t, err, "docs/a.md:2 is nested too deeply: flatten its lists or quotes")
}

// hard are texts that grow with n, each of which takes long to read in some way.
var hard = map[string]func(n int) string{
	"spans on a line":        func(n int) string { return strings.Repeat("ä `/when paging lists` ", n) },
	"unresolved on a line":   func(n int) string { return strings.Repeat("ä `/when a1` ", n) },
	"open quotes":            func(n int) string { return strings.Repeat("`` ` ``` ", n) },
	"open comments":          func(n int) string { return strings.Repeat("x <!-- ` ", n) },
	"fence":                  func(n int) string { return "```\n" + strings.Repeat("/when paging lists\n", n) },
	"arguments of a command": func(n int) string { return "```\nmemory-when " + strings.Repeat("'a1' ", n) },
	"spaces":                 func(n int) string { return "`/when" + strings.Repeat(" ", n) + "a1`" },
}

// A text takes about as long as its parts.
func TestCheckIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time")
	}
	l := small(t)
	for name, text := range hard {
		t.Run(name, func(t *testing.T) {
			repotest.RequireLinear(t, 40_000, func(n int) func() {
				src := []byte(text(n))
				return func() {
					_, err := l.Check("a.md", src)
					require.NoError(t, err)
				}
			})
		})
	}
}

// FuzzCheck checks any text: every finding is at a place of it.
func FuzzCheck(f *testing.F) {
	for _, src := range []string{
		"- [ ] `/when a1` — x\n- **`b`**\n", "> - `/how a1` `memory-when 'b' \"c\"` § 5\n", "| a |\n|--|\n| `/when b` | `c\\|d` |\n",
		"```sh\n$ memory-when 'a' b \"c\" # d\n/when x\n```\n", "\uFEFF---\na\n---\n<!-- `/when x` --> `/how y`\n# `/when`\n===\n", "    /when x\n",
	} {
		f.Add([]byte(src))
	}
	l := small(f)
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 20_000 || decision.NewMarkdown(src).TooDeep > 0 {
			return
		}
		found, err := l.Check("a.md", src)
		require.NoError(t, err)
		lines := strings.SplitAfter(string(src), "\n")
		for _, f := range found {
			if f.Line < 1 || f.Line > len(lines) || f.Column < 1 || f.Column > utf8.RuneCountInString(lines[f.Line-1]) {
				t.Fatalf("%+v", f)
			}
		}
	})
}

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
func small(t testing.TB) *when.Library {
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
		"code spans":                  {"Use `/when a1`, `/how b1` and ``§ .C1``.\n", `1:6 "a1" 1:18 "b1" 1:33 "C1"`},
		"span across lines":           {"`/when\na1`\n", ""},
		"span in a title":             {"# `/when a1`\n", `1:4 "a1"`},
		"column in code points":       {"ä🙂 `/when a1` é `/when b1`\n", `1:5 "a1" 1:18 "b1"`},
		"byte-order mark":             {"\uFEFF/when a1\n", `1:2 "a1"`},
		"mark, list":                  {"\uFEFF/when\n- a1\n", `2:3 "a1"`},
		"CRLF":                        {"/when\r\n- a1\r\n\r\n`/when b1`\r\n", `2:3 "a1" 4:2 "b1"`},
		"no final line end":           {"x\n\n/when a1", `3:1 "a1"`},
		"front matter":                {"---\ndescription: x\n/when: a1\n---\n/when b1\n", `5:1 "b1"`},
		"a line for itself":           {"x\n\n/when a1\n\ny\n", `3:1 "a1"`},
		"several lines":               {"/when a1\n/how b1\n", `1:1 "a1" 2:1 "b1"`},
		"items":                       {"- /when a1\n* /how b1\n+ § .C1\n1. /when d1\n2) /when e1\n", `1:3 "a1" 2:3 "b1" 3:3 "C1" 4:4 "d1" 5:4 "e1"`},
		"tasks":                       {"- [ ] /when a1\n- [x] /when b1\n", `1:7 "a1" 2:7 "b1"`},
		"nested items":                {"- x\n  - /when a1\n\n    - /when b1\n", `2:5 "a1" 4:7 "b1"`},
		"quotes":                      {"> /when a1\n\n> > - /when b1\n", `1:3 "a1" 3:7 "b1"`},
		"cells":                       {"| look up | why |\n|---|---|\n| /when a1 | x |\n| `/when b1` | § .C1 |\n", `3:3 "a1" 4:4 "b1" 4:16 "C1"`},
		"no table":                    {"/when a1 | Title | description\n", ""},
		"emphasis":                    {"**/when a1** and *§ .B1*, then __/how c1__.\n- **/when d1** — x\n", `1:3 "a1" 1:19 "B1" 1:34 "c1" 2:5 "d1"`},
		"emphasis not closed":         {"**/when a1 and so on\n", ""},
		"batch":                       {"/when\n- a1\n- `b1`\n- **c1**\n- `/how d1` again\n", `2:3 "a1" 3:4 "b1" 4:5 "c1" 5:4 "d1"`},
		"batch behind a blank":        {"/when\n\n- a1\n- b1\n", `3:3 "a1" 4:3 "b1"`},
		"batch with numbers":          {"/when\n1. a1\n2. b1\n", `2:4 "a1" 3:4 "b1"`},
		"batch of tasks":              {"/when\n- [ ] a1\n- [x] /how b1\n", `2:7 "a1" 3:7 "b1"`},
		"batch below text":            {"Before you start:\n/when\n- a1\n", `3:3 "a1"`},
		"batch in an item":            {"1. Look up:\n\n   /when\n   - a1\n2. b\n", `4:6 "a1"`},
		"batch in quotes":             {"> > /how\n> >\n> > - a1\n", `3:7 "a1"`},
		"batch with remarks":          {"/when\n- a1 — first\n- b1 (see x)\n- c1, then on\n  another line\n", `2:3 "a1" 3:3 "b1" 4:3 "c1"`},
		"batch that resolves":         {"/when\n- paging lists — first\n- retry calls (see [x](y))\n- retry\n  calls\n- null\n", ""},
		"batch, code, placeholder":    {"/when\n- <trigger>\n- [a](b)\n- `<c>`\n", ""},
		"a list of its own":           {"/when\n\nx\n\n- a1\n", ""},
		"fence":                       {"```\n/when a1\n- /how b1  # Title\n\n§ .C1 # x\n```\n", `2:1 "a1" 3:3 "b1" 5:1 "C1"`},
		"fence, batch":                {"```text\n/when\n\n- a1\n2. b1\nx\n- c1\n```\n", `4:3 "a1" 5:4 "b1"`},
		"indented code":               {"x\n\n    /when a1\n", `3:5 "a1"`},
		"fence of something else":     {"```markdown\n/when a1\n```\n```go\n/when b1\n```\n```diff\n/when c1\n```\n", ""},
		"commands":                    {"```sh\nmemory-when 'a1'\nmemory-when b1 b2 # x\nmemory-when '§ .C1' | less\nmemory-when --quiet \"d1\"\n```\n", `2:1 "a1" 3:1 "b1 b2" 4:1 "C1" 5:1 "d1"`},
		"prompts":                     {"```console\n$ memory-when 'a1'\n/when b1: no output\n$ /when c1\n```\n", `2:3 "a1" 4:3 "c1"`},
		"command in a span":           {"Run `memory-when 'a1'`, not `memory-when list all`.\n", `1:6 "a1"`},
		"commands that resolve":       {"```sh\nmemory-when paging lists\nmemory-when 'paging lists' '/how retry calls'\nmemory-when § api.md .Calls\n```\n", ""},
		"other commands":              {"```sh\nmemory-when recall 'a1'\nmemory-when check a1.md\nmemory-when stats\nmemory-when \"$X\"\nmemory-when < a1\nmemory-when --repo x a1 b1\nmemory-when\nmemory-when 'a1\nmemory-when - a1\n```\n", ""},
		"a section sign":              {"`§ 5`, `§ 5.3 of it`, `§ IV`, `§§ 7`, **§ 5**\n\n§ 5 of the contract\n\n- § 12 (2) BGB\n- § Background\n", ""},
		"titles":                      {"`§ .Calls`, `§ api.md .Calls`, `§ paging`\n\n- § api.md\n", ""},
		"wrapped":                     {"This is about\n/how we did it and\n/when a1\n", ""},
		"wrapped, to the end":         {"This is about\n/how we did it\n", ""},
		"wrapped item":                {"- /when the build breaks you had better\n  look at it\n- /when a1 — which goes on\n  and on\n", `3:3 "a1"`},
		"a path":                      {"/when/x\n\n- /how/y z\n", ""},
		"sentences":                   {"- /when is how to look up\n- /how and /when agree\n- /when a1 does not end.\n- /how can this be?\n\n/when works\n\n/when it comes to long lines nobody ever means a trigger\n", ""},
		"remarks":                     {"- /when paging lists (see x)\n- /when paging lists - x\n- /how retry calls, then more\n- /when paging lists — see [x](y)\n- /when paging lists # x\n- /when a1 (see x)\n", `6:3 "a1"`},
		"comment":                     {"<!--\n/when a1\n- /when b1\n`/when c1`\n-->\n\nx <!-- `/when d1` -->\n\ny <!-- z\n/when e1\n-->\n", ""},
		"a comment that is not":       {"`<!--` `/when a1` `-->`\n", `1:9 "a1"`},
		"placeholders":                {"`/when <x>`, `/when …`, `/when trigger`, `/how x`, `§ .Section Title`, `§ file.md`, `§ file.md .Title`, `..file.md`, `/when .section`\n", ""},
		"whole entries":               {"`/when a1 | b | c`\n\n    /when a1 | b | c\n\n- /when a1 | b | c\n", ""},
		"sections of an index":        {"`/when a1`\n\n## agents/decisions/x.md\n\n/when b1\n\n## Other\n\n/when c1\n", `1:2 "a1" 9:1 "c1"`},
		"operators alone":             {"`/when`, `/when `\n\n/when\n\n/how # x\n\n`§`\n", ""},
		"a name without its operator": {"`a1`, `.a1`\n", ""},
		"empty":                       {"", ""},
		"headings alone":              {"#\n##\n# /when a1\n===\n", ""},
		"invalid UTF-8, NUL":          {"\xff`/when a1`\x00\n", `1:3 "a1"`},
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
	"spans on a line":     func(n int) string { return strings.Repeat("ä `/when paging lists` ", n) },
	"items":               func(n int) string { return strings.Repeat("- /when paging lists, and so on\n", n) },
	"one item":            func(n int) string { return "/when\n- " + strings.Repeat("a1 ", n) },
	"batch of long items": func(n int) string { return "/when\n- x\n  " + strings.Repeat("a1\n  ", n) },
	"open emphasis":       func(n int) string { return strings.Repeat("*/when a ", n) },
	"open quotes":         func(n int) string { return strings.Repeat("`` ` ``` ", n) },
	"open comments":       func(n int) string { return strings.Repeat("x <!-- ` ", n) },
	"cells":               func(n int) string { return "|a|\n|-|\n" + strings.Repeat("| /when paging lists ", n) },
	"fence":               func(n int) string { return "```\n" + strings.Repeat("/when paging lists # x\n", n) },
	"words of a command":  func(n int) string { return "```\nmemory-when " + strings.Repeat("a1 ", n) },
	"blanks":              func(n int) string { return "/when" + strings.Repeat(" ", n) + "a1" },
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

func BenchmarkCheck(b *testing.B) {
	l := small(b)
	for name, text := range hard {
		for _, n := range []int{5000, 40_000} {
			src := []byte(text(n))
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				b.SetBytes(int64(len(src)))
				for b.Loop() {
					_, err := l.Check("a.md", src)
					require.NoError(b, err)
				}
			})
		}
	}
}

// FuzzCheck checks any text: every finding is at a place of it.
func FuzzCheck(f *testing.F) {
	for _, src := range []string{
		"/when\n\n- [ ] a1 — x\n- `b` **c**\n", "> - **/when a1** `§ .B` § 5\n", "| a |\n|--|\n| /when b | `c\\|d` |\n",
		"```sh\n$ memory-when 'a' b \"c\" # d\n/when x\n```\n", "\uFEFF---\na\n---\n<!-- `/when x` --> /how y\n# /when\n===\n", "## a/b.md\n/when # x\n",
	} {
		f.Add([]byte(src))
	}
	l := small(f)
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 20_000 || decision.TooDeep(src) > 0 {
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

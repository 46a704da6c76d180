package decision

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
)

func TestBlocks(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"# a\n\n## b ##\n#c\n", "heading 1 \"a\"\nheading 2 \"b\"\nparagraph \"#c\"\n"},
		{"a\nb\n===\nc\n---\n---\n", "heading 1 \"a\" \"b\"\nheading 2 \"c\"\nrule\n"},
		{"> a\nb\n> - c\n>   d\n\ne\n", "quote\n paragraph \"a\" \"b\"\n list -\n  item\n   paragraph \"c\" \"d\"\nparagraph \"e\"\n"},
		{"1. a\n\n\tb\n2) c\n", "list .\n item\n  paragraph \"a\"\n  paragraph \"b\"\nlist )\n item\n  paragraph \"c\"\n"},
		{"-\n  a\n-\n\n  b\n", "list -\n item\n  paragraph \"a\"\n item\nparagraph \"b\"\n"},
		{"1. -\n\n    ***\n", "list .\n item\n  list -\n   item\n  rule\n"}, // goldmark reads code
		{"a\n2. b\n01. c\n", "paragraph \"a\" \"2. b\"\nlist .\n item\n  paragraph \"c\"\n"},
		{"```go x\n# a\n~~~\n````\nb\n", "fence go x \"# a\" \"~~~\"\nparagraph \"b\"\n"},
		{"    a\n\n    b\n\nc\n    d\n", "code \"a\" \"\" \"b\"\nparagraph \"c\" \"d\"\n"},
		{"<!-- a\n\nb --> c\n<div>\nd\n\n<x-y>\ne\n", "html \"<!-- a\\n\\nb --> c\"\nhtml \"<div>\\nd\"\nhtml \"<x-y>\\ne\"\n"},
	} {
		require.Equal(t, c.want, outline([]byte(c.src)), "%q", c.src)
	}
}

// leaves matches where goldmark leaves CommonMark: what follows an item without text, tabs behind
// anything else, and declarations in lower case.
var leaves = regexp.MustCompile(`(?m)(?:^|[ \t>])(?:[-+*]|\d[.)])[ \t]*$|[^ \t\n] *\t|<![a-z]`)

// requireSame fails if goldmark reads other blocks.
func requireSame(t *testing.T, src []byte) {
	t.Helper()
	if !leaves.Match(src) {
		require.Equal(t, goldmarkOutline(src), outline(src), "%q", src)
	}
}

func TestBlocksOfRealFiles(t *testing.T) {
	trees := []fs.FS{os.DirFS("../../examples/ferry"), os.DirFS("../../docs")}
	for _, name := range []string{"head", "lessons", "seedformat", "seedtime", "dirty"} {
		trees = append(trees, os.DirFS(repotest.Shared(t, filepath.Join("corpora", name))))
	}
	for _, tree := range trees {
		require.NoError(t, fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
			if err == nil && filepath.Ext(name) == ".md" {
				var src []byte
				src, err = fs.ReadFile(tree, name)
				require.Equal(t, goldmarkOutline(src), outline(src), name)
			}
			return err
		}))
	}
}

// pieces are beginnings of lines that mean something to Markdown, and what may
// follow them.
var (
	starts = []string{
		"", " ", "  ", "   ", "    ", "\t", "     ", "- ", "* ", "+ ", "-", "*", "1. ", "2) ", "10. ", "> ", ">", "- - ", "-   ", "-     ", "  - ", "    - ", " \t",
	}
	bodies = []string{
		"", "word", "two words", "# a", "## b", "### c ##", "#", "##", "#tag", "####### d", "```", "```go", "````", "~~~", "``` a`b", "`code`", "<!-- x -->",
		"<!-- x", "x -->", "-->", "<!-- situations:", "<!-- situations: a -->", "<div>", "</div>", "<!DOCTYPE x>", "<?x", "< y", "<https://x.y>",
		"---", "--", "-", "===", "=", "***", "* * *", "_ _ _", "___", "[x]: y", "[x](y)", "[x", "[x]", "y]: z", "| a | b |", "|---|---|", "\\", "a\\", "# \\#", "## a #b",
	}
)

func TestBlocksOfGeneratedFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing here runs side by side")
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		var src strings.Builder
		for range 1 + random.IntN(7) {
			src.WriteString(starts[random.IntN(len(starts))*random.IntN(2)])
			src.WriteString(bodies[random.IntN(len(bodies))])
			src.WriteString("\n\n"[random.IntN(2):])
		}
		text := strings.TrimSuffix(src.String(), "\n"[random.IntN(2):])
		requireSame(t, []byte([]string{"", "", "", "\uFEFF", "---\na: b\n---\n"}[random.IntN(5)]+text))
	}
}

// strange matches what goldmark reads in many ways of its own: other white space, and HTML other than comments.
var strange = regexp.MustCompile(`[\r\v\f\x00]|<(?:[^!]|![^-])`)

func FuzzBlocks(f *testing.F) {
	for _, body := range bodies {
		for _, start := range starts {
			f.Add([]byte("## H\n" + start + body + "\n" + body + "\n## I\n"))
		}
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 10_000 || TooDeep(src) > 0 {
			return
		}
		outline(src)
		if !strange.Match(src) {
			requireSame(t, append(src[:len(src):len(src)], '\n')) // goldmark reads "```x" at the end as one without a language
		}
	})
}

package decision

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
)

// both reads a file by the scanner and by goldmark. Plain is false if the scanner
// gave up.
func both(src []byte) (scanned, parsed *File, plain bool) {
	scanned = &File{Markdown: NewMarkdown(src)}
	parsed = &File{Markdown: scanned.Markdown}
	plain = scanned.scan(contentStart(src))
	parsed.parse(contentStart(src))
	return scanned, parsed, plain
}

// requireSame fails if the scanner found something else than goldmark.
func requireSame(t *testing.T, src []byte) (plain bool) {
	t.Helper()
	scanned, parsed, plain := both(src)
	if plain {
		require.Equal(t, parsed.Headings, scanned.Headings, "%q", src)
		require.Equal(t, parsed.Situations, scanned.Situations, "%q", src)
	}
	return plain
}

// Real decision files are plain nearly all: else the scanner is of no use.
func TestMostRealFilesArePlain(t *testing.T) {
	trees := map[string]fs.FS{"ferry": os.DirFS("../../examples/ferry")}
	for _, name := range []string{"head", "lessons", "seedformat", "seedtime", "dirty"} {
		trees[name] = os.DirFS(repotest.Shared(t, filepath.Join("corpora", name)))
	}
	for name, tree := range trees {
		t.Run(name, func(t *testing.T) {
			names, err := fs.Glob(tree, "agents/decisions/*.md")
			require.NoError(t, err)
			require.NotEmpty(t, names)
			count := 0
			for _, name := range names {
				src, err := fs.ReadFile(tree, name)
				require.NoError(t, err)
				if requireSame(t, src) {
					count++
				} else {
					t.Log("not plain:", path.Base(name))
				}
			}
			require.GreaterOrEqual(t, float64(count), 0.8*float64(len(names)))
		})
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

func TestScannedIsParsed(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing here runs side by side")
	}
	random := rand.New(rand.NewPCG(1, 2))
	plain := 0
	const rounds = 100_000
	for range rounds {
		var src strings.Builder
		for range 1 + random.IntN(7) {
			src.WriteString(starts[random.IntN(len(starts))*random.IntN(2)])
			src.WriteString(bodies[random.IntN(len(bodies))])
			src.WriteString("\n\n"[random.IntN(2):])
		}
		text := strings.TrimSuffix(src.String(), "\n"[random.IntN(2):])
		text = []string{"", "", "", "\uFEFF", "---\na: b\n---\n"}[random.IntN(5)] + text
		if random.IntN(2) == 0 { // what state is left behind shows here
			text += "\n## probe\n<!-- situations: s -->\n"
		}
		if requireSame(t, []byte(text)) {
			plain++
		}
	}
	require.Greater(t, plain, rounds/20)
}

func FuzzScan(f *testing.F) {
	for _, body := range bodies {
		for _, start := range starts {
			f.Add([]byte("## H\n" + start + body + "\n" + body + "\n## I\n"))
		}
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) < 10_000 && TooDeep(src) == 0 {
			requireSame(t, src)
		}
	})
}

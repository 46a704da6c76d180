package when_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/repotest"
	"whence/when"
)

// generated is a memory of any size, with eight situations and some 14 lines for each
// entry, as in real ones.
func generated(files, entries int) fstest.MapFS {
	random := rand.New(rand.NewPCG(1, 2))
	syllables := []string{"ba", "co", "di", "fer", "gon", "hu", "kil", "lam", "mor", "nes", "pra", "ru", "sto", "tev", "wix", "zel"}
	word := func() string {
		return syllables[random.IntN(16)] + syllables[random.IntN(16)] + syllables[random.IntN(4)]
	}
	words := func(n int) string {
		some := make([]string, n)
		for i := range some {
			some[i] = word()
		}
		return strings.Join(some, " ")
	}
	tree := fstest.MapFS{}
	var idx strings.Builder
	idx.WriteString("# Memory Index\n\nRun `/when <trigger>` to see a decision.\n")
	for f := range files {
		path := fmt.Sprintf("agents/decisions/area%04d.md", f)
		fmt.Fprintf(&idx, "\n## %s\n\n", path)
		var file strings.Builder
		fmt.Fprintf(&file, "# Area %d\n", f)
		for e := f * entries / files; e < (f+1)*entries/files; e++ {
			fmt.Fprintf(&idx, "/when deciding %d %s | Thing %d of %s | %s\n", e, words(2), e, words(2), words(5))
			fmt.Fprintf(&file, "\n## Thing %d of x\n\n<!-- situations:\n", e)
			for range 8 {
				file.WriteString(words(8) + "\n")
			}
			file.WriteString("-->\n\n")
			for range 6 {
				file.WriteString(words(14) + "\n")
			}
		}
		tree[path] = &fstest.MapFile{Data: []byte(file.String())}
	}
	tree[config.DefaultIndex] = &fstest.MapFile{Data: []byte(idx.String())}
	fixTitles(tree)
	return tree
}

// fixTitles gives the headings the titles of the entries.
func fixTitles(tree fstest.MapFS) {
	titles := map[string]string{}
	for e := range entries(tree) {
		titles["## "+strings.Join(strings.Fields(e.Title.Text)[:2], " ")+" of x"] = "## " + e.Title.Text
	}
	for name, file := range tree {
		lines := strings.Split(string(file.Data), "\n")
		for i, line := range lines {
			if title, known := titles[line]; known {
				lines[i] = title
			}
		}
		tree[name].Data = []byte(strings.Join(lines, "\n"))
	}
}

func BenchmarkRecall(b *testing.B) {
	for _, size := range []struct{ entries, files int }{{374, 23}, {10_000, 500}} {
		b.Run(fmt.Sprintf("entries=%d/files=%d", size.entries, size.files), func(b *testing.B) {
			tree := generated(size.files, size.entries)
			for b.Loop() {
				l, err := when.Open(tree, config.Default())
				require.NoError(b, err)
				_, err = l.Recall("the bacoba of difer gonhu, and why killam mornes pradi", when.DefaultMax)
				require.NoError(b, err)
			}
		})
	}
}

// BenchmarkProcess measures the whole program.
func BenchmarkProcess(b *testing.B) {
	dir := b.TempDir()
	program := repotest.Build(b, dir, "whence/when/memory-when")
	for _, size := range []struct{ entries, files int }{{374, 23}, {10_000, 500}} {
		memory := filepath.Join(dir, fmt.Sprint(size.entries))
		tree := generated(size.files, size.entries)
		require.NoError(b, os.CopyFS(memory, tree))
		var triggers []string
		for e := range entries(tree) {
			triggers = append(triggers, e.Trigger.Text)
		}
		name := fmt.Sprintf("entries=%d/", size.entries)
		run := func(kind string, args ...string) {
			b.Run(name+kind, func(b *testing.B) { repotest.Compare(b, program, append(args, "--repo", memory)...) })
		}
		run("exact", triggers[0])
		run("batch=100", triggers[:100]...)
		run("recall", "recall", "the bacoba of difer gonhu, and why killam mornes pradi")
	}
}

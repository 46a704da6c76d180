package repotest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing/fstest"
)

// Talk makes texts of invented words, the same ones at each run.
type Talk struct{ random *rand.Rand }

// NewTalk begins from the beginning.
func NewTalk() Talk { return Talk{rand.New(rand.NewPCG(1, 2))} }

// Words are so many words.
func (t Talk) Words(n int) string {
	syllables := [...]string{"ba", "co", "di", "fer", "gon", "hu", "kil", "lam", "mor", "nes", "pra", "ru", "sto", "tev", "wix", "zel"}
	some := make([]string, n)
	for i := range some {
		some[i] = syllables[t.random.IntN(16)] + syllables[t.random.IntN(16)] + syllables[t.random.IntN(4)]
	}
	return strings.Join(some, " ")
}

// Memory is a memory of any size, with eight situations and some 14 lines for each entry, as
// in real ones.
func (t Talk) Memory(files, entries int) fstest.MapFS {
	texts := map[string]string{}
	var index strings.Builder
	index.WriteString("# Memory Index\n\nRun `/when <trigger>` to see a decision.\n")
	for f := range files {
		path := fmt.Sprintf("agents/decisions/area%04d.md", f)
		fmt.Fprintf(&index, "\n## %s\n\n", path)
		var file strings.Builder
		fmt.Fprintf(&file, "# Area %d\n", f)
		for e := f * entries / files; e < (f+1)*entries/files; e++ {
			title := fmt.Sprintf("Thing %d of %s", e, t.Words(2))
			fmt.Fprintf(&index, "/when deciding %d %s | %s | %s\n", e, t.Words(2), title, t.Words(5))
			fmt.Fprintf(&file, "\n## %s\n\n<!-- situations:\n", title)
			for range 8 {
				file.WriteString(t.Words(8) + "\n")
			}
			file.WriteString("-->\n\n")
			for range 6 {
				file.WriteString(t.Words(14) + "\n")
			}
		}
		texts[path] = file.String()
	}
	texts["agents/memory-index.md"] = index.String()
	return Tree(texts)
}

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
	return Memory(files, entries, "Run `/when <trigger>` to see a decision.", "", func(n int) (line, section string) {
		title := fmt.Sprintf("Thing %d of %s", n, t.Words(2))
		line = fmt.Sprintf("/when deciding %d %s | %s | %s\n", n, t.Words(2), title, t.Words(5))
		section = "\n## " + title + "\n\n<!-- situations:\n"
		for range 8 {
			section += t.Words(8) + "\n"
		}
		section += "-->\n\n"
		for range 6 {
			section += t.Words(14) + "\n"
		}
		return line, section
	})
}

// Memory is a memory of any size, with a text in the preamble of the index and one in the
// intro of each decision file. Decision makes the line of the index and the section of the
// nth decision.
func Memory(files, entries int, preamble, intro string, decision func(n int) (line, section string)) fstest.MapFS {
	texts := map[string]string{}
	var index strings.Builder
	index.WriteString("# Memory Index\n\n" + preamble + "\n")
	for f := range files {
		path := fmt.Sprintf("agents/decisions/area%04d.md", f)
		fmt.Fprintf(&index, "\n## %s\n\n", path)
		var file strings.Builder
		fmt.Fprintf(&file, "# Area %d\n%s", f, intro)
		for n := f * entries / files; n < (f+1)*entries/files; n++ {
			line, section := decision(n)
			index.WriteString(line)
			file.WriteString(section)
		}
		texts[path] = file.String()
	}
	texts["agents/memory-index.md"] = index.String()
	return Tree(texts)
}

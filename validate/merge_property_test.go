package validate_test

import (
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/decision"
	"whence/internal/index"
	"whence/internal/merge"
	"whence/internal/test/repotest"
	"whence/validate"
)

// mergeConfig allows entries to which both sides have added a word.
func mergeConfig() config.Config {
	c := config.Default()
	c.WordCount = config.Range{Min: 5, Max: 40}
	return c
}

// mergeFigures count what came of pairs of branches.
type mergeFigures struct {
	sync.Mutex
	pairs, byLines, clean, conflicts, order, invalid int
}

// Branches that touch different decisions merge without a conflict into a memory that is true, and
// no line is lost. If both put a decision between the same two, but below different headings, the
// merged decision file says which entry comes first.
func TestMergesOfRealMemories(t *testing.T) {
	bases := mergeBases(t)
	t.Run("different decisions", func(t *testing.T) {
		var f mergeFigures
		eachPair(t, 1400, bases, func(random *rand.Rand, base fstest.MapFS) {
			var sides [2]fstest.MapFS
			for i := range sides {
				b := branch{Rand: random, name: []string{"ours", "theirs"}[i], tree: copyTree(base), mine: func(title string) bool { return int(title[len(title)-1]+title[0])%2 == i }}
				sides[i] = b.work(1 + random.IntN(3))
			}
			f.count(t, base, sides[0], sides[1])
		})
		t.Log(f.String())
		require.Zero(t, f.conflicts)
		require.Zero(t, f.invalid)
		require.Zero(t, f.order)
	})
	t.Run("the same place", func(t *testing.T) {
		var f mergeFigures
		eachPair(t, 300, bases, func(random *rand.Rand, base fstest.MapFS) {
			l := pick(random, leaves(base))
			var sides [2]fstest.MapFS
			for i := range sides {
				b := branch{Rand: random, name: []string{"ours", "theirs"}[i], tree: copyTree(base)}
				b.addNear(l)
				sides[i] = b.tree
			}
			f.count(t, base, sides[0], sides[1])
		})
		t.Log(f.String())
		require.Zero(t, f.conflicts)
		require.Zero(t, f.order)
		require.Zero(t, f.invalid)
	})
	t.Run("the same decision", func(t *testing.T) {
		var f mergeFigures
		eachPair(t, 300, bases, func(random *rand.Rand, base fstest.MapFS) {
			title := pick(random, leaves(base))
			var sides [2]fstest.MapFS
			for i := range sides {
				b := branch{Rand: random, name: []string{"ours", "theirs"}[i], tree: copyTree(base), mine: func(other string) bool { return other == title.Key }}
				sides[i] = b.work(1 + random.IntN(2))
			}
			f.count(t, base, sides[0], sides[1])
		})
		t.Log(f.String())
		require.Zero(t, f.order)
	})
}

func (f *mergeFigures) String() string {
	return fmt.Sprintf("pairs %d, in conflict by lines %d; clean %d, in conflict %d, clean but in another order %d, clean but otherwise invalid %d, lines lost 0", f.pairs, f.byLines, f.clean, f.conflicts, f.order, f.invalid)
}

func (f *mergeFigures) count(t *testing.T, base, ours, theirs fstest.MapFS) {
	merged, conflicts, byLines := mergeTrees(t, base, ours, theirs)
	f.Lock()
	defer f.Unlock()
	f.pairs++
	if byLines {
		f.byLines++
	}
	if conflicts > 0 {
		f.conflicts++
		return
	}
	f.clean++
	found, err := validate.Run(merged, mergeConfig())
	require.NoError(t, err)
	count := countRules(strings.Split(strings.TrimSpace(print(t, found)), "\n"))
	if count["entry-order"] > 0 {
		f.order++
		delete(count, "entry-order")
		result, err := validate.Fix(merged, mergeConfig(), validate.Allow{})
		require.NoError(t, err)
		if len(count) == 0 {
			require.Empty(t, result.Left)
		}
	}
	if len(count) > 0 {
		f.invalid++
		t.Logf("%s", print(t, found))
	}
}

// eachPair runs a test for pairs of branches from parts of real memories: for a quarter of them,
// unless WHENCE_LONG is set.
func eachPair(t *testing.T, pairs int, bases []fstest.MapFS, run func(random *rand.Rand, base fstest.MapFS)) {
	switch {
	case testing.Short():
		pairs /= 20
	case !repotest.Long():
		pairs /= 4
	}
	var workers sync.WaitGroup
	for w := range 2 {
		workers.Go(func() {
			for i := w; i < pairs && !t.Failed(); i += 2 {
				random := rand.New(rand.NewPCG(11, uint64(i)))
				run(random, part(bases[i%len(bases)], random))
			}
		})
	}
	workers.Wait()
}

// mergeBases are real memories, with an entry for each heading.
func mergeBases(t *testing.T) (bases []fstest.MapFS) {
	for _, name := range []string{"head", "conventions", "seedformat", "seedtime", "lessons"} {
		bases = append(bases, indexed(repotest.MarkdownTree(t, repotest.Shared(t, "corpora/"+name))))
	}
	return append(bases, indexed(repotest.MarkdownTree(t, "../examples/ferry")))
}

const mergePreamble = "# Memory Index\n\nRun `/when <trigger>` to see a decision.\n"

// indexed is the tree with an index that has an entry for each semantic heading.
func indexed(tree fstest.MapFS) fstest.MapFS {
	out := fstest.MapFS{}
	var text strings.Builder
	text.WriteString(mergePreamble)
	for _, name := range decisionFiles(tree) {
		out[name] = tree[name]
		fmt.Fprintf(&text, "\n## %s\n\n", name)
		for _, h := range decision.Parse(name, tree[name].Data).Headings {
			if h.Semantic() {
				text.WriteString(entryFor(h.Title, "the first words"))
			}
		}
	}
	out[config.DefaultIndex] = &fstest.MapFile{Data: []byte(text.String())}
	return out
}

func decisionFiles(tree fstest.MapFS) (names []string) {
	for name := range tree {
		if strings.HasPrefix(name, "agents/decisions/") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// entryFor is an entry of the right length.
func entryFor(title, words string) string {
	trigger := fmt.Sprintf("reading %x", crc32.ChecksumIEEE([]byte(title)))
	n := 2 + len(strings.Fields(title)) + len(strings.Fields(words))
	return index.FormatEntry("when", trigger, title, words+strings.Repeat(" word", max(0, 12-n))) + "\n"
}

// part is one or two of the files, and their sections of the index.
func part(tree fstest.MapFS, random *rand.Rand) fstest.MapFS {
	names := decisionFiles(tree)
	small := fstest.MapFS{}
	for n := 0; n < 2 || len(leaves(small)) == 0; n++ {
		name := names[random.IntN(len(names))]
		small[name] = tree[name]
	}
	return indexed(small)
}

func copyTree(tree fstest.MapFS) fstest.MapFS {
	out := fstest.MapFS{}
	for name, file := range tree {
		out[name] = file
	}
	return out
}

// leaf is a semantic heading without others below it.
type leaf struct {
	decision.Heading
	file string
}

func leaves(tree fstest.MapFS) (all []leaf) {
	for _, name := range decisionFiles(tree) {
		headings := decision.Parse(name, tree[name].Data).Headings
		for i, h := range headings {
			if h.Semantic() && (i+1 == len(headings) || headings[i+1].Level <= h.Level) {
				all = append(all, leaf{h, name})
			}
		}
	}
	return all
}

func pick[T any](random *rand.Rand, all []T) T { return all[random.IntN(len(all))] }

// branch is one side of a merge.
type branch struct {
	*rand.Rand
	name string
	tree fstest.MapFS
	mine func(key string) bool // which decisions it may touch
	n    int
}

// work makes some changes, each to a decision and its entry.
func (b *branch) work(changes int) fstest.MapFS {
	for b.n = 0; b.n < changes; b.n++ {
		mine := slices.DeleteFunc(leaves(b.tree), func(l leaf) bool { return !b.mine(l.Key) })
		if len(mine) == 0 {
			break
		}
		b.change(pick(b.Rand, mine))
	}
	b.reindex()
	return b.tree
}

func (b *branch) change(l leaf) {
	src := string(b.tree[l.file].Data)
	section := src[l.Start:l.End]
	new := fmt.Sprintf("%s title %d of %s", b.name, b.n, l.Title)
	switch b.IntN(9) {
	case 0: // the trigger
		b.entry(l.Title, func(e index.Entry) string {
			return index.FormatEntry(e.Operator, e.Trigger.Text+" "+b.name, e.Title.Text, e.Description.Text)
		})
	case 1: // the description
		b.entry(l.Title, func(e index.Entry) string {
			return index.FormatEntry(e.Operator, e.Trigger.Text, e.Title.Text, e.Description.Text+" "+b.name)
		})
	case 2: // the text
		b.write(l.file, src[:l.End]+b.line()+src[l.End:])
	case 3: // the title
		heading := src[l.Start:l.Body]
		b.write(l.file, src[:l.Start]+strings.Replace(heading, l.Title, new, 1)+src[l.Body:])
		b.entry(l.Title, func(e index.Entry) string {
			return index.FormatEntry(e.Operator, e.Trigger.Text, new, e.Description.Text)
		})
	case 4: // removed
		b.write(l.file, src[:l.Start]+src[l.End:])
		b.entry(l.Title, func(index.Entry) string { return "" })
	case 5: // moved
		if len(leaves(b.tree)) == 1 {
			return
		}
		b.write(l.file, src[:l.Start]+src[l.End:])
		b.insert(l.Level, section)
	case 6, 7: // added
		b.insert(l.Level, strings.Repeat("#", l.Level)+" "+new+"\n\nText.\n\n")
		b.add(new)
	case 8: // a new file
		name := fmt.Sprintf("agents/decisions/%s-%d.md", b.name, b.n)
		b.write(name, "# New\n\n## "+new+"\n\n"+b.line())
		b.add(new)
	}
}

func (b *branch) line() string {
	return fmt.Sprintf("A line of %s, number %d.\n\n", b.name, b.IntN(1<<30))
}

func (b *branch) write(name, text string) { b.tree[name] = &fstest.MapFile{Data: []byte(text)} }

// insert puts a section behind one of the same level.
func (b *branch) insert(level int, section string) {
	at := slices.DeleteFunc(leaves(b.tree), func(l leaf) bool { return l.Level != level })
	if len(at) == 0 {
		at = leaves(b.tree)
	}
	if len(at) == 0 {
		b.write("agents/decisions/"+b.name+".md", "# Only\n\n"+section)
		return
	}
	l := pick(b.Rand, at)
	src := string(b.tree[l.file].Data)
	if !strings.HasSuffix(src[:l.End], "\n\n") {
		section = "\n" + section
	}
	if !strings.HasSuffix(src[:l.End], "\n") {
		section = "\n" + section
	}
	if rest := src[l.End:]; rest == "" {
		section = strings.TrimRight(section, "\n") + "\n"
	} else if !strings.HasSuffix(section, "\n\n") {
		section += "\n"
	}
	b.write(l.file, src[:l.End]+section+src[l.End:])
}

// addNear adds a decision behind a leaf: beside it, below it, or, in front of what comes next, at the
// level of that.
func (b *branch) addNear(l leaf) {
	src := string(b.tree[l.file].Data)
	level, at := l.Level, l.End
	switch b.IntN(4) {
	case 0:
		level = min(6, level+1)
	case 1:
		for i, h := range decision.Parse(l.file, b.tree[l.file].Data).Headings {
			if h.Start >= l.End && h.Structural() {
				level, at = h.Level+1, decision.Parse(l.file, b.tree[l.file].Data).Headings[i].Body
				break
			}
		}
	}
	title := b.name + " near " + l.Title
	b.write(l.file, strings.TrimRight(src[:at], "\n")+"\n\n"+strings.Repeat("#", level)+" "+title+"\n\n"+b.line()+strings.TrimLeft(src[at:], "\n"))
	b.add(title)
	b.reindex()
}

// add adds an entry; reindex puts it where it belongs.
func (b *branch) add(title string) {
	src := string(b.tree[config.DefaultIndex].Data)
	b.write(config.DefaultIndex, strings.TrimRight(src, "\n")+"\n"+entryFor(title, "words of "+b.name))
}

// entry rewrites the entry of a title.
func (b *branch) entry(title string, edit func(index.Entry) string) {
	f := index.Parse(b.tree[config.DefaultIndex].Data)
	for _, l := range f.Lines {
		if l.Kind == index.EntryLine && decision.Key(l.Entry.Title.Text) == decision.Key(title) {
			text := edit(l.Entry)
			if text != "" {
				text = strings.TrimRight(text, "\n") + "\n"
			}
			b.write(config.DefaultIndex, string(f.Source[:l.Start])+text+string(f.Source[l.Next:]))
			return
		}
	}
}

// reindex writes the entries in the order of their headings.
func (b *branch) reindex() {
	f := index.Parse(b.tree[config.DefaultIndex].Data)
	lines := map[string]string{}
	for _, l := range f.Lines {
		if l.Kind == index.EntryLine {
			lines[decision.Key(l.Entry.Title.Text)] = string(f.Source[l.Start:l.Next])
		}
	}
	var text strings.Builder
	text.WriteString(mergePreamble)
	for _, name := range decisionFiles(b.tree) {
		fmt.Fprintf(&text, "\n## %s\n\n", name)
		for _, h := range decision.Parse(name, b.tree[name].Data).Headings {
			if h.Semantic() {
				text.WriteString(lines[h.Key])
			}
		}
	}
	b.write(config.DefaultIndex, text.String())
}

// mergeTrees merges each file as the driver does, and reports whether any would be in conflict if
// it were merged by lines. A file that one side alone has, or has changed, is taken.
func mergeTrees(t *testing.T, base, ours, theirs fstest.MapFS) (merged fstest.MapFS, conflicts int, byLines bool) {
	merged = copyTree(ours)
	var decisions []*decision.File
	mergeFile := func(name string, mergeTexts func(base, ours, theirs []byte, markerSize int) ([]byte, int)) (clean bool) {
		var before []byte
		if base[name] != nil {
			before = base[name].Data
		}
		text, n := mergeTexts(before, ours[name].Data, theirs[name].Data, 7)
		repotest.RequireKept(t, string(before), string(ours[name].Data), string(theirs[name].Data), string(text))
		merged[name] = &fstest.MapFile{Data: text}
		conflicts += n
		_, settled := merge.CleanLines(before, ours[name].Data, theirs[name].Data)
		byLines = byLines || !settled
		return n == 0
	}
	for _, name := range decisionFiles(theirs) {
		switch {
		case ours[name] == nil || ours[name] == base[name]:
			merged[name] = theirs[name]
		case theirs[name] != base[name] && mergeFile(name, decision.Merge):
			decisions = append(decisions, decision.Parse(name, merged[name].Data))
		}
	}
	if name := config.DefaultIndex; mergeFile(name, index.Merge) {
		ordered := validate.OrderEntries(merged[name].Data, decisions)
		require.Equal(t, sortedLines(string(merged[name].Data)), sortedLines(string(ordered)))
		merged[name] = &fstest.MapFile{Data: ordered}
	}
	return merged, conflicts, byLines
}

package validate_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/decision"
	"whence/internal/index"
	"whence/internal/test/repotest"
)

// trees are memories, by name: of the real ones two are in today's format, three in older ones.
func trees(t testing.TB) map[string]fstest.MapFS {
	return repotest.Memories(t, "seedformat", "lessons", "head", "dirty", "seedtime")
}

func countRules(findings []string) map[string]int {
	count := map[string]int{}
	for _, line := range findings {
		if at := strings.LastIndexByte(line, '['); at >= 0 {
			count[strings.TrimSuffix(line[at+1:], "]")]++
		}
	}
	return count
}

// TestCorpora compares the findings in real memories with what was counted by hand in them (COUNTS.txt): in "dirty" the
// 42 headings without entry and the two titles that occur twice, in "head" the two headings without entry.
func TestCorpora(t *testing.T) {
	for name, want := range map[string]map[string]int{
		"seedformat": {"consumption-header": 1},
		"lessons":    {},
		"head":       {"entry-syntax": 374, "missing-entry": 2, "unknown-file": 1},
		"dirty":      {"entry-syntax": 274, "missing-entry": 42, "duplicate-heading": 2},
		"seedtime":   {"entry-syntax": 128, "legacy-section": 2, "consumption-header": 1},
	} {
		t.Run(name, func(t *testing.T) {
			tree := repotest.MarkdownTree(t, repotest.Shared(t, "corpora/"+name))
			found, err := check(tree, config.Default())
			require.NoError(t, err)
			require.Equal(t, want, countRules(strings.Split(strings.TrimSpace(print(t, found)), "\n")))
			result := requireFix(t, tree, config.Default(), false)
			requireFix(t, tree, config.Default(), true)
			if change := changeOf(result, config.DefaultIndex); name == "seedformat" {
				require.Empty(t, result.Left)
				require.Len(t, result.Changes, 1)
				require.Equal(t, sections(change.Before), sections(change.After), "a fix of the preamble touches nothing else")
			}
		})
	}
}

// sections is an index from its first section on.
func sections(src []byte) string {
	f := index.Parse(src)
	return string(src[f.Preamble().End:])
}

// TestVariants breaks real memories in thousands of ways. No fix loses a line, and fixing twice is the same as fixing
// once.
func TestVariants(t *testing.T) {
	variants := 2_500
	switch {
	case testing.Short():
		variants = 60
	case repotest.Long():
		variants = 10_000
	}
	all := trees(t)
	for name, tree := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(7, uint64(len(name))))
			tree = shrink(tree, random)
			for i := range variants / len(all) {
				if i%50 == 0 {
					tree = shrink(all[name], random)
				}
				variant := mutate(tree, random)
				requireFix(t, variant, config.Default(), i%2 == 1)
			}
		})
	}
}

// shrink keeps the index and one or two of the decision files, so that a variant takes
// a millisecond. Entries of the other files become entries without heading.
func shrink(tree fstest.MapFS, random *rand.Rand) fstest.MapFS {
	small := fstest.MapFS{config.DefaultIndex: tree[config.DefaultIndex]}
	var names []string
	for name := range tree {
		if strings.HasPrefix(name, "agents/decisions/") {
			names = append(names, name)
		}
	}
	slices.Sort(names) // the same variants at each run
	for range 2 {
		name := names[random.IntN(len(names))]
		small[name] = tree[name]
	}
	var kept strings.Builder
	f := index.Parse(tree[config.DefaultIndex].Data)
	for _, l := range f.Lines {
		if l.Section < 0 || small[f.Sections[l.Section].Path] != nil || random.IntN(12) == 0 {
			kept.Write(f.Source[l.Start:l.Next])
		}
	}
	small[config.DefaultIndex] = &fstest.MapFile{Data: []byte(kept.String())}
	return small
}

// mutate breaks the index in one to six ways, and sometimes a decision file.
func mutate(tree fstest.MapFS, random *rand.Rand) fstest.MapFS {
	variant := fstest.MapFS{}
	for name, file := range tree {
		variant[name] = file
	}
	lines := strings.SplitAfter(string(tree[config.DefaultIndex].Data), "\n")
	for range 1 + random.IntN(6) {
		at, other := random.IntN(len(lines)), random.IntN(len(lines))
		switch random.IntN(10) {
		case 0:
			lines[at], lines[other] = lines[other], lines[at]
		case 1: // a repeated line
			lines = append(lines[:at:at], append([]string{lines[other]}, lines[at:]...)...)
		case 2:
			lines = append(lines[:at:at], lines[at+1:]...)
			lines = append(lines, "")
		case 3:
			lines[at] = strings.ToUpper(lines[at])
		case 4: // a foreign or malformed line, or one that hides others
			noise := []string{"**bold**\n", "- item\n", "### deeper\n", "```\n", "<!--\n", "-->\n", "## \n", "prose\n", "/when x\n", "/what a | b | c\n", "a — b\n", "\n", "Scan it all mentally. Then go.\n", "| /when t | T | d |\n", "/when z z | Two --> b | one two three four five six\n", "then scan\n", "it mentally\n", "<!-- open\n"}
			lines = append(lines[:at:at], append([]string{noise[random.IntN(len(noise))]}, lines[at:]...)...)
		case 5: // another title
			lines[at] = strings.Replace(lines[at], " | ", " | Re", 1)
		case 6: // more spaces
			lines[at] = strings.ReplaceAll(lines[at], " ", "  ")
		case 7: // cut short
			lines[at] = lines[at][:random.IntN(len(lines[at])+1)]
		case 8: // a block moved
			end := min(len(lines), at+random.IntN(20))
			block := append([]string(nil), lines[at:end]...)
			lines = append(lines[:at:at], lines[end:]...)
			into := random.IntN(len(lines) + 1)
			lines = append(lines[:into:into], append(block, lines[into:]...)...)
		case 9:
			breakDecision(variant, random)
		}
		if len(lines) == 0 {
			lines = []string{""}
		}
	}
	text := strings.ToValidUTF8(strings.Join(lines, ""), "?")
	switch random.IntN(6) {
	case 0:
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r", ""), "\n", "\r\n")
	case 1:
		text = "\uFEFF" + text
	case 2:
		text = strings.TrimRight(text, "\r\n")
	}
	variant[config.DefaultIndex] = &fstest.MapFile{Data: []byte(text)}
	return variant
}

// breakDecision renames a heading, repeats a section, or adds situations.
func breakDecision(tree fstest.MapFS, random *rand.Rand) {
	var names []string
	for name := range tree {
		if name != config.DefaultIndex {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return
	}
	name := names[random.IntN(len(names))]
	f := decision.Parse(name, tree[name].Data)
	if len(f.Headings) == 0 {
		return
	}
	h := f.Headings[random.IntN(len(f.Headings))]
	var src []byte
	switch random.IntN(3) {
	case 0:
		src = bytes.Replace(f.Source, []byte(h.Title), []byte("Now "+h.Title), 1)
	case 1:
		src = append(append(bytes.Clone(f.Source[:h.End]), f.Source[h.Start:h.End]...), f.Source[h.End:]...)
	case 2:
		src = append(append(bytes.Clone(f.Source[:h.Body]), "<!-- situations:\n  a  b\n\na b\nc -->\n"...), f.Source[h.Body:]...)
	}
	tree[name] = &fstest.MapFile{Data: src}
}

// TestLargeFiles fixes an index and a decision file of over 3 MB each: twice that is too large.
func TestLargeFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	var file, entries strings.Builder
	file.WriteString("# Large\n")
	entries.WriteString("# Memory Index\n\nRun /when.\n\n## agents/decisions/a.md\n\n")
	const n = 24_000
	for i := range n {
		fmt.Fprintf(&file, "\n## Heading number %d\n%s\n", i, strings.Repeat("Some words of text. ", 7))
		fmt.Fprintf(&entries, "/when doing  thing %d | Heading number %d | %s\n", n-i, (i+n/2)%n, strings.Repeat("keyword ", 12))
	}
	require.Greater(t, file.Len(), 3<<20)
	require.Greater(t, entries.Len(), 3<<20)
	tree := fstest.MapFS{
		"agents/decisions/a.md": &fstest.MapFile{Data: []byte(file.String())},
		config.DefaultIndex:     &fstest.MapFile{Data: []byte(entries.String())},
	}
	result := requireFix(t, tree, config.Default(), false)
	require.Empty(t, result.Left)
	require.Len(t, result.Fixed, n+1)
}

// TestRenamedHeadings runs on a real tree in today's format in which 13 of 274 entries have lost their heading. No fix
// drops one of them, and for twelve the new title is proposed. The predecessor deleted all thirteen.
func TestRenamedHeadings(t *testing.T) {
	tree := repotest.MarkdownTree(t, repotest.Shared(t, "corpora/dirty"))
	entry := regexp.MustCompile(`(?m)^/(when|how) ([^|\n]+?)(?: \| .*)?$`)
	f := index.Parse(tree[config.DefaultIndex].Data)
	body := entry.ReplaceAllStringFunc(string(f.Source[f.Preamble().End:]), func(line string) string {
		match := entry.FindStringSubmatch(line)
		title := map[string]string{"when": "When ", "how": "How to "}[match[1]] + match[2]
		return index.FormatEntry(match[1], strings.ToLower(match[2]), title, "three more words")
	})
	tree[config.DefaultIndex] = &fstest.MapFile{Data: append(bytes.Clone(f.Source[:f.Preamble().End]), body...)}

	safe := requireFix(t, tree, config.Default(), false)
	lost, proposed := 0, 0
	for _, found := range safe.Left {
		if found.Rule == "unknown-header" {
			lost++
			if found.Fix != nil {
				proposed++
			}
		}
	}
	require.Equal(t, 13, lost)
	require.Equal(t, 12, proposed)

	after := changeOf(requireFix(t, tree, config.Default(), true), config.DefaultIndex).After
	require.Equal(t, 274+42-12, bytes.Count(after, []byte("\n/when "))+bytes.Count(after, []byte("\n/how "))-usageLines(f))
	for _, title := range []string{"When Requiring Per-Artifact Vet Coverage", "When Delegating With Corrections To Prior Analysis"} {
		require.Contains(t, string(after), " | "+title+" | ")
	}
}

// usageLines is the number of lines of the preamble that begin like an entry.
func usageLines(f *index.File) int {
	preamble := string(f.Source[:f.Preamble().End])
	return strings.Count(preamble, "\n/when ") + strings.Count(preamble, "\n/how ")
}

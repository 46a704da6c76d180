package migrate

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/index"
	"whence/internal/test/repotest"
)

// generator makes up memories. No two headings share a significant word, so that a partly renamed title can lead to
// only one heading.
type generator struct {
	*rand.Rand
	words   int      // how many have been made up
	files   []string // paths of the decision files
	titles  [][]string
	index   strings.Builder
	eols    []string
	old     int      // lines of an old format
	current []string // lines of three fields
	renamed map[string]bool
}

func (g *generator) chance(percent int) bool { return g.IntN(100) < percent }

func pick[T any](g *generator, from ...T) T { return from[g.IntN(len(from))] }

// word returns a word that occurs nowhere else.
func (g *generator) word() string {
	g.words++
	text := ""
	for n := g.words + 40; n > 0; n /= 40 {
		text += string("bdfgklmnprstvz"[n%40%14]) + string("aeiou"[n%40/14]) + pick(g, "n", "r", "")
	}
	return text + string("abcdefghij"[g.words%10]) + fmt.Sprint(g.words)[:1] + strings.Repeat("x", g.words/50)
}

func (g *generator) phrase(n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = g.word()
	}
	return strings.Join(all, " ")
}

// title returns a title of one of the shapes for which there are rules, or of none.
func (g *generator) title() string {
	a, b := g.phrase(2), g.phrase(1+g.IntN(2))
	return pick(g,
		"When "+a+" "+b, "How to "+a+" "+b, a+" vs "+b, a+" over "+b, "Never "+a+" "+b, "Do not "+a+" "+b, "No "+a+" in "+b, "Caching "+a+" "+b,
		a+" is "+b, a+" are not "+b, "Use the "+a+" for "+b, a+" requires "+b, a+" catches "+b, a+" "+b+" detection strategy", a+" "+b+" policy",
		a+" "+b, a+": "+b, a+" ("+b+")", strings.ToUpper(a)+" "+b, a+" → "+b, a+" — "+b, "`"+a+".py` "+b, "\""+a+"\" + "+b+"?", a+" | "+b, "Ünï "+a+" "+b+" 2",
	)
}

func (g *generator) description() string {
	var parts []string
	for range g.IntN(4) {
		parts = append(parts, g.phrase(1+g.IntN(8)))
	}
	text := strings.Join(parts, pick(g, ", ", "; ", " "))
	if g.chance(20) {
		text = pick(g, "=1+", "-", "'", "\"", "@x ", "a\tb ") + text + pick(g, " \"q\"", " a|b", " \\", " a — b", " ü\u00a0x")
	}
	return strings.TrimSpace(text)
}

func (g *generator) line(format string, args ...any) string {
	text := fmt.Sprintf(format, args...)
	g.index.WriteString(text + pick(g, g.eols...))
	return text
}

func (g *generator) oldLine(text string) {
	if g.chance(10) {
		text = pick(g, " ", "\t", "  ") + text + pick(g, " ", "")
	}
	for range pick(g, 1, 1, 1, 1, 1, 1, 1, 2) { // repeated to the letter
		g.line("%s", text)
		g.old++
	}
}

// entry writes lines for a heading: in any of the formats, none, or several.
func (g *generator) entry(title string) {
	description := g.description()
	if description == "" {
		description = g.word()
	}
	lower := strings.ToLower(title)
	switch kind := g.IntN(20); {
	case kind < 2: // no entry
	case kind < 5:
		g.current = append(g.current, g.line("%s", index.FormatEntry(pick(g, "when", "how"), g.phrase(3), title, description)))
	case strings.HasPrefix(lower, "when ") && kind < 15:
		g.oldLine(strings.TrimSuffix("/"+index.Escape(lower)+" | "+g.description(), pick(g, " | ", "\n")))
	case strings.HasPrefix(lower, "how to ") && kind < 15:
		g.oldLine("/how " + index.Escape(title[len("how to "):]) + pick(g, "", " | "+g.description()))
	case kind < 16:
		g.oldLine(pick(g, title, title, lower) + " — " + description)
	case kind < 18 && !g.renamed[title]:
		g.renamed[title] = true
		at := strings.LastIndexByte(title, ' ')
		g.oldLine(pick(g, title+" "+g.word(), title[:at]+" "+g.word()) + " — " + description)
	default: // two entries for one heading
		g.oldLine(title + " — " + description)
		g.oldLine(title + " — " + g.word())
	}
}

// author writes a line that the grammar leaves to the author, or a malformed one that has no old format.
func (g *generator) author() {
	for line := range strings.SplitSeq(pick(g,
		"", "", "**"+g.phrase(2)+":**", "- "+g.phrase(2)+" — "+g.word(), "### "+g.phrase(2), "> quote — "+g.word(), g.phrase(4)+".", "| a | table |",
		"```\n"+g.phrase(2)+" — in a fence\n/when x | y\n```", "<!--\n"+g.phrase(1)+" — in a comment\n-->", "1. /when a | b | c", "\t ", "~~~ never closed",
		"/what "+g.word(), "/when | "+g.word(), "/when "+g.word()+" | | no title", g.phrase(1)+" | two | separators", "bare\rreturn",
	), "\n") {
		g.line("%s", line)
	}
}

// makeUp makes up the whole.
func makeUp(seed uint64) (fstest.MapFS, *generator) {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 4)), renamed: map[string]bool{}}
	g.eols = pick(g, []string{"\n"}, []string{"\n"}, []string{"\r\n"}, []string{"\n", "\n", "\r\n"})
	tree := fstest.MapFS{}
	for i := range 1 + g.IntN(4) {
		g.file(tree, fmt.Sprintf("agents/decisions/%c%d.md", 'a'+g.IntN(26), i))
	}
	g.line("%s", pick(g, "# Index", "# Index\n\nScan it mentally, then read.", "Run `/when x` or `/when § a.md`.", "Run /when.\n"))
	sections := append([]string{"agents/decisions/unknown.md"}, g.files...)
	for _, exempt := range []string{"Behavioral Rules", "Technical Decisions (mixed — check entry for specific file)", "technical  decisions"} {
		if g.chance(40) {
			sections = append(sections, exempt)
		}
	}
	g.Shuffle(len(sections), func(i, j int) { sections[i], sections[j] = sections[j], sections[i] })
	for at, section := range sections {
		if section == "agents/decisions/unknown.md" && g.chance(80) {
			continue
		}
		g.line("## %s", section)
		g.section(at)
	}
	unended := len(g.eols) == 1 && g.chance(20)
	if unended { // by a line that stays
		g.line("The end.")
	}
	src := g.index.String()
	if g.chance(20) {
		src = "\uFEFF" + src
	}
	if unended {
		src = strings.TrimSuffix(src, g.eols[0])
	}
	tree[config.DefaultIndex] = &fstest.MapFile{Data: []byte(src)}
	return tree, g
}

func (g *generator) file(tree fstest.MapFS, path string) {
	var src strings.Builder
	src.WriteString("# " + g.word() + "\n\n")
	var titles []string
	for range 1 + g.IntN(6) {
		title := g.title()
		if g.chance(15) {
			title = "." + title
		}
		titles = append(titles, title)
		fmt.Fprintf(&src, "%s %s\n%s\n\n", pick(g, "##", "##", "###"), title, pick(g, "", g.phrase(3)+", `code` "+g.phrase(6)+"."))
	}
	g.files, g.titles = append(g.files, path), append(g.titles, titles)
	tree[path] = &fstest.MapFile{Data: []byte(src.String())}
}

// section writes the entries of a file, mostly, and other things.
func (g *generator) section(at int) {
	for i := range g.titles {
		for _, title := range g.titles[i] {
			if i == at%len(g.titles) && !g.chance(10) || g.chance(5) {
				g.entry(title)
			}
			if g.chance(20) {
				g.author()
			}
		}
	}
	if g.chance(30) {
		g.oldLine(g.phrase(3) + " — " + g.word())
	}
}

// TestNoEntryIsLost makes sure that in any memory, each entry that goes in comes out as an entry in its place, or is
// listed.
func TestNoEntryIsLost(t *testing.T) {
	const parts = 8
	memories := uint64(200)
	if repotest.Long() {
		memories = 2000
	}
	for part := range uint64(parts) {
		t.Run(fmt.Sprint(part), func(t *testing.T) {
			t.Parallel()
			for seed := part; seed < memories; seed += parts {
				if tree, g := makeUp(seed); !requireKept(t, tree, g) {
					t.Fatalf("seed %d:\n%q", seed, tree[config.DefaultIndex].Data)
				}
			}
		})
	}
}

func requireKept(t *testing.T, tree fstest.MapFS, g *generator) bool {
	c, src := config.Default(), bytes.Clone(tree[config.DefaultIndex].Data)
	outcome, err := Run(tree, c)
	require.NoError(t, err)
	before, after := index.Parse(src), index.Parse(outcome.After)
	rows := map[int]migrateRow{}
	wantEntries := slices.Clone(g.current)
	for _, r := range outcome.rows {
		rows[r.line] = r
		switch r.kind() {
		case migrated:
			wantEntries = append(wantEntries, index.FormatEntry(r.operator, r.trigger, r.header, r.description))
		case removed: // an entry in a section of the oldest format
			if at := slices.Index(wantEntries, r.source); at >= 0 {
				wantEntries = slices.Delete(wantEntries, at, at+1)
			}
		}
	}
	old := 0 // rows of lines in old formats
	for _, l := range before.Lines {
		if r, planned := rows[l.Number]; planned && r.kind() != kept && (l.Problem == index.LegacyDash || l.Problem == index.MissingFields && l.Entry.Trigger.Text != "") {
			old++
		}
	}

	// Lines that are not entries afterwards are where they were: those of the author, and those that are malformed in
	// other ways.
	var wantRest, rest, entries []string
	for _, l := range before.Lines {
		r, planned := rows[l.Number]
		if (!planned || r.kind() == kept) && (l.Kind == index.Foreign || l.Kind == index.Malformed) {
			wantRest = append(wantRest, before.Text(l))
		}
	}
	for _, l := range after.Lines {
		switch l.Kind {
		case index.EntryLine:
			entries = append(entries, after.Text(l))
		case index.Foreign, index.Malformed:
			rest = append(rest, after.Text(l))
		}
	}
	slices.Sort(entries)
	slices.Sort(wantEntries)

	tree[config.DefaultIndex].Data = outcome.After
	again, err := Run(tree, c)
	require.NoError(t, err)
	tree[config.DefaultIndex].Data = src

	return check(t, g.old, old, "rows of lines in old formats") &&
		check(t, string(src), string(outcome.before), "the text before") &&
		check(t, wantEntries, entries, "entries") &&
		check(t, wantRest, rest, "other lines") &&
		check(t, 0, again.count(migrated), "entries of a second run") &&
		check(t, string(outcome.After), string(again.After), "a second run") &&
		checkRows(t, before, outcome) && checkBytes(t, src, outcome.After)
}

// checkRows requires that each row holds its line.
func checkRows(t *testing.T, before *index.File, outcome Outcome) bool {
	for _, r := range outcome.rows {
		if !check(t, before.Text(before.Lines[r.line-1]), r.source, "source of a row") {
			return false
		}
	}
	return true
}

// checkBytes requires that line ends, byte-order mark and final newline are kept.
func checkBytes(t *testing.T, before, after []byte) bool {
	bom := []byte("\uFEFF")
	lone := func(text []byte) int { return bytes.Count(text, []byte("\n")) - bytes.Count(text, []byte("\r\n")) }
	ok := check(t, bytes.HasPrefix(before, bom), bytes.HasPrefix(after, bom), "byte-order mark")
	if len(after) > len(bom) {
		ok = ok && check(t, bytes.HasSuffix(before, []byte("\n")), bytes.HasSuffix(after, []byte("\n")), "final newline")
	}
	if bytes.Contains(before, []byte("\n")) && lone(before) == 0 {
		ok = ok && check(t, 0, lone(after), "lines that end with LF alone")
	}
	if !bytes.Contains(before, []byte("\r\n")) {
		ok = ok && check(t, 0, bytes.Count(after, []byte("\r\n")), "lines that end with CRLF")
	}
	return ok
}

func check(t *testing.T, want, got any, what string) bool {
	t.Helper()
	return assert.Equal(t, want, got, what)
}

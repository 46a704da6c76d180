package validate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"whence/internal/config"
	"whence/internal/corpus"
	"whence/internal/decision"
	"whence/internal/finding"
	"whence/internal/index"
)

// check joins the index of a memory with its decision files: it knows which heading each entry leads
// to, and which headings no line of the index names.
type check struct {
	*corpus.Corpus
	config     config.Config
	joined     *corpus.Joined     // an entry whose title several files have leads nowhere
	structural map[string][]Place // structural headings by title key without the dot
	claimed    map[string]bool    // names of semantic headings that some line of the index has, well-formed or not
	files      map[string]bool    // paths of the sections of decision files
	sections   map[string]int     // path of a section → index into Sections of the first one of that name
	entries    []entry            // well-formed
	unique     []int              // their lines, without those that repeat another byte for byte
	sameKey    map[int]original   // line of an entry → an earlier entry with its operator and trigger
	renames    map[int]rename     // line of an entry with an unknown title → its heading today
	orphans    map[string][]int   // lines of entries whose title no heading has, by section
	free       map[string][]Place // headings that have no entry and none in renames, by section, in those with orphans
}

// Lines of the index are named by their indexes into Index.Lines, here and in the rules.

// entry is a well-formed entry of the index.
type entry struct {
	line int
	key  index.Key
}

// Place identifies a heading by its decision file and its number there.
type Place = corpus.Place

var nowhere = corpus.Nowhere

func comparePlaces(a, b Place) int { return cmp.Or(a.File-b.File, a.Heading-b.Heading) }

func newCheck(m *corpus.Corpus, c config.Config) *check {
	k := &check{
		Corpus: m, config: c, joined: corpus.Join(m.Index, m.Decisions),
		structural: map[string][]Place{}, claimed: map[string]bool{}, files: map[string]bool{}, sections: map[string]int{},
	}
	for fi, file := range m.Decisions {
		k.files[file.Section()] = true
		for hi, h := range file.Headings {
			if h.Structural() && !file.Document {
				key := structuralKey(h.Key)
				k.structural[key] = append(k.structural[key], Place{File: fi, Heading: hi})
			}
		}
	}
	for i, s := range slices.Backward(k.Index.Sections) {
		k.sections[s.Path] = i
	}
	k.readEntries()
	k.sameKey = k.findSameKeys()
	for _, e := range k.entries {
		if !k.sameKey[e.line].identical {
			k.unique = append(k.unique, e.line)
		}
	}
	k.findRenames()
	return k
}

// readEntries lists the entries, and notes which headings the lines of the index name.
func (k *check) readEntries() {
	for i, line := range k.Index.Lines {
		switch line.Kind {
		case index.EntryLine:
			k.entries = append(k.entries, entry{line: i})
			k.claim(k.joined.Find(k.sectionPath(line), line.Entry.Title.Text))
			if k.joined.Ambiguous[i] {
				k.joined.Targets[i] = nowhere
			}
		case index.Malformed, index.Conflict:
			for _, title := range possibleTitles(line.Entry) {
				k.claim(k.joined.Find(k.sectionPath(line), title))
			}
		}
	}
	for n, e := range k.entries {
		k.entries[n].key = k.Index.Lines[e.line].Entry.Key()
	}
}

// Target returns the heading that the entry of a line leads to.
func (k *check) Target(i int) (h Place, known bool) {
	return k.joined.Targets[i], k.joined.Targets[i] != nowhere
}

// claim records that some line of the index names headings. Documents of several folders
// with one title are not meant by it.
func (k *check) claim(found []Place) {
	if len(found) == 1 || len(found) > 1 && !k.Decisions[found[0].File].Document {
		k.claimed[k.name(found[0])] = true
	}
}

// headerTitle returns the header title for an entry of a heading. A document whose title another one of
// its folder has is named by its alias.
func (k *check) headerTitle(at Place) string {
	file, h := k.Decisions[at.File], k.heading(at)
	if file.Document && k.joined.Find(file.Section(), h.Title)[0] != at {
		return h.Alias
	}
	return h.Title
}

// name identifies a semantic heading among all: by its title, and for a document by its folder too.
func (k *check) name(at Place) string {
	if file := k.Decisions[at.File]; file.Document {
		return file.Section() + "\x00" + decision.Key(k.headerTitle(at))
	}
	return k.heading(at).Key
}

// possibleTitles returns the header titles that a malformed line may mean, so that its heading is not
// reported as missing too. In the two-field format, the heading is "When <trigger>".
func possibleTitles(e index.Entry) []string {
	titles := []string{e.Title.Text}
	if e.Fields < 3 {
		titles = append(titles, "When "+e.Trigger.Text, "How to "+e.Trigger.Text)
	}
	return titles
}

// Structural returns the structural headings with a title, with or without its dot.
func (k *check) Structural(title string) []Place {
	return k.structural[structuralKey(decision.Key(title))]
}

func structuralKey(key string) string { return strings.TrimLeft(key, ". ") }

func (k *check) section(line index.Line) index.Section { return k.Index.Sections[line.Section] }

// sectionPath returns the path of the section of a line, or "" in the preamble.
func (k *check) sectionPath(line index.Line) string {
	if line.Section < 0 {
		return ""
	}
	return k.section(line).Path
}

func (k *check) heading(h Place) decision.Heading { return k.Decisions[h.File].Headings[h.Heading] }

// position formats the position of a heading as "path:line".
func (k *check) position(h Place) string {
	return fmt.Sprintf("%s:%d", k.config.Typed.Path(k.Decisions[h.File].Path), k.heading(h).Line)
}

// atLine makes a finding at the beginning of a line of the index.
func (k *check) atLine(i int, format string, args ...any) finding.Finding {
	return k.atOffset(i, k.Index.Lines[i].Start, format, args...)
}

// atOffset makes a finding at an offset within a line of the index.
func (k *check) atOffset(i, offset int, format string, args ...any) finding.Finding {
	line := k.Index.Lines[i]
	return finding.Finding{
		Path: k.IndexPath, Line: line.Number, Column: utf8.RuneCount(k.Index.Source[line.Start:offset]) + 1,
		Message: fmt.Sprintf(format, args...),
	}
}

// atHeading makes a finding at a heading of a decision file.
func (k *check) atHeading(h Place, format string, args ...any) finding.Finding {
	return inFile(k.Decisions[h.File], k.heading(h).Line, format, args...)
}

func inFile(file *decision.File, line int, format string, args ...any) finding.Finding {
	return finding.Finding{Path: file.Path, Line: line, Column: 1, Message: fmt.Sprintf(format, args...)}
}

// edit replaces a span of the index.
func (k *check) edit(s index.Span, text string) finding.Edit {
	return finding.Edit{Path: k.IndexPath, Start: s.Start, End: s.End, New: text}
}

// removal removes a line of the index with its line end.
func (k *check) removal(i int) finding.Edit {
	line := k.Index.Lines[i]
	return k.edit(index.Span{Start: line.Start, End: line.Next}, "")
}

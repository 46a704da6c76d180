package validate

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"whence/internal/config"
	"whence/internal/corpus"
	"whence/internal/decision"
	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/parallel"
)

// check joins the index of a memory with its decision files: it knows which heading each entry leads
// to, and which headings no line of the index names.
type check struct {
	*corpus.Corpus
	config     config.Config
	joined     *corpus.Joined
	titles     map[string]*title   // semantic headings by title key, without documents
	documents  map[string][]*title // documents by the key of their header title, one for each section
	names      map[int]string      // the header title of each document, by index into Decisions
	structural map[string][]Place  // by title key without the dot
	files      map[string]int      // path → index into Decisions
	sections   map[string]int      // path of a section → the first file with entries there
	order      []int               // by index into Decisions: the number of headings in the files before
	bases      map[string]string   // base name → path of the first decision file that has it
	sectionOf  map[string]int      // path of a section → index of the first one of that name
	entries    []int               // indexes into Index.Lines of the well-formed entries
	keys       []index.Key         // key of each of the entries
	unique     []int               // entries without the duplicates
	targets    []Place             // by index into Index.Lines: where an entry leads, or nowhere
	duplicates map[int]int         // line index of an entry → that of its byte-identical original
	sameKeyAs  map[int]int         // line index of an entry → that of the one with the same key
	moved      map[int]int         // section of a file that is gone → the decision file that has its headings
	renames    map[int]rename      // line index of an entry with an unknown title → its heading today
	renamed    map[Place]int       // the inverse of renames
}

// title is a title of semantic headings.
type title struct {
	headings []Place // in order of path and line
	claimed  bool    // some line of the index names it, well-formed or not
}

// Place identifies a heading by its decision file and its number there.
type Place = corpus.Place

var nowhere = corpus.Nowhere

func newCheck(m *corpus.Corpus, c config.Config) *check {
	k := &check{
		Corpus: m, config: c,
		titles: map[string]*title{}, documents: map[string][]*title{}, names: map[int]string{}, structural: map[string][]Place{},
		files: map[string]int{}, sections: map[string]int{}, bases: map[string]string{}, sectionOf: map[string]int{},
	}
	for fi, file := range m.Decisions {
		k.files[file.Path] = fi
		if _, known := k.sections[file.Section()]; !known {
			k.sections[file.Section()] = fi
		}
		if base := path.Base(file.Section()); k.bases[base] == "" {
			k.bases[base] = file.Section()
		}
	}
	for i, s := range slices.Backward(k.Index.Sections) {
		k.sectionOf[s.Path] = i
	}
	k.collectTitles()
	k.joinEntries()
	return k
}

// collectTitles fills titles, documents, structural and order.
func (k *check) collectTitles() {
	k.order = make([]int, len(k.Decisions))
	headings := 0
	for fi, file := range k.Decisions {
		k.order[fi] = headings
		headings += len(file.Headings)
		for hi, h := range file.Headings {
			at := Place{File: fi, Heading: hi}
			if file.Document {
				k.addDocument(at)
				continue
			}
			switch known := k.titles[h.Key]; {
			case h.Structural():
				key := structuralKey(h.Key)
				k.structural[key] = append(k.structural[key], at)
			case !h.Semantic():
			case known != nil:
				known.headings = append(known.headings, at)
			default:
				k.titles[h.Key] = &title{headings: []Place{at}}
			}
		}
	}
}

// joinEntries resolves each entry to its heading. One whose title several files have leads nowhere.
func (k *check) joinEntries() {
	k.joined = corpus.Join(k.Index, k.Decisions)
	k.targets = k.joined.Targets
	for i, line := range k.Index.Lines {
		switch line.Kind {
		case index.EntryLine:
			k.entries = append(k.entries, i)
			k.claim(k.joined.Find(k.sectionPath(line), line.Entry.Title.Text))
			if k.joined.Ambiguous[i] {
				k.targets[i] = nowhere
			}
		case index.Malformed, index.Conflict:
			for _, title := range possibleTitles(line.Entry) {
				k.claim(k.joined.Find(k.sectionPath(line), title))
			}
		}
	}
	k.keys = make([]index.Key, len(k.entries))
	parallel.For(len(k.entries), func(n int) { k.keys[n] = k.Index.Lines[k.entries[n]].Entry.Key() })
	k.moved = k.findMoved()
	k.sameKeyAs, k.duplicates = k.sameTrigger()
	for _, i := range k.entries {
		if _, repeated := k.duplicates[i]; !repeated {
			k.unique = append(k.unique, i)
		}
	}
	k.renames, k.renamed = k.findRenames()
}

// target returns the heading that the entry of a line leads to.
func (k *check) target(i int) (h Place, known bool) { return k.targets[i], k.targets[i] != nowhere }

// claim records that some line of the index names the title of headings. Documents of several folders
// with one title are not meant by it.
func (k *check) claim(found []Place) {
	if len(found) == 1 || len(found) > 1 && !k.Decisions[found[0].File].Document {
		k.titleOf(found[0]).claimed = true
	}
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

// structuralOf returns the structural headings with a title, with or without its dot.
func (k *check) structuralOf(title string) []Place {
	return k.structural[structuralKey(decision.Key(title))]
}

func structuralKey(key string) string { return strings.TrimLeft(key, ". ") }

// claimed reports whether some line of the index names the title of a semantic heading.
func (k *check) claimed(at Place) bool { return k.titleOf(at).claimed }

// inFileOrder compares headings by their places in the files.
func (k *check) inFileOrder(h Place) int { return k.order[h.File] + h.Heading }

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

// atLine makes a finding at the first character of a line of the index after its indentation.
func (k *check) atLine(i int, format string, args ...any) finding.Finding {
	line := k.Index.Lines[i]
	at := line.Start
	for at < line.End && (k.Index.Source[at] == ' ' || k.Index.Source[at] == '\t') {
		at++
	}
	return k.atOffset(i, at, format, args...)
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

package validate

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"whence/internal/config"
	"whence/internal/decision"
	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/memory"
)

// audit is a memory with what several rules need to know about it.
type audit struct {
	*memory.Memory
	config       config.Config
	claimed      map[string]bool              // names of the semantic headings that a line of the index names, well-formed or not
	fileSections map[string]bool              // paths of the sections of decision files
	joined       []paragraph                  // made of entries by a formatter; only set by findings
	moved        map[string]string            // section that no longer names a file → the one that it should name
	unread       map[string]bool              // sections of unreadable files: where their entries lead is unknown
	sections     map[string]int               // path → index into Sections of the first section of that name
	unique       []*memory.Entry              // entries, except those that repeat another byte for byte
	sameKey      map[*memory.Entry]original   // an entry → an earlier one with its operator and trigger
	renames      map[*memory.Entry]rename     // an entry with an unknown title → its heading today
	free         map[string][]*memory.Heading // section with an unknown title → its headings that have no entry and are not in renames
}

func newAudit(m *memory.Memory, c config.Config) *audit {
	a := &audit{Memory: m, config: c, claimed: map[string]bool{}, fileSections: map[string]bool{}, unread: map[string]bool{}, sections: map[string]int{}}
	for _, file := range m.Files {
		a.fileSections[file.Section()] = true
	}
	for _, p := range m.Problems {
		a.unread[sectionOf(m.Layout, p.Path)] = true
	}
	for i, s := range slices.Backward(a.Index.Sections) {
		a.sections[s.Path] = i
	}
	a.claimHeadings()
	a.sameKey = a.findSameKeys()
	for _, e := range a.Entries {
		if !a.sameKey[e].identical {
			a.unique = append(a.unique, e)
		}
	}
	a.findRenames()
	a.moved = a.movedSections()
	for from, to := range a.moved { // entries of the moved file are added there
		a.sections[to] = a.sections[from]
	}
	return a
}

// sectionOf returns the path of the index section with the entries of a file.
func sectionOf(layout memory.Layout, name string) string {
	if layout.IsDocument(name) {
		return decision.DocumentSection(name)
	}
	return name
}

// claimHeadings notes which headings the lines of the index name.
func (a *audit) claimHeadings() {
	for _, e := range a.Entries {
		a.claim(e.Heading, e.Ambiguous)
	}
	for _, line := range a.Index.Lines {
		if line.Kind != index.Malformed && line.Kind != index.Conflict {
			continue
		}
		for _, title := range possibleTitles(line.Entry) {
			if found := a.Find(a.sectionPath(line), title); len(found) > 0 {
				a.claim(found[0], len(found) > 1)
			}
		}
	}
}

// LeadsTo returns the heading that an entry leads to. It is nil if there is none, or if several files have its title.
func (a *audit) LeadsTo(e *memory.Entry) *memory.Heading {
	if e.Ambiguous {
		return nil
	}
	return e.Heading
}

// claim records that a line of the index names h, which may be nil. If several documents have the title, the line names
// none of them.
func (a *audit) claim(h *memory.Heading, isAmbiguous bool) {
	if h != nil && (!isAmbiguous || !h.File.Document) {
		a.claimed[a.name(h)] = true
	}
}

// headerTitle returns the header title for an entry of a heading: its title, or for a document that shares its title
// with another one of the folder, its file name, in words if those are unique.
func (a *audit) headerTitle(h *memory.Heading) string {
	if h.File.Document {
		for _, name := range []string{h.Title, h.Alias} {
			if a.Find(h.File.Section(), name)[0] == h {
				return name
			}
		}
		return h.FileName()
	}
	return h.Title
}

// name identifies a semantic heading among all: by its title, and a document also by its folder.
func (a *audit) name(h *memory.Heading) string {
	if h.File.Document {
		return h.File.Section() + "\x00" + decision.Key(a.headerTitle(h))
	}
	return h.Key
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

// sectionPath returns the path of the section of a line, or "" in the preamble.
func (a *audit) sectionPath(line index.Line) string {
	if line.Section < 0 {
		return ""
	}
	return a.Index.Sections[line.Section].Path
}

// position formats the position of a heading as "path:line".
func (a *audit) position(h *memory.Heading) string {
	return fmt.Sprintf("%s:%d", a.config.Typed.Path(h.File.Path), h.Line)
}

// number returns the number of the line of an entry.
func (a *audit) number(e *memory.Entry) int { return a.Index.Lines[e.Line].Number }

// text returns the line of an entry, without its line end.
func (a *audit) text(e *memory.Entry) string { return a.Index.Text(a.Index.Lines[e.Line]) }

// atLine makes a finding at the beginning of a line of the index.
func (a *audit) atLine(i int, format string, args ...any) finding.Finding {
	return a.atOffset(i, a.Index.Lines[i].Start, format, args...)
}

// atEntry makes a finding at the beginning of an entry.
func (a *audit) atEntry(e *memory.Entry, format string, args ...any) finding.Finding {
	return a.atLine(e.Line, format, args...)
}

// atField makes a finding at a field of an entry.
func (a *audit) atField(e *memory.Entry, field index.Field, format string, args ...any) finding.Finding {
	return a.atOffset(e.Line, field.Start, format, args...)
}

// atOffset makes a finding at an offset within a line of the index.
func (a *audit) atOffset(i, offset int, format string, args ...any) finding.Finding {
	line := a.Index.Lines[i]
	return finding.Finding{
		Path: a.Layout.Index, Line: line.Number, Column: utf8.RuneCount(a.Index.Source[line.Start:offset]) + 1,
		Message: fmt.Sprintf(format, args...),
	}
}

// atHeading makes a finding at a heading of a decision file.
func (a *audit) atHeading(h *memory.Heading, format string, args ...any) finding.Finding {
	return inFile(h.File, h.Line, format, args...)
}

func inFile(file *decision.File, line int, format string, args ...any) finding.Finding {
	return finding.Finding{Path: file.Path, Line: line, Column: 1, Message: fmt.Sprintf(format, args...)}
}

// edit replaces a span of the index.
func (a *audit) edit(s index.Span, text string) finding.Edit {
	return finding.Edit{Path: a.Layout.Index, Start: s.Start, End: s.End, New: text}
}

// removal removes a line of the index with its line end.
func (a *audit) removal(i int) finding.Edit {
	line := a.Index.Lines[i]
	return a.edit(index.Span{Start: line.Start, End: line.Next}, "")
}

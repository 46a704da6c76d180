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

// audit is a memory, and what several rules need to know about it. Lines of the index are named by their indexes into
// Index.Lines, here and in the rules.
type audit struct {
	*memory.Memory
	config   config.Config
	claimed  map[string]bool              // names of semantic headings that some line of the index has, well-formed or not
	files    map[string]bool              // paths of the sections of decision files
	sections map[string]int               // path of a section → index into Sections of the first one of that name
	unique   []int                        // lines of entries, without those that repeat another byte for byte
	sameKey  map[int]original             // line of an entry → an earlier entry with its operator and trigger
	renames  map[int]rename               // line of an entry with an unknown title → its heading today
	orphans  map[string][]int             // lines of entries whose title no heading has, by section
	free     map[string][]*memory.Heading // headings that have no entry and none in renames, by section, in those with orphans
}

func newAudit(m *memory.Memory, c config.Config) *audit {
	k := &audit{Memory: m, config: c, claimed: map[string]bool{}, files: map[string]bool{}, sections: map[string]int{}}
	for _, file := range m.Files {
		k.files[file.Section()] = true
	}
	for i, s := range slices.Backward(k.Index.Sections) {
		k.sections[s.Path] = i
	}
	k.claimHeadings()
	k.sameKey = k.findSameKeys()
	for _, e := range k.Entries {
		if !k.sameKey[e.Line].identical {
			k.unique = append(k.unique, e.Line)
		}
	}
	k.findRenames()
	return k
}

// claimHeadings notes which headings the lines of the index name.
func (k *audit) claimHeadings() {
	for _, line := range k.Index.Lines {
		switch line.Kind {
		case index.EntryLine:
			k.claim(k.Find(k.sectionPath(line), line.Entry.Title.Text))
		case index.Malformed, index.Conflict:
			for _, title := range possibleTitles(line.Entry) {
				k.claim(k.Find(k.sectionPath(line), title))
			}
		}
	}
}

// Target returns the heading that the entry of a line leads to, or nil. An entry whose title several files have leads
// nowhere.
func (k *audit) Target(line int) *memory.Heading {
	if e := k.EntryAt(line); e != nil && !e.Ambiguous {
		return e.Heading
	}
	return nil
}

// claim records that some line of the index names headings. Documents of several folders
// with one title are not meant by it.
func (k *audit) claim(found []*memory.Heading) {
	if len(found) == 1 || len(found) > 1 && !found[0].File.Document {
		k.claimed[k.name(found[0])] = true
	}
}

// headerTitle returns the header title for an entry of a heading. A document whose title another one of
// its folder has is named by its alias.
func (k *audit) headerTitle(h *memory.Heading) string {
	if h.File.Document && k.Find(h.File.Section(), h.Title)[0] != h {
		return h.Alias
	}
	return h.Title
}

// name identifies a semantic heading among all: by its title, and for a document by its folder too.
func (k *audit) name(h *memory.Heading) string {
	if h.File.Document {
		return h.File.Section() + "\x00" + decision.Key(k.headerTitle(h))
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

func (k *audit) section(line index.Line) index.Section { return k.Index.Sections[line.Section] }

// sectionPath returns the path of the section of a line, or "" in the preamble.
func (k *audit) sectionPath(line index.Line) string {
	if line.Section < 0 {
		return ""
	}
	return k.section(line).Path
}

// position formats the position of a heading as "path:line".
func (k *audit) position(h *memory.Heading) string {
	return fmt.Sprintf("%s:%d", k.config.Typed.Path(h.File.Path), h.Line)
}

// atLine makes a finding at the beginning of a line of the index.
func (k *audit) atLine(i int, format string, args ...any) finding.Finding {
	return k.atOffset(i, k.Index.Lines[i].Start, format, args...)
}

// atOffset makes a finding at an offset within a line of the index.
func (k *audit) atOffset(i, offset int, format string, args ...any) finding.Finding {
	line := k.Index.Lines[i]
	return finding.Finding{
		Path: k.Layout.Index, Line: line.Number, Column: utf8.RuneCount(k.Index.Source[line.Start:offset]) + 1,
		Message: fmt.Sprintf(format, args...),
	}
}

// atHeading makes a finding at a heading of a decision file.
func (k *audit) atHeading(h *memory.Heading, format string, args ...any) finding.Finding {
	return inFile(h.File, h.Line, format, args...)
}

func inFile(file *decision.File, line int, format string, args ...any) finding.Finding {
	return finding.Finding{Path: file.Path, Line: line, Column: 1, Message: fmt.Sprintf(format, args...)}
}

// edit replaces a span of the index.
func (k *audit) edit(s index.Span, text string) finding.Edit {
	return finding.Edit{Path: k.Layout.Index, Start: s.Start, End: s.End, New: text}
}

// removal removes a line of the index with its line end.
func (k *audit) removal(i int) finding.Edit {
	line := k.Index.Lines[i]
	return k.edit(index.Span{Start: line.Start, End: line.Next}, "")
}

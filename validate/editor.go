package validate

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"

	"whence/internal/config"
	"whence/internal/decision"
	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/memory"
	"whence/internal/words"
)

// Editor edits a memory that has been read. It changes neither that memory nor a file: each edit returns a new memory,
// whose index ends with a line end only if the original one does.
type Editor struct {
	*audit
	found func() []finding.Finding // findings of the memory
}

// Insertion is an entry to insert: its heading, and its line without line end.
type Insertion struct {
	Heading *memory.Heading
	Text    string
}

// Entry parses the line. It returns an empty entry if the line is not an entry.
func (i Insertion) Entry() index.Entry {
	lines := index.Parse([]byte("## x\n" + i.Text + "\n")).Lines
	if len(lines) < 2 || lines[1].Opaque {
		return index.Entry{}
	}
	return lines[1].Entry
}

// Conflict returns an error that locates the first merge conflict of the index, or nil.
func (e *Editor) Conflict() error {
	return e.editable([]finding.Edit{{Path: e.Layout.Index}})
}

// Draft drafts an entry for a heading, even if the heading has one.
func (e *Editor) Draft(h *memory.Heading) Insertion {
	return Insertion{h, newDrafter(e.audit).entry(h)}
}

// Missing is a heading without an entry. It has either a drafted entry or, in Older, an entry under another title that
// seems to belong to it. Line is the number of a line of the index that names the heading as an entry does, but is not
// one, or 0: a draft beside it would be a second entry once the line is fixed.
type Missing struct {
	Insertion
	Older *memory.Entry
	Line  int
}

// NewEditor returns an editor for a memory.
func NewEditor(m *memory.Memory, c config.Config) *Editor {
	a := newAudit(m, c)
	return &Editor{a, sync.OnceValue(func() []finding.Finding { return a.findings() })}
}

// Leading lists the entries that lead to a heading.
func (e *Editor) Leading(h *memory.Heading) []*memory.Entry {
	return slices.DeleteFunc(slices.Clone(h.Entries), func(entry *memory.Entry) bool { return e.LeadsTo(entry) != h })
}

// Triggered lists the entries that have a normalised trigger (see index.NormalizeTrigger), in the order of the index.
func (e *Editor) Triggered(trigger string) []*memory.Entry {
	found := slices.Concat(e.Keyed(index.Key{Operator: "when", Trigger: trigger}), e.Keyed(index.Key{Operator: "how", Trigger: trigger}))
	slices.SortFunc(found, func(x, y *memory.Entry) int { return x.Line - y.Line })
	return found
}

// Insert puts each entry into the section of its decision file, in the order of the headings, and adds missing
// sections. An index without entries also gets guidance in its preamble. It is an error if an entry would hide other
// lines.
func (e *Editor) Insert(entries ...Insertion) (*memory.Memory, error) {
	return e.edit(func(a *audit) (*memory.Memory, error) { return a.insert(entries) })
}

// edit makes an edit in an index that ends with a line end, and keeps the example of the preamble valid.
func (e *Editor) edit(edit func(*audit) (*memory.Memory, error)) (*memory.Memory, error) {
	return KeepLineEnd(e.Memory, func(m *memory.Memory) (*memory.Memory, error) {
		a := e.audit
		if m != e.Memory {
			a = newAudit(m, e.config)
		}
		next, err := edit(a)
		if err != nil {
			return nil, err
		}
		return withExample(next)
	})
}

// Move removes an entry and inserts its new version.
func (e *Editor) Move(old *memory.Entry, entry Insertion) (*memory.Memory, error) {
	return e.edit(func(a *audit) (*memory.Memory, error) {
		without, err := apply(a.Memory, []finding.Edit{a.removal(old.Line)})
		if err != nil {
			return nil, err
		}
		return newAudit(without, a.config).insert([]Insertion{entry})
	})
}

func (a *audit) insert(entries []Insertion) (*memory.Memory, error) {
	edits := a.insertions(entries)
	if err := a.editable(edits); err != nil {
		return nil, err
	}
	if a.endsComment(edits) {
		return nil, fmt.Errorf("the new lines would end a comment in %s and hide other lines: close its comments first", a.config.Typed.Path(a.Layout.Index))
	}
	next, err := apply(a.Memory, edits)
	if err != nil {
		return nil, err
	}
	if !a.hasEntries() {
		return withGuidance(next, a.config)
	}
	return next, nil
}

// withGuidance makes the fix of consumption-header unless it removes something.
func withGuidance(m *memory.Memory, c config.Config) (*memory.Memory, error) {
	for _, f := range newAudit(m, c).run("consumption-header", consumptionHeader) {
		if f.Fix != nil && len(f.Fix.Removed) == 0 { // all findings share one fix
			return apply(m, f.Fix.Edits)
		}
	}
	return m, nil
}

// Remove removes entries.
func (e *Editor) Remove(entries ...*memory.Entry) (*memory.Memory, error) {
	return e.edit(func(a *audit) (*memory.Memory, error) {
		var edits []finding.Edit
		for _, entry := range entries {
			edits = append(edits, a.removal(entry.Line))
		}
		return a.apply(edits)
	})
}

// Apply replaces the lines of entries and makes edits in decision files. It is an error if they would change headings.
func (e *Editor) Apply(lines map[*memory.Entry]string, edits ...finding.Edit) (*memory.Memory, error) {
	return e.edit(func(a *audit) (*memory.Memory, error) {
		all := slices.Clone(edits)
		for entry, line := range lines {
			all = append(all, a.edit(a.Index.Lines[entry.Line].Span, line))
		}
		return a.apply(all)
	})
}

// apply makes edits. It is an error if they change a heading.
func (a *audit) apply(edits []finding.Edit) (*memory.Memory, error) {
	if err := a.editable(edits); err != nil {
		return nil, err
	}
	next, err := apply(a.Memory, edits)
	if err != nil {
		return nil, err
	}
	for i, file := range next.Files {
		if !slices.EqualFunc(file.Headings, a.Files[i].Headings, sameTitle) {
			return nil, fmt.Errorf("the edit would change the headings of %s: close the comments and fences there first", file.Path)
		}
	}
	return next, nil
}

func sameTitle(a, b decision.Heading) bool { return a.Level == b.Level && a.Title == b.Title }

// Findings lists the findings at an entry.
func (e *Editor) Findings(entry *memory.Entry) []finding.Finding {
	var found []finding.Finding
	for _, f := range e.found() {
		if f.Path == e.Layout.Index && f.Line == e.number(entry) {
			found = append(found, f)
		}
	}
	return found
}

// Worse lists the findings that an edit has brought in. Findings are the same if they have the same file, rule and text
// of their line, or for entry-order, section.
func (e *Editor) Worse(after *memory.Memory) []finding.Finding {
	return newKnown(e.Memory, e.found()).without(after, Check(after, e.config))
}

// subject identifies what a finding is about, independent of line numbers.
type subject struct{ path, rule, text string }

func subjectOf(m *memory.Memory, f finding.Finding) subject {
	s := subject{f.Path, f.Rule, ""}
	if f.Path == m.Layout.Index {
		if f.Line <= len(m.Index.Lines) {
			line := m.Index.Lines[f.Line-1]
			s.text = m.Index.Text(line)
			if f.Rule == "entry-order" {
				s.text = m.Index.Sections[line.Section].Path
			}
		}
	} else if file := m.File(f.Path); file != nil {
		s.text = file.Line(f.Line)
	}
	return s
}

// AddSituations returns the edit that adds phrases to the situations comment of a heading, or a new comment below it.
// added lists the phrases that were not there yet.
func (e *Editor) AddSituations(h *memory.Heading, phrases []string) (edits []finding.Edit, added []string, err error) {
	h = e.Counterpart(h)
	file, comment := h.File, situationsOf(h)
	var texts []string
	if comment != nil {
		if !comment.Closed {
			return nil, nil, fmt.Errorf("%s:%d: the situations comment under %q has no end: close it with --> on a line of its own", file.Path, comment.Line, h.Title)
		}
		for _, phrase := range comment.Phrases {
			texts = append(texts, phrase.Text)
		}
	}
	known := len(texts)
	for _, phrase := range phrases {
		if !slices.ContainsFunc(texts, func(text string) bool { return decision.Key(text) == decision.Key(phrase) }) {
			texts = append(texts, phrase)
		}
	}
	if len(texts) == known {
		return nil, nil, nil
	}
	if comment == nil {
		return []finding.Edit{newComment(file, *h.Heading, texts)}, texts, nil
	}
	return []finding.Edit{{Path: file.Path, Start: comment.Start, End: comment.End, New: canonicalComment(file, *comment, texts)}}, texts[known:], nil
}

// situationsOf returns the situations comment of a heading, or nil.
func situationsOf(h *memory.Heading) *decision.Situations {
	for i := range h.File.Situations {
		if h.File.Situations[i].Heading == h.Number {
			return &h.File.Situations[i]
		}
	}
	return nil
}

// newComment returns the edit that adds a comment below a heading, after a blank line.
func newComment(file *decision.File, h decision.Heading, phrases []string) finding.Edit {
	eol := words.LineEnd(file.Source)
	text := eol + commentText(phrases, eol) + eol
	if h.Body == len(file.Source) && !bytes.HasSuffix(file.Source, []byte("\n")) {
		text = eol + strings.TrimSuffix(text, eol)
	}
	return finding.Edit{Path: file.Path, Start: h.Body, End: h.Body, New: text}
}

// Package memory is the memory of one repository: its index and its decision files, from a worktree, from what is
// staged, or from a commit, joined once. A decision file that cannot be read costs only its own decisions, and is
// a [Problem].
package memory

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/sourcegraph/conc"

	"whence/internal/decision"
	"whence/internal/index"
	"whence/internal/words"
)

// Memory is the index and the decision files, and what leads to what. It is made by [Open] and [Memory.With], and
// never changes.
type Memory struct {
	Source       fs.FS // what it was read from, a [Source] in programs
	Layout       Layout
	Index        *index.File
	IndexMissing bool             // there is no index file
	Paths        []string         // of the decision files, sorted, with those that cannot be read
	Files        []*decision.File // those that can, sorted by path
	Entries      []*Entry         // in the order of the index
	Headings     []*Heading       // in the order of files and lines
	Problems     []Problem        // why decision files cannot be read, in the order of their paths

	byLine     map[int]*Entry
	byKey      map[index.Key][]*Entry
	files      map[string]*decision.File
	first      map[*decision.File]int // where the headings of a file begin
	inSection  map[titleIn]*Heading   // the first heading with the title in a section
	titles     map[string][]*Heading  // semantic headings by title key, without documents
	documents  map[string][]*Heading  // documents by the key of their title
	aliases    map[string][]*Heading  // documents by the keys of their file name, in words and as written
	structural map[string][]*Heading  // structural headings by title key without the dot
	bare       map[string][]*Heading  // all headings that a query can name, by title key without the dot, and documents also by name
}

// Entry is an entry of the index, and the heading it leads to.
type Entry struct {
	index.Entry
	Line    int      // of the index, an index into Lines
	Section string   // the path in the heading above it
	Heading *Heading // nil: it leads nowhere

	// Ambiguous means that several files have its title, and none of them belongs to its section. Heading is the
	// first.
	Ambiguous bool
}

// Heading is a heading of a decision file.
type Heading struct {
	*decision.Heading
	File    *decision.File
	Number  int      // an index into the headings of the file
	Parent  *Heading // whose section holds this one, or nil
	Entries []*Entry // that lead to it, in the order of the index

	// Gone marks a decision that does not hold, rejected or superseded. Successor holds in its place, if that is known.
	Gone      bool
	Successor *Heading
}

// titleIn is a title key in a section of the index.
type titleIn struct{ section, key string }

// ErrNoMemory is the error for a tree that has neither an index nor decisions, and for a file that is not memory.
var ErrNoMemory = errors.New("no memory")

// Open reads the index and all decision files. Without an index, IndexMissing is set. An error is a [Problem] with the
// index, or says that the layout cannot be used.
func Open(source fs.FS, layout Layout) (*Memory, error) {
	m := &Memory{Source: source, Layout: layout}
	var ix *index.File
	var indexErr, filesErr error
	var reading conc.WaitGroup
	reading.Go(func() {
		src, err := ReadText(source, layout.Index)
		m.IndexMissing = errors.Is(err, fs.ErrNotExist)
		if p, refused := WhyNot(source, layout.Index); m.IndexMissing && refused {
			indexErr = fmt.Errorf("memory index %w", p)
		} else if err != nil && !m.IndexMissing {
			indexErr = unread("memory index", layout.Index, err, typedIn(source))
		}
		ix = index.Parse(src)
	})
	reading.Go(func() { m.Files, m.Paths, m.Problems, filesErr = readFiles(source, layout) })
	reading.Wait()
	if indexErr != nil {
		return nil, indexErr
	}
	if filesErr != nil {
		return nil, filesErr
	}
	return m.With(ix, m.Files), nil
}

// With returns the memory with another index and new texts of the same decision files, in the same order.
func (m *Memory) With(ix *index.File, files []*decision.File) *Memory {
	next := &Memory{
		Source: m.Source, Layout: m.Layout, Index: ix, IndexMissing: m.IndexMissing && len(ix.Source) == 0, Paths: m.Paths, Files: files, Problems: m.Problems,
		byLine: map[int]*Entry{}, byKey: map[index.Key][]*Entry{}, files: map[string]*decision.File{}, first: map[*decision.File]int{},
		inSection: map[titleIn]*Heading{}, titles: map[string][]*Heading{}, documents: map[string][]*Heading{},
		aliases: map[string][]*Heading{}, structural: map[string][]*Heading{}, bare: map[string][]*Heading{},
	}
	for _, file := range files {
		next.addFile(file)
	}
	next.addSuccessors()
	next.addEntries()
	return next
}

// WithTexts returns the memory with new texts of decision files, by path. A file that it does not have is added; the
// layout has to name that file.
func (m *Memory) WithTexts(texts map[string][]byte) (*Memory, error) {
	next := *m
	next.Files = slices.Clone(m.Files)
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		file, err := m.Layout.parse(name, texts[name])
		if err != nil {
			return nil, err
		}
		at, known := slices.BinarySearchFunc(next.Files, name, func(f *decision.File, name string) int { return strings.Compare(f.Path, name) })
		if known {
			next.Files[at] = file
			continue
		}
		next.Files = slices.Insert(next.Files, at, file)
		next.Paths = slices.Compact(slices.Sorted(slices.Values(append(slices.Clone(m.Paths), name))))
	}
	return next.With(m.Index, next.Files), nil
}

func (m *Memory) addFile(file *decision.File) {
	m.files[file.Path], m.first[file] = file, len(m.Headings)
	for i := range file.Headings {
		h := &Heading{Heading: &file.Headings[i], File: file, Number: i}
		if h.Heading.Parent >= 0 {
			h.Parent = m.Headings[m.first[file]+h.Heading.Parent]
		}
		m.Headings = append(m.Headings, h)
		switch {
		case h.Structural() && !file.Document:
			m.structural[BareKey(h.Key)] = append(m.structural[BareKey(h.Key)], h)
		case !h.Semantic():
		case file.Document:
			m.documents[h.Key] = append(m.documents[h.Key], h)
			for _, key := range h.aliasKeys() {
				m.aliases[key] = append(m.aliases[key], h)
			}
		default:
			m.titles[h.Key] = append(m.titles[h.Key], h)
		}
		if h.Semantic() {
			m.addInSection(h, h.Key)
		}
		if h.Named() {
			bare := BareKey(h.Key)
			m.bare[bare] = append(m.bare[bare], h)
			for _, key := range h.aliasKeys() {
				if key != bare {
					m.bare[key] = append(m.bare[key], h)
				}
			}
		}
	}
}

// aliasKeys returns the keys of the names of a document, the more readable first; none for other headings.
func (h *Heading) aliasKeys() []string {
	if h.Alias == "" {
		return nil
	}
	return slices.Compact([]string{decision.Key(h.Alias), decision.Key(h.FileName())})
}

// FileName returns the file name of a document without its extension (see [decision.RecordPath]). No other document of
// the section has it.
func (h *Heading) FileName() string {
	base := path.Base(decision.RecordPath(h.File.Path))
	return strings.TrimSuffix(base, path.Ext(base))
}

func (m *Memory) addInSection(h *Heading, key string) {
	in := titleIn{h.File.Section(), key}
	if m.inSection[in] == nil {
		m.inSection[in] = h
	}
}

func (m *Memory) addSuccessors() {
	for from, to := range decision.Succession(m.Files) {
		h := m.HeadingsOf(from.File)[from.Heading]
		h.Gone = true
		if to.File != nil {
			h.Successor = m.HeadingsOf(to.File)[to.Heading]
		}
	}
	for _, h := range m.Headings { // a section without a status shares the fate of the decision that holds it
		if p := h.Parent; p != nil && p.Gone && !h.Gone && h != p.Successor && h.Status().Kind == decision.NoStatus {
			h.Gone, h.Successor = true, p.Successor
		}
	}
}

// addEntries finds the heading of each entry. It is the only place where an entry finds its heading.
func (m *Memory) addEntries() {
	for key, headings := range m.aliases { // in a section, titles come first, then file names, then file names in words
		for _, h := range headings {
			if decision.Key(h.FileName()) == key {
				m.addInSection(h, key)
			}
		}
		for _, h := range headings {
			m.addInSection(h, key)
		}
	}
	for i, line := range m.Index.Lines {
		if line.Kind != index.EntryLine {
			continue
		}
		e := &Entry{Entry: line.Entry, Line: i, Section: m.Index.Sections[line.Section].Path}
		if found := m.Find(e.Section, e.Title.Text); len(found) > 0 {
			e.Heading, e.Ambiguous = found[0], len(found) > 1
			e.Heading.Entries = append(e.Heading.Entries, e)
		}
		m.byLine[i] = e
		m.byKey[e.Key()] = append(m.byKey[e.Key()], e)
		m.Entries = append(m.Entries, e)
	}
}

// Find returns the headings that a title in a section may mean: the one in the file or folder of the section, else
// those in other decision files, else documents with that title, else documents with that name. If all are in one file,
// it returns only the first.
func (m *Memory) Find(section, title string) []*Heading {
	key := decision.Key(title)
	if h := m.inSection[titleIn{section, key}]; h != nil {
		return []*Heading{h}
	}
	for _, found := range [][]*Heading{m.titles[key], m.documents[key], m.aliases[key]} {
		if len(found) > 0 && found[0].File == found[len(found)-1].File {
			return found[:1]
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// Semantic returns the headings with a title in any section: those of decision files in order of path
// and line, then documents by title, then documents by name.
func (m *Memory) Semantic(title string) []*Heading {
	key := decision.Key(title)
	found := slices.Concat(m.titles[key], m.documents[key])
	for _, h := range m.aliases[key] {
		if h.Key != key {
			found = append(found, h)
		}
	}
	return found
}

// Structural returns the structural headings with a title, with or without its dot.
func (m *Memory) Structural(title string) []*Heading {
	return m.structural[BareKey(decision.Key(title))]
}

// Titled returns the headings with a title: semantic ones, structural ones with or without their dot, and documents
// with that name.
func (m *Memory) Titled(title string) []*Heading {
	return slices.Clone(m.bare[BareKey(decision.Key(title))])
}

// BareKey returns the key of a title without the dots of a structural heading.
func BareKey(key string) string { return strings.TrimLeft(key, ". ") }

// Keyed returns the entries with an operator and a trigger, in the order of the index.
func (m *Memory) Keyed(key index.Key) []*Entry { return m.byKey[key] }

// EntryAt returns the entry of a line of the index, an index into Lines, or nil.
func (m *Memory) EntryAt(line int) *Entry { return m.byLine[line] }

// Counterpart returns the heading of m that corresponds to h, a heading of another memory with the same headings.
func (m *Memory) Counterpart(h *Heading) *Heading { return m.HeadingsOf(m.File(h.File.Path))[h.Number] }

// File returns the decision file with a path, or nil.
func (m *Memory) File(name string) *decision.File { return m.files[name] }

// HeadingsOf returns the headings of a decision file of the memory.
func (m *Memory) HeadingsOf(file *decision.File) []*Heading {
	first := m.first[file]
	return m.Headings[first : first+len(file.Headings)]
}

// FilesNamed returns the paths of the decision files with a base name or path, including those that cannot be read.
func (m *Memory) FilesNamed(name string) (paths []string) {
	for _, p := range m.Paths {
		if words.Composed(p) == words.Composed(name) || words.Fold(path.Base(p)) == words.Fold(name) {
			paths = append(paths, p)
		}
	}
	return paths
}

// Text returns the text below a heading, without situations.
func (h *Heading) Text() string {
	if h.File.Document {
		return h.File.Record()
	}
	return h.File.WithoutSituations(h.Body, h.End)
}

// Status returns the status of a decision, as it states it.
func (h *Heading) Status() decision.Status { return h.File.Statuses[h.Number] }

// Phrases returns the situations of a heading.
func (h *Heading) Phrases() []string { return h.File.Phrases(h.Number) }

// Order compares headings by the order of their files and lines.
func (h *Heading) Order(other *Heading) int {
	if order := strings.Compare(h.File.Path, other.File.Path); order != 0 {
		return order
	}
	return h.Number - other.Number
}

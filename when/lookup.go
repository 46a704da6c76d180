package when

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"whence/internal/config"
	"whence/internal/decision"
	"whence/internal/index"
	"whence/internal/inert"
	"whence/internal/memory"
	"whence/internal/merge"
	"whence/internal/rank"
	"whence/internal/shell"
	"whence/internal/words"
)

// Lookup answers queries from a memory.
type Lookup struct {
	*memory.Memory
	typed shell.Typed // how paths and commands are printed

	rankOnce sync.Once // makes the fields below, at the first recall
	ranked   *rank.Index
	decided  []*decided // the documents of ranked
}

// errNoIndex is returned by Open for a memory without an index.
var errNoIndex = errors.New("there is no memory index")

// Open reads a memory. A decision file that cannot be read costs only its own decisions; if none can be read, or there
// is no index, that is an error.
func Open(source fs.FS, c config.Config) (*Lookup, error) {
	m, err := memory.Open(source, c.Layout())
	return openRead(m, err, c)
}

// openRead is Open for the result of reading a memory.
func openRead(m *memory.Memory, err error, c config.Config) (*Lookup, error) {
	if err != nil {
		return nil, err
	}
	if m.IndexMissing {
		step := fmt.Sprintf("run \"%s\", which makes it from the decision files", c.Typed.Command("memory-remember entry draft --write"))
		if len(m.Paths) == 0 {
			step = fmt.Sprintf("to begin, run \"%s\"", c.Typed.Command("memory-remember decide 'TITLE' --text 'WHAT, AND WHY'"))
		}
		return nil, fmt.Errorf("%w %s: %s; to use records that are elsewhere, run \"%s\"", errNoIndex, c.Typed.Path(c.Index), step, c.Typed.Command("memory-migrate adopt"))
	}
	if len(m.Files) == 0 && len(m.Problems) > 0 {
		return nil, m.Problems[0]
	}
	return New(m, c.Typed), nil
}

// New returns a Lookup in a memory that has been read, and perhaps edited since.
func New(m *memory.Memory, t shell.Typed) *Lookup { return &Lookup{Memory: m, typed: t} }

// Warnings says what is skipped: files that cannot be read, conflicts, malformed lines of the index.
func (l *Lookup) Warnings() (warnings []string) {
	for _, p := range l.Problems {
		warnings = append(warnings, "skipped: "+p.Error())
	}
	addConflicts := func(shown string, conflicts []merge.Conflict) {
		for _, b := range conflicts {
			warnings = append(warnings, fmt.Sprintf("%s:%d: skipped, a merge conflict in %s", shown, b.First, b))
		}
	}
	for _, f := range l.Files {
		addConflicts(inert.Path(f.Path), f.Conflicts)
	}
	indexPath := l.typed.Path(l.Layout.Index)
	addConflicts(indexPath, l.Index.Conflicts)
	for _, line := range l.Index.Lines {
		if line.Kind == index.Malformed {
			warnings = append(warnings, fmt.Sprintf("%s:%d: skipped, not an entry: %s", indexPath, line.Number, inert.Quoted(strings.TrimSpace(l.Index.Text(line)))))
		}
	}
	return warnings
}

// locate returns the heading that an entry leads to.
func (l *Lookup) locate(e *memory.Entry) (*memory.Heading, error) {
	f := l.File(e.Section)
	isUnread := f == nil && slices.Contains(l.Paths, e.Section) // a heading elsewhere is not the one that is meant
	if e.Heading != nil && !isUnread {
		return e.Heading, nil
	}
	if f != nil && f.Conflicts != nil {
		return nil, &merge.ConflictError{Path: l.typed.Path(f.Path), Block: f.Conflicts[0]}
	}
	place := fmt.Sprintf("%s:%d", l.typed.Path(l.Layout.Index), l.Index.Lines[e.Line].Number)
	if p, refused := memory.WhyNot(l.Source, e.Section); refused && l.Layout.Holds(e.Section) {
		return nil, fmt.Errorf("%s leads to %q in a file that cannot be read: %w", place, e.Title.Text, p)
	}
	if isUnread {
		return nil, fmt.Errorf("%s leads to %q in a file that cannot be read: %w", place, e.Title.Text, l.whyUnread(e.Section))
	}
	return nil, fmt.Errorf("%s leads to a heading %q of %s that is in no decision file: run %s", place, e.Title.Text, l.typed.Path(e.Section), l.typed.Command("memory-validate"))
}

// named returns the decision file with a base name or path.
func (l *Lookup) named(name string) (*decision.File, error) {
	found := l.FilesNamed(name)
	if len(found) == 1 {
		if f := l.File(found[0]); f != nil {
			return f, nil
		}
		return nil, l.whyUnread(found[0])
	}
	return nil, l.noFile(name, found)
}

// whyUnread returns the problem with a decision file that cannot be read.
func (l *Lookup) whyUnread(name string) error {
	if at := slices.IndexFunc(l.Problems, func(p memory.Problem) bool { return p.Path == name }); at >= 0 {
		return l.Problems[at]
	}
	return fmt.Errorf("%s cannot be read: run %s", l.typed.Path(name), l.typed.Command("memory-validate"))
}

// fileQuery returns the query that prints a decision file: by its base name if that is unique.
func (l *Lookup) fileQuery(name string) string {
	base := path.Base(name)
	for _, p := range l.Paths {
		if p != name && words.Fold(path.Base(p)) == words.Fold(base) {
			return "/when " + separator + " " + name
		}
	}
	return "/when " + separator + " " + base
}

// sections returns the headings with a title, structural or semantic, in all files or in the one
// named.
func (l *Lookup) sections(title, file string) ([]*memory.Heading, error) {
	found := l.Titled(title)
	if file != "" {
		f, err := l.named(file)
		if err != nil {
			return nil, err
		}
		found = slices.DeleteFunc(found, func(h *memory.Heading) bool { return h.File != f })
	}
	return found, nil
}

// sectionQuery returns the query that prints a section: by its title if that is unique, else by
// file and title. It returns "" if that is ambiguous too, or would be read as another query.
func (l *Lookup) sectionQuery(h *memory.Heading) string {
	all := l.Titled(h.Title)
	isElsewhere := func(other *memory.Heading) bool { return other.File != h.File }
	inFile := slices.DeleteFunc(slices.Clone(all), isElsewhere)
	if query := "/when " + separator + " " + h.Title; len(all) == 1 && selects(query, "", h.Title) {
		return query
	}
	if query := l.fileQuery(h.File.Path) + " " + h.Title; len(inFile) == 1 && selects(query, h.File.Path, h.Title) {
		return query
	}
	return ""
}

// selects reports whether a query is parsed as one for this section. It is not if the title is
// only dots, or looks like a file name.
func selects(query, file, title string) bool {
	q, err := ParseQuery(query)
	return err == nil && q.Kind == SectionQuery && decision.Key(q.Title) == decision.Key(memory.BareKey(title)) && (q.File == "") == (file == "")
}

// placeOf returns a heading as "path:line".
func placeOf(h *memory.Heading) string {
	return fmt.Sprintf("%s:%d", inert.Path(h.File.Path), h.Line)
}

package when

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"whence/internal/config"
	"whence/internal/corpus"
	"whence/internal/decision"
	"whence/internal/index"
	"whence/internal/merge"
	"whence/internal/rank"
	"whence/internal/text"
)

// Library is a memory: the entries of its index, and the headings they lead to.
type Library struct {
	Warnings []string // what is skipped: files that cannot be read, conflicts, malformed lines of the index

	tree    fs.FS
	layout  corpus.Layout
	typed   text.Typed       // how paths and commands are printed
	paths   []string         // of the decision files, sorted
	files   []*decision.File // those that can be read, in the same order
	entries []entry
	byKey   map[index.Key]int       // the first entry of each key
	leading map[headingRef]int      // the first entry that leads to each heading
	titles  map[string][]headingRef // all headings, by title without leading dots

	triggers []phrase // of each entry, made when one is not found literally

	rankOnce sync.Once // makes what follows, at the first recall
	ranked   *rank.Index
	decided  []*decided // the documents of ranked
}

// entry is one line of the index, and the heading it leads to.
type entry struct {
	index.Entry
	section string // the path in the heading above it
	line    int
	target  headingRef // without a file if it leads nowhere
}

func (e entry) command() string { return "/" + e.Operator + " " + e.Trigger.Text }

// errNoIndex is returned by Open for a memory without an index.
var errNoIndex = errors.New("there is no memory index")

// Open reads the index and the decision files of a memory. A decision file that cannot be read costs only
// its own decisions, unless it is the same with all of them.
func Open(tree fs.FS, c config.Config) (*Library, error) {
	src, err := corpus.ReadText(tree, c.Index)
	if r, refused := corpus.WhyNot(tree, c.Index); refused {
		return nil, fmt.Errorf("memory index %w", r.For(c.Typed))
	}
	if errors.Is(err, fs.ErrNotExist) {
		step := fmt.Sprintf("run \"%s\", which makes it from the decision files", c.Typed.Command("memory-remember entry draft --write"))
		if names, err := corpus.Paths(tree, c.Layout()); err == nil && len(names) == 0 {
			step = fmt.Sprintf("to begin, write a decision below a heading (##) in %s/, then %s", c.Typed.Path(path.Join(path.Dir(c.Index), "decisions")), step)
		}
		return nil, fmt.Errorf("%w %s: %s; to use records that are elsewhere, run \"%s\"", errNoIndex, c.Typed.Path(c.Index), step, c.Typed.Command("memory-migrate adopt"))
	}
	if err != nil {
		return nil, fmt.Errorf("memory index %w", err)
	}
	l := &Library{tree: tree, layout: c.Layout(), typed: c.Typed}
	if l.paths, err = corpus.Paths(tree, l.layout); err != nil {
		return nil, err
	}
	if err := l.readFiles(); err != nil {
		return nil, err
	}
	l.readIndex(index.Parse(src))
	return l, nil
}

// Of returns the library of a memory that has been read, and perhaps edited since.
func Of(m *corpus.Corpus) *Library {
	l := &Library{tree: m.Tree, layout: corpus.Layout{Index: m.IndexPath}, files: m.Decisions}
	for _, f := range m.Decisions {
		l.paths = append(l.paths, f.Path)
	}
	l.readIndex(m.Index)
	return l
}

// readFiles parses the decision files. It fails if none can be read.
func (l *Library) readFiles() error {
	files, errs := corpus.ReadFiles(l.tree, l.layout, l.paths)
	for i, f := range files {
		if errs[i] != nil {
			l.Warnings = append(l.Warnings, "skipped: "+errs[i].Error())
			continue
		}
		for _, b := range f.Conflicts {
			l.Warnings = append(l.Warnings, fmt.Sprintf("%s:%d: skipped, a merge conflict in %s", text.ShownPath(f.Path), b.First, b))
		}
		l.files = append(l.files, f)
	}
	if len(l.files) == 0 {
		return cmp.Or(errs...)
	}
	return nil
}

// readIndex collects the entries of the index, and where they lead. The lines of conflicts are skipped,
// with a warning each.
func (l *Library) readIndex(f *index.File) {
	l.byKey, l.leading, l.titles = map[index.Key]int{}, map[headingRef]int{}, map[string][]headingRef{}
	indexPath := l.typed.Path(l.layout.Index)
	for _, b := range f.Conflicts {
		l.Warnings = append(l.Warnings, fmt.Sprintf("%s:%d: skipped, a merge conflict in %s", indexPath, b.First, b))
	}
	targets := corpus.Join(f, l.files).Targets
	for n, line := range f.Lines {
		if line.Kind == index.Malformed {
			l.Warnings = append(l.Warnings, fmt.Sprintf("%s:%d: skipped, not an entry: %s", indexPath, line.Number, text.Quoted(strings.TrimSpace(f.Text(line)))))
		}
		if line.Kind != index.EntryLine {
			continue
		}
		e := entry{line.Entry, f.Sections[line.Section].Path, line.Number, headingRef{}}
		if at := targets[n]; at != corpus.Nowhere {
			e.target = headingRef{l.files[at.File], at.Heading}
		}
		if _, taken := l.byKey[e.Key()]; !taken {
			l.byKey[e.Key()] = len(l.entries)
		}
		if _, taken := l.leading[e.target]; !taken {
			l.leading[e.target] = len(l.entries)
		}
		l.entries = append(l.entries, e)
	}
	for _, f := range l.files {
		for i, h := range f.Headings {
			if !h.Named() {
				continue
			}
			bare, alias := bareTitle(h.Key), decision.Key(h.Alias)
			l.titles[bare] = append(l.titles[bare], headingRef{f, i})
			if h.Alias != "" && alias != bare {
				l.titles[alias] = append(l.titles[alias], headingRef{f, i})
			}
		}
	}
}

// bareTitle returns a title without the dots of a structural heading.
func bareTitle(title string) string { return strings.TrimLeft(title, ". ") }

// locate returns the heading that an entry leads to.
func (l *Library) locate(e entry) (headingRef, error) {
	f := l.file(e.section)
	isUnread := f == nil && slices.Contains(l.paths, e.section) // a heading elsewhere is not the one that is meant
	if e.target.file != nil && !isUnread {
		return e.target, nil
	}
	if f != nil && f.Conflicts != nil {
		return headingRef{}, &merge.ConflictError{Path: l.typed.Path(f.Path), Block: f.Conflicts[0]}
	}
	place := fmt.Sprintf("%s:%d", l.typed.Path(l.layout.Index), e.line)
	if r, refused := corpus.WhyNot(l.tree, e.section); refused && l.layout.Holds(e.section) {
		return headingRef{}, fmt.Errorf("%s leads to %q in a file that cannot be read: %w", place, e.Title.Text, r.For(l.typed))
	}
	if isUnread {
		return headingRef{}, fmt.Errorf("%s leads to %q in a file that cannot be read: run %s", place, e.Title.Text, l.typed.Command("memory-validate"))
	}
	return headingRef{}, fmt.Errorf("%s leads to a heading %q of %s that is in no decision file: run %s", place, e.Title.Text, l.typed.Path(e.section), l.typed.Command("memory-validate"))
}

// file returns the decision file with a path, or nil.
func (l *Library) file(name string) *decision.File {
	at := slices.IndexFunc(l.files, func(f *decision.File) bool { return f.Path == name })
	if at < 0 {
		return nil
	}
	return l.files[at]
}

// named returns the decision file with a base name or path.
func (l *Library) named(name string) (*decision.File, error) {
	found := slices.DeleteFunc(slices.Clone(l.paths), func(p string) bool {
		return text.Composed(p) != text.Composed(name) && text.Fold(path.Base(p)) != text.Fold(name)
	})
	if len(found) == 1 {
		if f := l.file(found[0]); f != nil {
			return f, nil
		}
		return nil, fmt.Errorf("%s cannot be read: run %s", l.typed.Path(found[0]), l.typed.Command("memory-validate"))
	}
	e := &NotFound{What: fmt.Sprintf("%q is the name of several decision files", name)}
	if len(found) == 0 {
		e.What, found = fmt.Sprintf("no decision file %q", name), l.paths
	}
	for _, p := range found {
		e.Suggestions = append(e.Suggestions, Suggestion{Command: l.fileQuery(p)})
	}
	return nil, e
}

// fileQuery returns the query that prints a decision file: by its base name if that is unique.
func (l *Library) fileQuery(name string) string {
	base := path.Base(name)
	for _, p := range l.paths {
		if p != name && text.Fold(path.Base(p)) == text.Fold(base) {
			return "/when " + separator + " " + name
		}
	}
	return "/when " + separator + " " + base
}

// sections returns the headings with a title, structural or semantic, in all files or in the one
// named.
func (l *Library) sections(title, file string) ([]headingRef, error) {
	found := slices.Clone(l.titles[decision.Key(title)])
	if file != "" {
		f, err := l.named(file)
		if err != nil {
			return nil, err
		}
		found = slices.DeleteFunc(found, func(p headingRef) bool { return p.file != f })
	}
	return found, nil
}

// sectionQuery returns the query that prints a section: by its title if that is unique, else by
// file and title. It returns "" if that is ambiguous too, or would be read as another query.
func (l *Library) sectionQuery(p headingRef) string {
	title := p.head().Title
	all := l.titles[decision.Key(bareTitle(title))]
	isElsewhere := func(other headingRef) bool { return other.file != p.file }
	inFile := slices.DeleteFunc(slices.Clone(all), isElsewhere)
	if query := "/when " + separator + " " + title; len(all) == 1 && selects(query, "", title) {
		return query
	}
	if query := l.fileQuery(p.file.Path) + " " + title; len(inFile) == 1 && selects(query, p.file.Path, title) {
		return query
	}
	return ""
}

// selects reports whether a query is parsed as one for this section. It is not if the title is
// only dots, or looks like a file name.
func selects(query, file, title string) bool {
	q, err := ParseQuery(query)
	return err == nil && q.Kind == SectionQuery && decision.Key(q.Title) == decision.Key(bareTitle(title)) && (q.File == "") == (file == "")
}

// headingRef is a heading of a decision file.
type headingRef struct {
	file    *decision.File
	heading int
}

func (p headingRef) head() decision.Heading { return p.file.Headings[p.heading] }

// body returns the text below the heading, without situations.
func (p headingRef) body() string {
	if p.file.Document {
		return p.file.Record()
	}
	return p.file.WithoutSituations(p.head().Body, p.head().End)
}

func (p headingRef) String() string {
	return fmt.Sprintf("%s:%d", text.ShownPath(p.file.Path), p.head().Line)
}

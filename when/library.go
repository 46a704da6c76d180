package when

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"whence/internal/config"
	"whence/internal/corpus"
	"whence/internal/decision"
	"whence/internal/index"
	"whence/internal/merge"
	"whence/internal/parallel"
	"whence/internal/rank"
	"whence/internal/shell"
	"whence/internal/worktree"
)

// Library is a memory that is read only as far as queries need it: the index, and a decision file
// when an entry leads to it.
type Library struct {
	Warnings []string // malformed lines and conflicts of the index, one each

	tree      fs.FS
	indexPath string
	typed     shell.Typed
	parsed    *index.File
	entries   []entry
	joined    *corpus.Joined // of all files, on demand
	layout    corpus.Layout
	paths     []string            // of the decision files, sorted
	folders   map[string][]string // the documents of each section that is a folder
	files     map[string]*decision.File
	byKey     map[index.Key]int          // the first entry of each key
	bySection map[string][]int           // entries by section that names a file or folder; "" for others
	leading   map[*decision.File]leading // entries that lead into a file, on demand
	titles    map[string][]headingRef    // all headings by bare title key, once all files are parsed
	triggers  []phrase                   // of each entry, made when one is not found literally
	used      map[string]bool            // all words, made when a word may be misspelt
	index     *rank.Index                // made at the first recall
	leads     []Lead                     // of the documents of the index
	headings  []headingRef               // of the same
}

// entry is one line of the index that leads to a decision.
type entry struct {
	index.Entry
	section string // the path in the heading above it
	line    int
}

func (e entry) command() string { return "/" + e.Operator + " " + e.Trigger.Text }

// errNoIndex is returned by Open for a memory without an index.
var errNoIndex = errors.New("there is no memory index")

// Open reads the index of a memory, and lists the decision files.
func Open(tree fs.FS, c config.Config) (*Library, error) {
	src, err := worktree.ReadText(tree, c.Index)
	if r, refused := corpus.WhyNot(tree, c.Index); refused {
		return nil, fmt.Errorf("memory index %w", r.For(c.Typed))
	}
	if errors.Is(err, fs.ErrNotExist) {
		draft := c.Typed.Command("memory-remember entry draft --write")
		step := fmt.Sprintf("run \"%s\", which makes it from the decision files", draft)
		if names, err := corpus.Paths(tree, c.Layout()); err == nil && len(names) == 0 {
			step = fmt.Sprintf("to begin, write a decision below a heading (##) in %s/, then run \"%s\"", c.Typed.Path(path.Join(path.Dir(c.Index), "decisions")), draft)
		}
		return nil, fmt.Errorf("%w %s: %s; a memory elsewhere is named with --repo", errNoIndex, c.Typed.Path(c.Index), step)
	}
	if err != nil {
		return nil, fmt.Errorf("memory index %w", err)
	}
	l := newLibrary(tree, c.Layout())
	l.typed = c.Typed
	if l.paths, err = corpus.Paths(tree, l.layout); err != nil {
		return nil, err
	}
	l.folders = l.layout.Folders(l.paths)
	l.readIndex(index.Parse(src))
	return l, nil
}

func newLibrary(tree fs.FS, layout corpus.Layout) *Library {
	return &Library{
		tree: tree, indexPath: layout.Index, layout: layout, folders: map[string][]string{}, files: map[string]*decision.File{},
		byKey: map[index.Key]int{}, bySection: map[string][]int{}, leading: map[*decision.File]leading{},
	}
}

// readIndex collects the entries of the index. The lines of conflicts are skipped, with a warning each.
func (l *Library) readIndex(f *index.File) {
	isFile := make(map[string]bool, len(l.paths))
	for _, p := range l.paths {
		isFile[p] = true
	}
	l.parsed = f
	for _, b := range f.Conflicts {
		l.Warnings = append(l.Warnings, fmt.Sprintf("%s:%d: skipped, a merge conflict in %s", l.typed.Path(l.indexPath), b.First, b))
	}
	for _, line := range f.Lines {
		switch line.Kind {
		case index.EntryLine:
			section := f.Sections[line.Section].Path
			if _, taken := l.byKey[line.Entry.Key()]; !taken {
				l.byKey[line.Entry.Key()] = len(l.entries)
			}
			if isFile[section] || l.folders[section] != nil {
				l.bySection[section] = append(l.bySection[section], len(l.entries))
			} else {
				l.bySection[""] = append(l.bySection[""], len(l.entries))
			}
			l.entries = append(l.entries, entry{line.Entry, section, line.Number})
		case index.Malformed:
			l.Warnings = append(l.Warnings, fmt.Sprintf("%s:%d: skipped, not an entry: %s", l.typed.Path(l.indexPath), line.Number, strings.TrimSpace(f.Text(line))))
		}
	}
}

// file returns a decision file, parsed at the first call.
func (l *Library) file(path string) (*decision.File, error) {
	if f, read := l.files[path]; read {
		return f, nil
	}
	f, err := l.parse(path)
	if err == nil {
		l.files[path] = f
	}
	return f, err
}

// parse reads and parses a decision file.
func (l *Library) parse(path string) (*decision.File, error) {
	src, err := l.read(path)
	if err != nil {
		return nil, err
	}
	f, err := l.layout.Parse(path, src)
	if err != nil {
		return nil, &unreadable{err}
	}
	return f, nil
}

// read reads the text of a decision file.
func (l *Library) read(path string) ([]byte, error) {
	src, err := worktree.ReadText(l.tree, path)
	if err != nil {
		return nil, &unreadable{fmt.Errorf("decision file %w", err)}
	}
	return src, nil
}

// unreadable is the error of a decision file that cannot be read: a failure, not a query
// without an answer.
type unreadable struct{ error }

func (e *unreadable) Unwrap() error { return e.error }

// allFiles returns all decision files, parsed.
func (l *Library) allFiles() ([]*decision.File, error) {
	l.parseAll()
	files := make([]*decision.File, len(l.paths))
	for i, p := range l.paths {
		var err error
		if files[i], err = l.file(p); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// parseAll parses all decision files in parallel. One that cannot be read fails only the queries that
// need it.
func (l *Library) parseAll() {
	if l.titles != nil {
		return
	}
	files := make([]*decision.File, len(l.paths))
	outlines := corpus.OutlinesOf(l.tree)
	parallel.For(len(l.paths), func(i int) {
		if files[i] = l.files[l.paths[i]]; files[i] != nil {
			return
		}
		if src, err := l.read(l.paths[i]); err == nil {
			files[i], _ = outlines.Parse(l.layout, l.paths[i], src)
		}
	})
	outlines.Keep()
	titles := map[string][]headingRef{}
	for i, f := range files {
		if f == nil {
			titles = nil
			continue
		}
		l.files[l.paths[i]] = f
		for h, head := range f.Headings {
			if titles == nil || !head.Named() {
				continue
			}
			bare := strings.TrimLeft(head.Key, ". ")
			titles[bare] = append(titles[bare], headingRef{f, h})
			if alias := decision.Key(head.Alias); head.Alias != "" && alias != bare {
				titles[alias] = append(titles[alias], headingRef{f, h})
			}
		}
	}
	l.titles = titles
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

// answer returns the section below the heading, unless it has a conflict.
func (p headingRef) answer(related []Related) (Answer, error) {
	if !p.head().Disputed {
		return Answer{Title: p.head().Title, File: p.file.Path, Line: p.head().Line, Text: p.body(), Related: related}, nil
	}
	b, _ := merge.ConflictTouching(p.file.Conflicts, merge.Span{Start: p.head().Start, End: p.head().End})
	return Answer{}, &merge.ConflictError{What: fmt.Sprintf("section %q", p.head().Title), Path: p.file.Path, Block: b}
}

func (p headingRef) String() string { return fmt.Sprintf("%s:%d", p.file.Path, p.head().Line) }

// locate finds the heading that an entry leads to. Most often only the files of its section have to be
// read.
func (l *Library) locate(e entry) (headingRef, error) {
	names, isFile := l.folders[e.section], true
	if names == nil {
		names, isFile = []string{e.section}, slices.Contains(l.paths, e.section)
	} else {
		var err error
		if names, err = l.mayBeTitled(names, e.Title.Text); err != nil {
			return headingRef{}, err
		}
	}
	if isFile {
		var files []*decision.File
		for _, name := range names {
			f, err := l.file(name)
			if err != nil {
				return headingRef{}, err
			}
			files = append(files, f)
		}
		found := corpus.Join(&index.File{}, files).Find(e.section, e.Title.Text)
		if len(found) > 0 {
			return headingRef{files[found[0].File], found[0].Heading}, nil
		}
	}
	files, err := l.allFiles()
	if err != nil {
		return headingRef{}, err
	}
	if l.joined == nil {
		l.joined = corpus.Join(l.parsed, files)
	}
	if at := l.joined.Targets[e.line-1]; at != corpus.Nowhere {
		return headingRef{files[at.File], at.Heading}, nil
	}
	if f := l.files[e.section]; f != nil && f.Conflicts != nil {
		return headingRef{}, &merge.ConflictError{Path: l.typed.Path(f.Path), Block: f.Conflicts[0]}
	}
	if !isFile {
		if r, refused := corpus.WhyNot(l.tree, e.section); refused && l.layout.Holds(e.section) {
			return headingRef{}, fmt.Errorf("%s:%d leads to %q in a file that cannot be read: %w", l.typed.Path(l.indexPath), e.line, e.Title.Text, r.For(l.typed))
		}
		return headingRef{}, fmt.Errorf("%s:%d leads to %q in %s, which is not a decision file: run %s", l.typed.Path(l.indexPath), e.line, e.Title.Text, e.section, l.typed.Command("memory-validate"))
	}
	return headingRef{}, fmt.Errorf("%s:%d leads to a heading %q that is in no decision file: run %s", l.typed.Path(l.indexPath), e.line, e.Title.Text, l.typed.Command("memory-validate"))
}

// leading indexes the entries that lead into a decision file.
type leading struct {
	entries  map[int]entry // by index of the heading
	siblings map[int][]int // the headings that entries lead to, in order, by parentSection
}

// leadingTo indexes the entries that lead into a file: those of its section, and those of
// sections without a decision file.
func (l *Library) leadingTo(f *decision.File) leading {
	if known, done := l.leading[f]; done {
		return known
	}
	if f.Document {
		to := leading{map[int]entry{}, nil}
		if e, _, found, err := l.entryOf(f); found && err == nil {
			to.entries[0] = e
		}
		return to
	}
	joined := corpus.Join(&index.File{}, []*decision.File{f})
	to := leading{map[int]entry{}, map[int][]int{}}
	candidates := slices.Concat(l.bySection[f.Section()], l.bySection[""])
	slices.Sort(candidates)
	for _, i := range slices.Backward(candidates) { // the first entry of a heading counts
		if found := joined.Find(l.entries[i].section, l.entries[i].Title.Text); len(found) > 0 {
			to.entries[found[0].Heading] = l.entries[i]
		}
	}
	for _, h := range slices.Sorted(maps.Keys(to.entries)) {
		parent := parentSection(f, h)
		to.siblings[parent] = append(to.siblings[parent], h)
	}
	l.leading[f] = to
	return to
}

// sections returns the headings with a title, structural or semantic, in all files or in the one
// named.
func (l *Library) sections(title, file string) ([]headingRef, error) {
	paths := l.paths
	if file != "" {
		named, err := l.named(file)
		if err != nil {
			return nil, err
		}
		paths = []string{named}
	}
	return l.titled(paths, decision.Key(title))
}

// titled returns the headings with a title key, structural or semantic, in some files.
func (l *Library) titled(paths []string, key string) ([]headingRef, error) {
	var found []headingRef
	for _, p := range paths {
		f, err := l.file(p)
		if err != nil {
			return nil, err
		}
		for i, h := range f.Headings {
			if h.Named() && (strings.TrimLeft(h.Key, ". ") == key || h.Alias != "" && h.Is(key)) {
				found = append(found, headingRef{f, i})
			}
		}
	}
	return found, nil
}

// named returns the decision file with a base name or path. Other files are never opened.
func (l *Library) named(name string) (string, error) {
	found := slices.DeleteFunc(slices.Clone(l.paths), func(p string) bool {
		return p != name && !strings.EqualFold(path.Base(p), name)
	})
	if len(found) == 1 {
		return found[0], nil
	}
	e := &NotFound{What: fmt.Sprintf("%q is the name of several decision files", name)}
	if len(found) == 0 {
		e.What, found = fmt.Sprintf("no decision file %q", name), l.paths
	}
	for _, p := range found {
		e.Suggestions = append(e.Suggestions, Suggestion{Command: l.fileQuery(p)})
	}
	return "", e
}

// fileQuery returns the query that prints a decision file: by its base name if that is unique.
func (l *Library) fileQuery(name string) string {
	base := path.Base(name)
	for _, p := range l.paths {
		if p != name && strings.EqualFold(path.Base(p), base) {
			return "/when " + separator + " " + name
		}
	}
	return "/when " + separator + " " + base
}

// sectionQuery returns the query that prints a section: by its title if that is unique, else by
// file and title. It returns "" if that is ambiguous too, or would be read as another query.
func (l *Library) sectionQuery(p headingRef) (string, error) {
	title := p.head().Title
	bare := strings.TrimLeft(title, ". ")
	all, err := l.sectionsMentioned(bare)
	if err != nil {
		return "", err
	}
	isElsewhere := func(other headingRef) bool { return other.file != p.file }
	inFile := slices.DeleteFunc(slices.Clone(all), isElsewhere)
	if query := "/when " + separator + " " + title; len(all) == 1 && selects(query, "", bare) {
		return query, nil
	}
	if query := l.fileQuery(p.file.Path) + " " + title; len(inFile) == 1 && selects(query, p.file.Path, bare) {
		return query, nil
	}
	return "", nil
}

// selects reports whether a query is parsed as one for this section. It is not if the title is
// only dots, or looks like a file name.
func selects(query, file, title string) bool {
	q, err := ParseQuery(query)
	return err == nil && q.Kind == SectionQuery && decision.Key(q.Title) == decision.Key(title) && (q.File == "") == (file == "")
}

// sectionsMentioned returns the headings with a title in all files. It parses only files that
// contain the longest word of the title: parsing all would take longer than everything else.
func (l *Library) sectionsMentioned(title string) ([]headingRef, error) {
	key := decision.Key(title)
	if l.titles != nil {
		return l.titles[key], nil
	}
	paths, err := l.mentioning(l.paths, title)
	if err != nil {
		return nil, err
	}
	return l.titled(paths, key)
}

// mentioning returns the files that are parsed, or contain the longest word of a title or have it in
// their name.
func (l *Library) mentioning(names []string, title string) (paths []string, err error) {
	word := longestWord(title)
	for _, p := range names {
		if _, parsed := l.files[p]; !parsed && !strings.Contains(strings.ToLower(p), word) {
			src, err := l.read(p)
			if err != nil {
				return nil, err
			}
			if !strings.Contains(strings.ToLower(string(src)), word) {
				continue
			}
		}
		paths = append(paths, p)
	}
	return paths, nil
}

// mayBeTitled returns the documents that may have a title, or that name in words.
func (l *Library) mayBeTitled(names []string, title string) ([]string, error) {
	paths, err := l.mentioning(names, title)
	for _, name := range names {
		if decision.Key(decision.NameInWords(name)) == decision.Key(title) && !slices.Contains(paths, name) {
			paths = append(paths, name)
		}
	}
	slices.Sort(paths)
	return paths, err
}

// longestWord returns the longest word of a title, in lower case.
func longestWord(title string) (longest string) {
	for _, w := range strings.Fields(strings.ToLower(title)) {
		if len(w) > len(longest) {
			longest = w
		}
	}
	return longest
}

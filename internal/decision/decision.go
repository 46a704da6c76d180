package decision

import (
	"strings"

	"whence/internal/merge"
	"whence/internal/words"
)

// File is a parsed decision file.
type File struct {
	Markdown
	Path       string    // from the repository root, with slashes
	Headings   []Heading // in file order; headings without text are left out
	Statuses   []Status  // of the headings
	Situations []Situations
	Conflicts  []merge.Conflict // of a merge that is not finished
	Document   bool             // the whole file is one decision: see ParseDocument
	isLog      bool             // see joinChapters
	phrases    Statuses         // phrases with which the statuses were read, beyond those of the table

	chapters []Heading // all headings, including those that are text of a document or of a decision in a log
}

// Heading is an ATX or setext heading of a decision file.
type Heading struct {
	Level  int    // 1 to 6
	Title  string // as written: inline markup is kept
	Key    string // of the title
	Line   int    // 1-based
	Start  int    // offset of the heading's first line
	Body   int    // offset after the heading's last line
	End    int    // offset after its section
	Parent int    // index of the heading whose section holds this one, or -1
	Intro  bool   // below the H1 and above the first H2: needs no entry
	// Disputed reports whether the section has a conflict.
	Disputed bool

	// Alias is the name of a document in words; "" in other files. An entry may name the document by it, since the records
	// of a folder may have the same H1.
	Alias string
}

// Structural reports whether the heading only groups others: its title begins with a dot.
func (h Heading) Structural() bool {
	return h.Level > 1 && strings.HasPrefix(h.Title, ".")
}

// Semantic reports whether the heading has a decision that the index leads to.
func (h Heading) Semantic() bool { return h.Alias != "" || h.Level > 1 && !h.Structural() }

// Named reports whether a query can name the heading by its title: it is semantic or structural.
func (h Heading) Named() bool { return h.Semantic() || h.Structural() }

// Key returns the form in which titles are compared: case is folded, and white space becomes single spaces.
func Key(title string) string { return words.Fold(strings.Join(strings.Fields(title), " ")) }

// Body returns the text of heading i's section without the heading itself.
func (f *File) Body(i int) []byte { return f.Source[f.Headings[i].Body:f.Headings[i].End] }

// Parse reads a decision file. It accepts any input. The lines of conflicts are skipped: a section that has some is
// disputed. In a log, the chapters of a decision are part of its text.
func Parse(path string, src []byte) *File {
	f := parseAll(path, src)
	f.joinChapters()
	f.ReadStatuses(nil)
	return f
}

// parseAll reads a file with all its headings.
func parseAll(path string, src []byte) *File {
	conflicts := merge.FindConflicts(src)
	if conflicts == nil {
		return parse(path, src)
	}
	f := parse(path, merge.MaskConflicts(src, conflicts))
	f.Source, f.Conflicts = src, conflicts // the mask has the same lines
	for i := range f.Headings {
		h := &f.Headings[i]
		_, h.Disputed = merge.ConflictTouching(conflicts, merge.Span{Start: h.Start, End: h.End})
	}
	return f
}

func parse(path string, src []byte) *File {
	f := &File{Markdown: NewMarkdown(src), Path: path}
	f.addBlocks()
	f.closeSections()
	f.chapters = f.Headings
	return f
}

// WithSource parses another text of the same file.
func (f *File) WithSource(src []byte) *File {
	parse := Parse
	if f.Document {
		parse = ParseDocument
	}
	next := parse(f.Path, src)
	if len(f.phrases) > 0 {
		next.ReadStatuses(f.phrases)
	}
	return next
}

// addBlocks appends the headings and situations.
func (f *File) addBlocks() {
	after := -1 // the heading directly above
	for _, b := range f.blocks {
		switch {
		case b.Kind == HeadingBlock && b.Top:
			after = f.addHeadingBlock(b)
			continue
		case b.Kind == HTMLBlock && b.Top:
			f.addSituations(b.Start, b.End, after)
		case b.Kind == HTMLBlock: // in a list or quote, it belongs to no heading
			f.addSituations(b.Start, b.End, -1)
		}
		after = -1
	}
}

// addHeadingBlock appends a heading and returns its index, or -1 if it has no text.
func (f *File) addHeadingBlock(b Block) int {
	title := strings.TrimSpace(strings.ReplaceAll(f.text(b), "\n", " "))
	if title == "" {
		return -1
	}
	f.Headings = append(f.Headings, Heading{
		Level: b.Level, Title: title, Key: Key(title), Line: f.LineAt(b.Start), Start: b.Start, Body: b.End,
	})
	return len(f.Headings) - 1
}

// closeSections sets what depends on the order of the headings: the end of each section, its
// parent, and whether it belongs to the intro.
func (f *File) closeSections() {
	var open []int
	title, firstH2 := false, false
	for i := range f.Headings {
		h := &f.Headings[i]
		for len(open) > 0 && f.Headings[open[len(open)-1]].Level >= h.Level {
			f.Headings[open[len(open)-1]].End = h.Start
			open = open[:len(open)-1]
		}
		h.Parent = -1
		if len(open) > 0 {
			h.Parent = open[len(open)-1]
		}
		open = append(open, i)
		title = title || h.Level == 1
		firstH2 = firstH2 || h.Level == 2
		h.Intro = title && !firstH2 && h.Level > 2
	}
	for _, i := range open {
		f.Headings[i].End = len(f.Source)
	}
}

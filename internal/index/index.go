package index

import (
	"bytes"
	"strings"

	"whence/internal/merge"
	"whence/internal/words"
)

// bom is the UTF-8 encoding of U+FEFF, which some editors put at the start of a file.
const bom = "\uFEFF"

// Kind is the kind of a line of the index.
type Kind int

const (
	Preamble  Kind = iota // any line before the first section
	Blank                 // white space only, inside a section
	Heading               // "## path": opens a section
	EntryLine             // a well-formed entry
	Malformed             // looks like an entry, but is not one: see Line.Problem
	Foreign               // anything else in a section: kept, never an entry
	Conflict              // of an unfinished merge, or one of its markers: never an entry
)

// Problem is why a Malformed line is not an entry.
type Problem int

const (
	None             Problem = iota
	LegacyDash               // "Key — description", the oldest format
	MissingOperator          // three fields, but no /when in front
	UnknownOperator          // "/what …"
	MissingFields            // fewer than three fields
	EmptyTrigger             // three fields, the first one empty
	EmptyTitle               // three fields, the second one empty
	EmptyDescription         // three fields, the third one empty
)

// Span is a half-open range of byte offsets into File.Source.
type Span struct{ Start, End int }

// Field is one of the three fields of an entry. Text is trimmed and unescaped
// (`\|` is a pipe); the span covers the trimmed, escaped bytes in the source.
type Field struct {
	Text string
	Span
}

// Entry is one line of the index that leads to a decision. In a Malformed or Conflict line, the
// fields are what could be read of it.
type Entry struct {
	Operator    string // as written, without the slash: "when" or "how"
	Trigger     Field
	Title       Field // the header title
	Description Field
	Fields      int // how many of the fields the line has
}

// Line is one line of the index. Its span is the content without the line end; Next is where the
// following line starts.
type Line struct {
	Kind    Kind
	Problem Problem
	Span
	Next    int
	Number  int  // 1-based
	Section int  // index into File.Sections, -1 in the preamble
	Opaque  bool // inside a code fence or an HTML comment
	Entry   Entry
}

// Section is a "## path" heading and all lines up to the next one.
type Section struct {
	Path  string // heading text: the path of a decision file, from the repository root
	First int    // index into File.Lines of the heading
	End   int    // index into File.Lines after the last line of the section
}

// File is a parsed memory index.
type File struct {
	Source    []byte
	Lines     []Line
	Sections  []Section
	Conflicts []merge.Conflict // of a merge that is not finished

	text string // Source, so that texts of lines and fields share its memory
}

// Parse reads a memory index. It accepts any input: what it does not understand is a Foreign or
// Malformed line. The caller must not change src afterwards.
func Parse(src []byte) *File {
	f := &File{Source: src, text: string(src), Lines: make([]Line, 0, bytes.Count(src, []byte{'\n'})+1)}
	for at := len(src) - len(bytes.TrimPrefix(src, []byte(bom))); at < len(src); {
		l := Line{Number: len(f.Lines) + 1, Section: -1}
		l.Start, l.End, l.Next = at, len(src), len(src)
		if i := bytes.IndexByte(src[at:], '\n'); i >= 0 {
			l.End, l.Next = at+i, at+i+1
		}
		if l.End > l.Start && src[l.End-1] == '\r' && l.Next > l.End {
			l.End--
		}
		f.Lines = append(f.Lines, l)
		at = l.Next
	}
	f.Conflicts = merge.FindConflicts(src)
	f.classify()
	return f
}

// classify sets the kind and section of each line. Lines of a closed code fence or HTML comment are
// opaque: no heading or entry begins inside one. Those of a conflict belong to the section above it,
// since the sections of the merge are not known yet.
func (f *File) classify() {
	blocks := merge.NewBlocks(len(f.Lines), func(i int) string { return f.Text(f.Lines[i]) })
	section := -1
	bodies := make([]int, 0, len(f.Lines)) // lines of sections to be classified
	conflicts := f.Conflicts
	for i := 0; i < len(f.Lines); {
		if len(conflicts) > 0 && i >= conflicts[0].First-1 {
			for ; i < conflicts[0].Last; i++ {
				f.Lines[i].Section, f.Lines[i].Kind = section, Conflict
			}
			conflicts = conflicts[1:]
			continue
		}
		if end, _ := blocks.End(i); end > i && (len(conflicts) == 0 || end < conflicts[0].First) {
			for ; i < end; i++ {
				f.Lines[i].Section, f.Lines[i].Opaque = section, true
				if section >= 0 {
					f.Lines[i].Kind = Foreign
				}
			}
			continue
		}
		l := &f.Lines[i]
		if path, ok := sectionHeading(f.Text(*l)); ok {
			if section >= 0 {
				f.Sections[section].End = i
			}
			section = len(f.Sections)
			f.Sections = append(f.Sections, Section{Path: path, First: i, End: len(f.Lines)})
			l.Kind = Heading
		} else if section >= 0 {
			bodies = append(bodies, i)
		}
		l.Section = section
		i++
	}
	for _, i := range bodies {
		f.classifyBody(&f.Lines[i], f.Text(f.Lines[i]))
	}
}

// Text returns the content of a line, without its line end.
func (f *File) Text(l Line) string { return f.text[l.Start:l.End] }

// Preamble returns the range of everything before the first section, without a byte-order mark.
func (f *File) Preamble() Span {
	s := Span{len(f.Source) - len(bytes.TrimPrefix(f.Source, []byte(bom))), len(f.Source)}
	if len(f.Sections) > 0 {
		s.End = f.Lines[f.Sections[0].First].Start
	}
	return s
}

// LineEnd returns the line end that most lines of the file have: "\n" or "\r\n".
func (f *File) LineEnd() string { return words.LineEnd(f.Source) }

// WithLineEnd returns f, or a copy with a line end if its last line has none.
func (f *File) WithLineEnd() *File {
	if f.ended() {
		return f
	}
	return Parse(append(bytes.Clone(f.Source), f.LineEnd()...))
}

func (f *File) ended() bool { return len(f.Source) == 0 || bytes.HasSuffix(f.Source, []byte("\n")) }

// TrimLineEnd returns an edited text without its last line end if f has none there. A
// carriage return stays if f ends with one.
func (f *File) TrimLineEnd(text []byte) []byte {
	if f.ended() {
		return text
	}
	text = bytes.TrimSuffix(text, []byte("\n"))
	if !bytes.HasSuffix(f.Source, []byte("\r")) {
		text = bytes.TrimSuffix(text, []byte("\r"))
	}
	return text
}

// IsSectionPath reports whether a section heading can name a path.
func IsSectionPath(path string) bool {
	read, ok := sectionHeading("## " + path)
	return ok && read == path && path != "" && !strings.ContainsAny(path, "\r\n") && !strings.Contains(path, "-->")
}

// sectionHeading returns the path of a line that opens a section. As in CommonMark, it has up to
// three spaces, exactly two hashes, and a space or the line end; closing hashes are not part of
// the text.
func sectionHeading(line string) (path string, ok bool) {
	text := strings.TrimLeft(line, " ")
	if len(line)-len(text) > 3 || !strings.HasPrefix(text, "##") {
		return "", false
	}
	text = text[2:]
	if text != "" && text[0] != ' ' && text[0] != '\t' {
		return "", false
	}
	text = strings.TrimSpace(text)
	if bare := strings.TrimRight(text, "#"); bare == "" || bare != text && strings.HasSuffix(bare, " ") {
		text = strings.TrimSpace(bare)
	}
	return text, true
}

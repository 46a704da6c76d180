package validate

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"whence/internal/config"
	"whence/internal/decision"
	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/memory"
)

// check is one memory with its index and its decision files joined: which
// heading each entry leads to, and which headings no line of the index names.
type check struct {
	*memory.Memory
	config     config.Config
	semantic   map[string][]heading // by title key, in order of path and line
	structural map[string][]heading // by title key without the dot
	inFile     map[titleIn]heading  // the first semantic heading of a title in a file
	files      map[string]int       // path → index into Decisions
	bases      map[string]string    // base name → path of the first decision file that has it
	homes      map[string]int       // path → index of the first section of that name
	entries    []int                // indexes into Index.Lines of the well-formed entries
	originals  []int                // the same without those that repeat another one
	targets    map[int]heading      // line index of an entry → where it leads
	claims     map[string]bool      // title keys that some line names, well-formed or not
	repeats    map[int]int          // line index of an entry → that of its byte-identical original
	same       map[int]int          // line index of an entry → that of the one with the same key
	renames    map[int]rename       // line index of an entry with an unknown title → its heading today
	renamed    map[heading]int      // the same the other way round
	rearranged *finding.Fix         // the fix of wrong-section and entry-order, once asked for
}

// titleIn is a title, by its key, in a decision file.
type titleIn struct {
	key  string
	file int
}

// heading names a heading of a decision file.
type heading struct{ file, index int }

func newCheck(m *memory.Memory, c config.Config) *check {
	k := &check{
		Memory: m, config: c,
		semantic: map[string][]heading{}, structural: map[string][]heading{}, inFile: map[titleIn]heading{},
		files: map[string]int{}, bases: map[string]string{}, homes: map[string]int{},
		targets: map[int]heading{}, claims: map[string]bool{},
	}
	for fi, file := range m.Decisions {
		k.files[file.Path] = fi
		if base := path.Base(file.Path); k.bases[base] == "" {
			k.bases[base] = file.Path
		}
		for hi, h := range file.Headings {
			switch {
			case h.Structural():
				key := structuralKey(h.Key)
				k.structural[key] = append(k.structural[key], heading{fi, hi})
			case h.Semantic():
				k.semantic[h.Key] = append(k.semantic[h.Key], heading{fi, hi})
				if _, taken := k.inFile[titleIn{h.Key, fi}]; !taken {
					k.inFile[titleIn{h.Key, fi}] = heading{fi, hi}
				}
			}
		}
	}
	for i, s := range slices.Backward(k.Index.Sections) {
		k.homes[s.Path] = i
	}
	k.joinEntries()
	return k
}

// joinEntries finds out where each entry leads.
func (k *check) joinEntries() {
	for i, line := range k.Index.Lines {
		switch line.Kind {
		case index.EntryLine:
			k.entries = append(k.entries, i)
			key := decision.Key(line.Entry.Title.Text)
			if h, found := k.resolve(key, k.section(line).Path); found {
				k.targets[i] = h
			}
			k.claims[key] = true
		case index.Malformed:
			for _, title := range possibleTitles(line.Entry) {
				k.claims[decision.Key(title)] = true
			}
		}
	}
	k.repeats = k.findRepeats()
	for _, i := range k.entries {
		if _, repeated := k.repeats[i]; !repeated {
			k.originals = append(k.originals, i)
		}
	}
	k.same = k.sameTrigger()
	k.renames, k.renamed = k.findRenames()
}

// resolve finds the heading of an entry: by the key of its title, in the file of
// its section, or else in the only file that has it. Which one of several is meant
// is not for a program to say.
func (k *check) resolve(key, section string) (heading, bool) {
	if fi, isFile := k.files[section]; isFile {
		if h, found := k.inFile[titleIn{key, fi}]; found {
			return h, true
		}
	}
	if found := k.semantic[key]; len(found) > 0 && found[0].file == found[len(found)-1].file {
		return found[0], true
	}
	return heading{}, false
}

// possibleTitles are the header titles that a malformed line may be about: so a
// heading whose entry is only malformed is not reported as missing besides. The
// two-field format names the heading "When <trigger>" by its trigger.
func possibleTitles(e index.Entry) []string {
	titles := []string{e.Title.Text}
	if e.Fields < 3 {
		titles = append(titles, "When "+e.Trigger.Text, "How to "+e.Trigger.Text)
	}
	return titles
}

// structuralOf lists the structural headings that a title names, with or without
// the dot.
func (k *check) structuralOf(title string) []heading {
	return k.structural[structuralKey(decision.Key(title))]
}

// structuralKey is the key of a title without the dot.
func structuralKey(key string) string { return strings.TrimLeft(key, ". ") }

// claimed tells whether some line of the index names the title of a heading.
func (k *check) claimed(h decision.Heading) bool { return k.claims[h.Key] }

func (k *check) section(line index.Line) index.Section { return k.Index.Sections[line.Section] }

func (k *check) heading(h heading) decision.Heading { return k.Decisions[h.file].Headings[h.index] }

// place writes where a heading stands: "path:line".
func (k *check) place(h heading) string {
	return fmt.Sprintf("%s:%d", k.Decisions[h.file].Path, k.heading(h).Line)
}

// atLine makes a finding at the first byte that is no blank of a line of the index.
func (k *check) atLine(i int, format string, args ...any) finding.Finding {
	line := k.Index.Lines[i]
	at := line.Start
	for at < line.End && (k.Index.Source[at] == ' ' || k.Index.Source[at] == '\t') {
		at++
	}
	return k.atOffset(i, at, format, args...)
}

// atOffset makes a finding at an offset that lies in a line of the index.
func (k *check) atOffset(i, offset int, format string, args ...any) finding.Finding {
	line := k.Index.Lines[i]
	return finding.Finding{
		Path: k.IndexPath, Line: line.Number, Column: utf8.RuneCount(k.Index.Source[line.Start:offset]) + 1,
		Message: fmt.Sprintf(format, args...),
	}
}

// atHeading makes a finding at a heading of a decision file.
func (k *check) atHeading(h heading, format string, args ...any) finding.Finding {
	return inFile(k.Decisions[h.file], k.heading(h).Line, format, args...)
}

func inFile(file *decision.File, line int, format string, args ...any) finding.Finding {
	return finding.Finding{Path: file.Path, Line: line, Column: 1, Message: fmt.Sprintf(format, args...)}
}

// edit replaces a span of the index.
func (k *check) edit(s index.Span, text string) finding.Edit {
	return finding.Edit{Path: k.IndexPath, Start: s.Start, End: s.End, New: text}
}

// wholeLine is the span of a line with its line end.
func wholeLine(l index.Line) index.Span { return index.Span{Start: l.Start, End: l.Next} }

// lazy is a regular expression that is compiled when it is first used: programs
// that import this package start for other work too.
func lazy(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

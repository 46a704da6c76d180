package validate

import (
	"bytes"
	"slices"
	"strings"

	"whence/internal/corpus"
	"whence/internal/decision"
	"whence/internal/index"
	"whence/internal/merge"
)

// --fix --merged resolves a conflict in which both sides only added entries, or sections of a
// decision file: it keeps the lines of both, ours first, and common lines once. If the conflict
// shows its base (diff3, zdiff3), that must be empty. If not (merge), an added section must have
// a title that the file did not have before the merge, as git knows it. An added entry must have
// an existing heading, and a trigger and heading that neither the other side has nor, if git knows
// it, the index before the merge.

// bothEntries returns the text that resolves a conflict in the index. Before is entriesBefore.
func (k *check) bothEntries(b merge.Conflict, before func() entrySet) (text string, resolvable bool) {
	if !added(k.Index.Source, b) {
		return "", false
	}
	section := k.Index.Lines[b.First-1].Section
	ours, ok := readAdditions(k.Index.Source[b.Ours.Start:b.Ours.End], section >= 0)
	theirs, alsoOK := readAdditions(k.Index.Source[b.Theirs.Start:b.Theirs.End], section >= 0)
	if !ok || !alsoOK {
		return "", false
	}
	ourEntries, theirEntries := entriesOf(ours), entriesOf(theirs)
	if !newEntrySet(ourEntries).distinct(theirEntries) {
		return "", false
	}
	if all := slices.Concat(ourEntries, theirEntries); !b.HasBase && !(k.leadSomewhere(all) && before().distinct(all)) {
		return "", false
	}
	eol := k.Index.LineEnd()
	for _, their := range theirs {
		if at := slices.IndexFunc(ours, func(our addition) bool { return our.heading == their.heading }); at >= 0 {
			ours[at].join(their)
		} else {
			ours = append(ours, their)
		}
	}
	var out strings.Builder
	for i, a := range ours {
		if i > 0 && a.heading != "" && !strings.HasSuffix(out.String(), eol+eol) {
			out.WriteString(eol)
		}
		for _, line := range a.lines {
			out.WriteString(line)
			if !strings.HasSuffix(line, "\n") {
				out.WriteString(eol)
			}
		}
	}
	return out.String(), true
}

// added reports whether both sides of a conflict have lines and its base has none.
func added(src []byte, b merge.Conflict) bool {
	filled := func(s merge.Side) bool { return len(bytes.TrimSpace(src[s.Start:s.End])) > 0 }
	return b.Whole && filled(b.Ours) && filled(b.Theirs) && !filled(b.Base)
}

// addition is the lines that one side adds to a section of the index.
type addition struct {
	heading string // the line that opens the section; "" for the section around the conflict
	lines   []string
	entries []index.Entry
}

// join adds the lines that only the other side has after the last line that is not empty.
func (a *addition) join(other addition) {
	end := len(a.lines)
	for end > 0 && strings.TrimSpace(a.lines[end-1]) == "" {
		end--
	}
	known := map[string]bool{}
	for _, line := range a.lines {
		known[strings.TrimRight(line, "\r\n")] = true
	}
	added := slices.DeleteFunc(slices.Clone(other.lines), func(line string) bool {
		return strings.TrimSpace(line) == "" || known[strings.TrimRight(line, "\r\n")]
	})
	if end > 0 && len(added) > 0 && !strings.HasSuffix(a.lines[end-1], "\n") {
		a.lines[end-1] += "\n"
	}
	a.lines = slices.Insert(a.lines, end, added...)
}

// readAdditions reads one side of a conflict in the index. It may have well-formed entries and
// headings of sections only. Entries before its first heading need a section around it.
func readAdditions(side []byte, inSection bool) (found []addition, ok bool) {
	const open = "## around\n"
	f := index.Parse(append([]byte(open), side...))
	for i, line := range f.Lines {
		text := string(f.Source[line.Start:line.Next])
		switch {
		case i == 0:
			found = append(found, addition{})
			continue
		case line.Kind == index.Heading:
			found = append(found, addition{heading: strings.TrimRight(text, "\r\n")})
		case line.Kind == index.EntryLine:
			last := &found[len(found)-1]
			last.entries = append(last.entries, line.Entry)
		case line.Kind != index.Blank || line.Opaque:
			return nil, false
		}
		last := &found[len(found)-1]
		last.lines = append(last.lines, text)
	}
	if len(found[0].entries) == 0 {
		return found[1:], len(found) > 1
	}
	return found, inSection
}

func entriesOf(additions []addition) (entries []index.Entry) {
	for _, a := range additions {
		entries = append(entries, a.entries...)
	}
	return entries
}

// leadSomewhere reports whether each entry has a heading in the decision files.
func (k *check) leadSomewhere(entries []index.Entry) bool {
	return !slices.ContainsFunc(entries, func(e index.Entry) bool { return k.named(e.Title.Text) == nil })
}

// before returns the merge base of a file, if git still knows it.
func (k *check) before(path string) (src []byte, known bool) {
	if tree, asksGit := k.Tree.(corpus.MergeFS); asksGit {
		return tree.MergeBase(path)
	}
	return nil, false
}

// entriesBefore returns the entries that the index had before the merge, without description so
// that no present entry equals one.
func (k *check) entriesBefore() entrySet {
	var entries []index.Entry
	src, _ := k.before(k.IndexPath)
	for _, line := range index.Parse(src).Lines {
		if line.Kind == index.EntryLine {
			line.Entry.Description.Text = ""
			entries = append(entries, line.Entry)
		}
	}
	return newEntrySet(entries)
}

// entrySet finds entries by their triggers and by the keys of their titles.
type entrySet struct {
	triggers map[index.Key]index.Entry
	titles   map[string]index.Entry
}

func newEntrySet(entries []index.Entry) entrySet {
	s := entrySet{map[index.Key]index.Entry{}, map[string]index.Entry{}}
	for _, e := range entries {
		s.triggers[e.Key()], s.titles[decision.Key(e.Title.Text)] = e, e
	}
	return s
}

// distinct reports whether no entry has the trigger or the heading of a different entry in the set.
func (s entrySet) distinct(entries []index.Entry) bool {
	for _, e := range entries {
		withTrigger, sameTrigger := s.triggers[e.Key()]
		withTitle, sameTitle := s.titles[decision.Key(e.Title.Text)]
		if sameTrigger && !sameFields(withTrigger, e) || sameTitle && !sameFields(withTitle, e) {
			return false
		}
	}
	return true
}

func sameFields(a, b index.Entry) bool {
	return a.Operator == b.Operator && a.Trigger.Text == b.Trigger.Text && a.Title.Text == b.Title.Text && a.Description.Text == b.Description.Text
}

// bothSections returns the text that resolves a conflict in a decision file: each side must have
// sections of one level, which end with the conflict. Before is titlesBefore.
func bothSections(file *decision.File, b merge.Conflict, before func() (titles map[string]bool, known bool)) (text string, resolvable bool) {
	if !added(file.Source, b) {
		return "", false
	}
	ours, level := readSections(file.Source[b.Ours.Start:b.Ours.End])
	theirs, theirLevel := readSections(file.Source[b.Theirs.Start:b.Theirs.End])
	if ours == nil || theirs == nil || level != theirLevel || !endsSections(file, b.End, level) {
		return "", false
	}
	if !b.HasBase {
		titles, known := before()
		if !known || hasTitle(ours, titles) || hasTitle(theirs, titles) {
			return "", false
		}
	}
	known := map[string]string{} // the sections of ours by the keys of their titles
	for _, s := range ours {
		for _, key := range s.keys {
			known[key] = s.text
		}
	}
	for _, s := range theirs {
		shared := 0
		for _, key := range s.keys {
			if our, both := known[key]; both && trimmed(our) != trimmed(s.text) {
				return "", false
			} else if both {
				shared++
			}
		}
		if shared == 0 {
			ours = append(ours, s)
		}
	}
	var out strings.Builder
	for i, s := range ours {
		if i > 0 {
			if !strings.HasSuffix(out.String(), "\n") {
				out.WriteString("\n")
			}
			if before := out.String(); !strings.HasSuffix(strings.ReplaceAll(before, "\r", ""), "\n\n") {
				out.WriteString(lineEndOf(before))
			}
			s.text = strings.TrimLeft(s.text, "\r\n")
		}
		out.WriteString(s.text)
	}
	return out.String(), true
}

// section is a section that one side adds, with those inside of it.
type section struct {
	text string
	keys []string // of all titles in it
}

// hasTitle reports whether a title of some sections is among those with the given keys.
func hasTitle(sections []section, keys map[string]bool) bool {
	return slices.ContainsFunc(sections, func(s section) bool {
		return slices.ContainsFunc(s.keys, func(key string) bool { return keys[key] })
	})
}

// titlesBefore returns the keys of the titles that a decision file had before the merge, if git
// still knows them.
func (k *check) titlesBefore(path string) (titles map[string]bool, known bool) {
	src, known := k.before(path)
	titles = map[string]bool{}
	for _, h := range decision.Parse(path, src).Headings {
		titles[h.Key] = true
	}
	return titles, known
}

// readSections cuts one side of a conflict into its sections. It returns nil if there is text
// before the first heading, a heading above its level, or an unclosed fence or comment.
func readSections(side []byte) (found []section, level int) {
	f := decision.Parse("", side)
	if len(f.Headings) == 0 || len(bytes.TrimSpace(side[:f.Headings[0].Start])) > 0 {
		return nil, 0
	}
	level = f.Headings[0].Level
	for i, h := range f.Headings {
		switch {
		case h.Level < max(level, 2):
			return nil, 0
		case h.Level == level:
			start := h.Start
			if i == 0 {
				start = 0
			}
			found = append(found, section{text: string(side[start:h.End])})
		}
		last := &found[len(found)-1]
		last.keys = append(last.keys, h.Key)
	}
	// A heading behind the side is one only if the side leaves nothing open.
	probe := decision.Parse("", append(slices.Clone(side), "\n\n## probe\n"...))
	if len(probe.Headings) != len(f.Headings)+1 {
		return nil, 0
	}
	return found, level
}

// endsSections reports whether a heading of a level or above follows an offset, or nothing does.
func endsSections(file *decision.File, offset, level int) bool {
	offset += len(file.Source[offset:]) - len(bytes.TrimLeft(file.Source[offset:], " \t\r\n"))
	if offset == len(file.Source) {
		return true
	}
	i, found := slices.BinarySearchFunc(file.Headings, offset, func(h decision.Heading, offset int) int { return h.Start - offset })
	return found && file.Headings[i].Level <= level
}

func trimmed(text string) string { return strings.TrimSpace(strings.ReplaceAll(text, "\r", "")) }

func lineEndOf(text string) string {
	if strings.HasSuffix(text, "\r\n") {
		return "\r\n"
	}
	return "\n"
}

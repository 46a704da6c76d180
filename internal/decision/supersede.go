package decision

import (
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode"

	"whence/internal/words"
)

// SupersededBy returns the text of a document with a status that also names its successor, a file of the same folder.
// Only a status in front matter is replaced. It returns nil if a document with such a text would still hold.
func (f *File) SupersededBy(name string) []byte {
	said := "superseded by " + Link(name)
	for _, addition := range []func(string) []byte{f.statusInFrontMatter, f.statusInChapter, f.statusInLine, f.statusBelowTitle} {
		src := addition(said)
		if src == nil {
			continue
		}
		if s := f.WithSource(src).Status(); s.Kind == Superseded && slices.Contains(s.Successors, path.Base(name)) {
			return src
		}
	}
	return nil
}

// Link returns a Markdown link to another document of the same folder.
func Link(name string) string {
	base := path.Base(name)
	return "[" + strings.TrimSuffix(base, path.Ext(base)) + "](" + url.PathEscape(base) + ")"
}

// statusInFrontMatter replaces the status in YAML front matter, whatever its key is called.
func (f *File) statusInFrontMatter(said string) []byte {
	at := 0
	for line := range strings.Lines(string(f.Source[:contentStart(f.Source)])) {
		label, _, isLabel := cutLabel(line)
		key, _, _ := strings.Cut(line, ":")
		if isLabel && knownStatuses()[label] == statusLabel && isKey(key) {
			end := at + len(strings.TrimRight(line, "\r\n"))
			return f.replaced(at+len(key)+len(":"), end, " "+said)
		}
		at += len(line)
	}
	return nil
}

// isKey reports whether the text before a colon is a key at the top level of YAML front matter.
func isKey(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' && r != '_' && r != ' ' }) < 0 && strings.IndexFunc(s, unicode.IsLetter) == 0
}

func (f *File) statusInChapter(said string) []byte {
	i := 0
	for i < len(f.chapters) && (!f.chapters[i].IsStatus() || i == 0 && f.chapters[i].Level == 1) {
		i++
	}
	if i == len(f.chapters) {
		return nil
	}
	h, end := f.chapters[i], len(f.Source)
	if i+1 < len(f.chapters) {
		end = f.chapters[i+1].Start
	}
	eol := words.LineEnd(f.Source)
	text := strings.TrimRight(string(f.Source[h.Body:end]), " \t\r\n")
	if text != "" {
		text += eol
	}
	return f.replaced(h.Body, end, text+eol+words.UpperFirst(said)+eol+eol)
}

func (f *File) statusInLine(said string) []byte {
	for _, b := range f.blocks {
		for _, l := range b.Lines {
			line := strings.TrimRight(string(f.Source[l.Start:l.End]), " \t\r\n")
			label, value, isLabel := cutLabel(line)
			if b.Kind != Paragraph || !isLabel || knownStatuses()[label] != statusLabel || value == "" {
				continue
			}
			at := l.Start + len(strings.TrimRight(line, "| \t"))
			return f.replaced(at, at, ", "+said)
		}
	}
	return nil
}

func (f *File) statusBelowTitle(said string) []byte {
	eol := words.LineEnd(f.Source)
	body := f.Headings[0].Body
	for _, s := range f.Situations { // they stay directly below it
		if s.Heading == 0 {
			body = s.End + len(eol)
		}
	}
	body = min(body, len(f.Source))
	line := eol + words.UpperFirst(said) + eol
	if body > 0 && f.Source[body-1] != '\n' {
		line = eol + line
	}
	return f.replaced(body, body, line)
}

// replaced returns the text with the part between two offsets replaced.
func (f *File) replaced(start, end int, text string) []byte {
	return slices.Concat(f.Source[:start], []byte(text), f.Source[end:])
}

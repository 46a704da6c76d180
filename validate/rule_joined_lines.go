package validate

import (
	"slices"
	"strings"

	"whence/internal/finding"
	"whence/internal/index"
)

// joinedLines reports, once, that a formatter of Markdown has joined entries on adjacent lines into paragraphs. Nothing
// else is then reported about the index. A paragraph whose parts are entries of known headings gets its lines back.
func joinedLines(a *audit, report func(finding.Finding)) {
	if len(a.joined) == 0 {
		return
	}
	fix := &finding.Fix{}
	for _, p := range a.joined {
		lines := strings.Join(p.entries, a.Index.LineEnd())
		fix.Edits = append(fix.Edits, a.edit(index.Span{Start: a.Index.Lines[p.first].Start, End: a.Index.Lines[p.last].End}, lines))
	}
	f := a.atLine(a.joined[0].first, "a formatter of Markdown has joined entries: --fix writes each into a line of its own; keep the formatter from this file, as with a line in .prettierignore")
	f.Fix = fix
	report(f)
}

// paragraph is a run of lines of the index, and the entries that it consists of.
type paragraph struct {
	first, last int // indexes into Lines
	entries     []string
}

// joinedParagraphs returns the paragraphs of entries that a formatter has wrapped. It returns none unless an operator
// is inside a line somewhere: otherwise, the author may have wrapped a line.
func (a *audit) joinedParagraphs() (wrapped []paragraph) {
	areJoined := false
	for i := 0; i < len(a.Index.Lines); i++ {
		if !a.inParagraph(i) {
			continue
		}
		p := paragraph{first: i}
		var texts []string
		begun := 0 // lines that begin with an operator
		for ; i < len(a.Index.Lines) && a.inParagraph(i); i++ {
			words := strings.Fields(a.Index.Text(a.Index.Lines[i]))
			texts = append(texts, strings.Join(words, " "))
			if isOperator(words[0]) {
				begun++
			}
		}
		p.last = i - 1
		p.entries = splitEntries(strings.Join(texts, " "))
		if slices.Equal(p.entries, texts) || !a.areKnown(p) {
			continue
		}
		wrapped = append(wrapped, p)
		areJoined = areJoined || begun < len(p.entries)
	}
	if !areJoined {
		return nil
	}
	return wrapped
}

// inParagraph reports whether a line of the index may belong to a paragraph of entries. A list item that looks like an
// entry does not; other lines may begin with a list marker because they were wrapped there.
func (a *audit) inParagraph(i int) bool {
	line := a.Index.Lines[i]
	words := strings.Fields(a.Index.Text(line))
	isItem := len(words) > 1 && slices.Contains([]string{"-", "*", "+"}, words[0]) && isOperator(words[1])
	return !line.Opaque && !isItem && slices.Contains([]index.Kind{index.EntryLine, index.Malformed, index.Foreign}, line.Kind)
}

func isOperator(word string) bool { return word == "/when" || word == "/how" }

// splitEntries splits a text before each operator.
func splitEntries(text string) (parts []string) {
	words := strings.Fields(text)
	begin := 0
	for i, word := range words {
		if i > begin && isOperator(word) {
			parts = append(parts, strings.Join(words[begin:i], " "))
			begin = i
		}
	}
	return append(parts, strings.Join(words[begin:], " "))
}

// areKnown reports whether all parts of a paragraph are entries of known headings.
func (a *audit) areKnown(p paragraph) bool {
	return !slices.ContainsFunc(p.entries, func(text string) bool {
		line := index.Parse([]byte("## x\n" + text)).Lines[1]
		return line.Kind != index.EntryLine || len(a.Find(a.sectionPath(a.Index.Lines[p.first]), line.Entry.Title.Text)) == 0
	})
}

// withoutJoined drops the other findings about an index whose lines are joined, and all missing entries.
func (a *audit) withoutJoined(found []finding.Finding) []finding.Finding {
	if len(a.joined) == 0 {
		return found
	}
	return slices.DeleteFunc(found, func(f finding.Finding) bool {
		return f.Rule != "joined-lines" && f.Rule != "conflict-marker" && (f.Path == a.Layout.Index || f.Rule == "missing-entry")
	})
}

package when

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"whence/internal/decision"
	"whence/internal/parallel"
	"whence/internal/rank"
)

// Recalled is a decision that applies to a text.
type Recalled struct {
	Operator, Trigger string
	Title             string // of the heading
	File              string
	Line              int // of the heading
	Text              string
	Score             float64 // orders the candidates, see package rank
	P                 float64 // probability that the decision applies
	Features          rank.Features
	Words             []rank.Word // shared by text and decision
}

// Command returns the query that prints the decision.
func (r Recalled) Command() string { return "/" + r.Operator + " " + r.Trigger }

// Recall ranks the decisions that apply to a text: a prompt, a command with its output, the
// head of a file. It returns at most maxItems, the best first, whatever their score: below 1
// they are near, but not relevant. Entries without a heading, and those in a merge conflict,
// are skipped.
func (l *Library) Recall(text string, maxItems int) ([]Recalled, error) {
	if l.index == nil {
		if err := l.prepareRecall(); err != nil {
			return nil, err
		}
	}
	return recall(text, l.index, l.headings, maxItems)
}

// prepareRecall gets the index for recall, and the headings of its documents.
func (l *Library) prepareRecall() error {
	var c cache // none
	if l.cache != nil {
		c, _ = l.cache() // before the files are read
	}
	documents, headings, err := l.documents()
	if err == nil {
		l.index, l.headings = c.index(documents), headings
	}
	return err
}

func recall(text string, x *rank.Index, places []headingRef, maxItems int) ([]Recalled, error) {
	matches, err := x.Recall(text, maxItems)
	if err != nil {
		return nil, err
	}
	var found []Recalled
	for _, m := range matches {
		if m.Document >= len(places) { // the files have changed since the index was cached
			continue
		}
		lead, _ := parseLead(x.Label(m.Document)) // made by Lead.label
		found = append(found, lead.recalled(places[m.Document], m))
	}
	return found, nil
}

// Lead is an entry, and the heading it leads to.
type Lead struct {
	Operator, Trigger string
	File, Title       string // of the heading
}

// Command returns the query that prints the decision.
func (e Lead) Command() string { return "/" + e.Operator + " " + e.Trigger }

// label encodes a lead as the label of a document: a memory has no zero bytes.
func (e Lead) label() string {
	return strings.Join([]string{e.Operator, e.Trigger, e.File, e.Title}, "\x00")
}

func parseLead(label string) (Lead, error) {
	fields := strings.Split(label, "\x00")
	if len(fields) != 4 {
		return Lead{}, fmt.Errorf("invalid label %q", label)
	}
	return Lead{fields[0], fields[1], fields[2], fields[3]}, nil
}

// recalled returns the decision that the entry leads to.
func (e Lead) recalled(p headingRef, m rank.Match) Recalled {
	body := p.body
	if p.file.Document {
		body = p.file.Decided
	}
	return Recalled{
		Operator: e.Operator, Trigger: e.Trigger, Title: p.head().Title, File: p.file.Path, Line: p.head().Line,
		Text: body(), Score: m.Score, P: m.P, Features: m.Features, Words: m.Words,
	}
}

// Documents returns the entries that lead to a heading, as documents for recall.
func (l *Library) Documents() ([]rank.Document, error) {
	documents, _, err := l.documents()
	return documents, err
}

// documents returns the entries that lead to a heading, as documents for recall, and their headings.
func (l *Library) documents() ([]rank.Document, []headingRef, error) {
	places, err := l.locateAll()
	if err != nil {
		return nil, nil, err
	}
	succession := decision.Succession(l.parsedDocuments())
	var entries []entry // the first that leads to each heading
	var headings []headingRef
	situations := situationsOf(places)
	first := map[headingRef]bool{}
	var instead []headingRef // what holds in place of another decision
	for i, p := range places {
		e := l.entries[i]
		to, gone := succession[p.file]
		switch {
		case p.file == nil:
		case gone && (to == nil || to.Headings[0].Disputed):
		case gone: // what holds in its place is recalled for it
			at := headingRef{to, 0}
			instead = append(instead, at)
			situations[at] = slices.Concat(situations[at], situations[p], []string{e.Trigger.Text, p.head().Title, e.Description.Text})
		case first[p]: // the triggers of further entries count as situations
			situations[p] = append(situations[p], e.Trigger.Text)
		default:
			first[p] = true
			entries, headings = append(entries, e), append(headings, p)
		}
	}
	for _, p := range instead {
		if !first[p] { // no entry leads to it: its name does
			first[p] = true
			situations[p] = append(situations[p], p.file.Phrases(0)...)
			entries, headings = append(entries, l.nameAsEntry(p.file)), append(headings, p)
		}
	}
	documents := make([]rank.Document, len(entries))
	parallel.For(len(entries), func(n int) {
		e, p := entries[n], headings[n]
		documents[n] = rank.Document{
			Trigger: e.Trigger.Text, Title: e.Title.Text, Description: e.Description.Text,
			Situations: situations[p], Body: p.body(),
			Label: Lead{e.Operator, e.Trigger.Text, p.file.Path, p.head().Title}.label(),
		}
	})
	return documents, headings, nil
}

// parsedDocuments returns the documents that have been parsed.
func (l *Library) parsedDocuments() (documents []*decision.File) {
	for _, name := range l.paths {
		if f := l.files[name]; f != nil && f.Document {
			documents = append(documents, f)
		}
	}
	return documents
}

// locateAll returns the heading of each entry, as locate does for one. Its file is nil if there is no
// heading, or if it is in a conflict.
func (l *Library) locateAll() ([]headingRef, error) {
	files, err := l.allFiles()
	if err != nil {
		return nil, err
	}
	type titleIn struct{ section, key string }
	inFile, anywhere := map[titleIn]headingRef{}, map[string]headingRef{}
	for _, f := range files {
		for i, h := range f.Headings {
			if !h.Semantic() {
				continue
			}
			if _, taken := inFile[titleIn{f.Section(), h.Key}]; !taken {
				inFile[titleIn{f.Section(), h.Key}] = headingRef{f, i}
			}
			if _, taken := anywhere[h.Key]; !taken {
				anywhere[h.Key] = headingRef{f, i}
			}
		}
	}
	for _, f := range files {
		if f.Document {
			if at := (titleIn{f.Section(), decision.Key(f.Headings[0].Alias)}); inFile[at].file == nil {
				inFile[at] = headingRef{f, 0}
			}
		}
	}
	places := make([]headingRef, len(l.entries))
	for i, e := range l.entries {
		key := decision.Key(e.Title.Text)
		p, found := inFile[titleIn{e.section, key}]
		if !found {
			p, found = anywhere[key]
		}
		if found && !p.head().Disputed {
			places[i] = p
		}
	}
	return places, nil
}

// conflicts returns a warning for each conflict in the decision files that were read.
func (l *Library) conflicts() []string {
	var warnings []string
	for _, p := range l.paths {
		if f := l.files[p]; f != nil {
			for _, b := range f.Conflicts {
				warnings = append(warnings, fmt.Sprintf("%s:%d: skipped, a merge conflict in %s", f.Path, b.First, b))
			}
		}
	}
	return warnings
}

// situationsOf returns the situations under each heading.
func situationsOf(places []headingRef) map[headingRef][]string {
	situations := map[headingRef][]string{}
	read := map[*decision.File]bool{}
	for _, p := range places {
		if p.file == nil || read[p.file] {
			continue
		}
		read[p.file] = true
		for _, s := range p.file.Situations {
			for _, phrase := range s.Phrases {
				at := headingRef{p.file, s.Heading}
				situations[at] = append(situations[at], phrase.Text)
			}
		}
	}
	return situations
}

// fit cuts a text to maxChars characters, at the end of a line, and returns the number of lines cut
// off. A code fence that is cut is closed, or removed if it would be empty.
func fit(text string, maxChars int) (fitted string, linesCut int) {
	lines := strings.SplitAfter(text, "\n")
	fence, opened := "", 0
	for i, line := range lines {
		closing := 0
		if open := inFence(fence, line); open != "" {
			closing = len(open) + 1
		}
		n := utf8.RuneCountInString(line)
		if n+closing > maxChars && i < len(lines)-1 || n > maxChars {
			if fence != "" && i == opened+1 {
				fence, i = "", opened
			}
			kept := strings.TrimRight(strings.Join(lines[:i], ""), "\n")
			if fence != "" {
				kept += "\n" + fence
			}
			return kept, len(lines) - i
		}
		maxChars -= n
		if open := inFence(fence, line); open != fence {
			fence, opened = open, i
		}
	}
	return text, 0
}

// inFence returns the mark of the code fence that is open after a line, or "".
func inFence(open, line string) string {
	text := strings.TrimSpace(line)
	switch {
	case open != "" && strings.HasPrefix(text, open) && strings.Trim(text, open[:1]) == "":
		return ""
	case open != "":
		return open
	case strings.HasPrefix(text, "```"), strings.HasPrefix(text, "~~~"):
		return text[:len(text)-len(strings.TrimLeft(text, text[:1]))]
	}
	return ""
}

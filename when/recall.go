package when

import (
	"cmp"
	"fmt"
	"slices"

	"whence/internal/corpus"
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
// head of a file. It returns at most maxItems, the best first, however probable they are. Entries
// without a heading, and those in a merge conflict, are skipped.
func (l *Library) Recall(text string, maxItems int) (found []Recalled, err error) {
	if err := l.prepareRecall(); err != nil {
		return nil, err
	}
	for _, m := range l.index.Recall(text, maxItems) {
		found = append(found, l.leads[m.Document].recalled(l.headings[m.Document], m))
	}
	return found, nil
}

// prepareRecall makes the index of the entries that lead to a heading, once.
func (l *Library) prepareRecall() error {
	if l.index != nil {
		return nil
	}
	documents, leads, headings, err := l.documents()
	if err == nil {
		l.index, l.leads, l.headings = rank.NewIndex(documents), leads, headings
	}
	return err
}

// Lead is an entry, and the heading it leads to.
type Lead struct {
	Operator, Trigger string
	File, Title       string // of the heading
}

// Command returns the query that prints the decision.
func (e Lead) Command() string { return "/" + e.Operator + " " + e.Trigger }

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
	documents, _, _, err := l.documents()
	return documents, err
}

// documents returns the entries that lead to a heading, as documents for recall, and their headings.
func (l *Library) documents() ([]rank.Document, []Lead, []headingRef, error) {
	places, err := l.locateAll()
	if err != nil {
		return nil, nil, nil, err
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
	documents, leads := make([]rank.Document, len(entries)), make([]Lead, len(entries))
	parallel.For(len(entries), func(n int) {
		e, p := entries[n], headings[n]
		documents[n] = rank.Document{
			Trigger: e.Trigger.Text, Title: e.Title.Text, Description: e.Description.Text,
			Situations: situations[p], Body: p.body(),
		}
		leads[n] = Lead{e.Operator, e.Trigger.Text, p.file.Path, p.head().Title}
	})
	return documents, leads, headings, nil
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
// heading, or if it is in a conflict. A decision file that cannot be read costs only its own decisions,
// unless it is the same with all of them.
func (l *Library) locateAll() ([]headingRef, error) {
	l.parseAll()
	var files []*decision.File
	var failed error
	for _, p := range l.paths {
		f, err := l.file(p)
		if err == nil {
			files = append(files, f)
		}
		failed = cmp.Or(failed, err)
	}
	if len(files) == 0 && failed != nil {
		return nil, failed
	}
	joined := l.joined
	if joined == nil {
		joined = corpus.Join(l.parsed, files)
	}
	if len(files) == len(l.paths) {
		l.joined = joined
	}
	places := make([]headingRef, len(l.entries))
	for i, e := range l.entries {
		at := joined.Targets[e.line-1]
		if at == corpus.Nowhere {
			continue
		}
		if p := (headingRef{files[at.File], at.Heading}); !p.head().Disputed {
			places[i] = p
		}
	}
	return places, nil
}

// skipped returns a warning for each decision file that cannot be read, and each conflict in the others.
func (l *Library) skipped() []string {
	var warnings []string
	for _, p := range l.paths {
		f, err := l.file(p)
		if err != nil {
			warnings = append(warnings, "skipped: "+err.Error())
			continue
		}
		for _, b := range f.Conflicts {
			warnings = append(warnings, fmt.Sprintf("%s:%d: skipped, a merge conflict in %s", f.Path, b.First, b))
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

package when

import (
	"slices"

	"github.com/sourcegraph/conc/iter"

	"whence/internal/decision"
	"whence/internal/rank"
)

// Lead is an entry, and the heading it leads to.
type Lead struct {
	Operator, Trigger string
	File, Title       string // of the heading
}

// Command returns the query that prints the decision.
func (e Lead) Command() string { return "/" + e.Operator + " " + e.Trigger }

// Recalled is a decision that may apply to a text.
type Recalled struct {
	Lead
	rank.Match
}

// Recall ranks the decisions that apply to a text: a prompt, a command with its output, the
// head of a file. It returns at most maxItems, the best first, however probable they are. Entries
// without a heading, and those in a merge conflict, are skipped. It is safe for use by several goroutines.
func (l *Library) Recall(text string, maxItems int) (found []Recalled) {
	l.prepareRecall()
	for _, m := range l.ranked.Recall(text, maxItems) {
		found = append(found, Recalled{l.decided[m.Document].lead(), m})
	}
	return found
}

// decided is a decision: a heading, and the first entry that leads to it.
type decided struct {
	entry entry
	at    headingRef
	also  []string // the triggers of further entries, and the words of decisions that it supersedes
}

func (d decided) lead() Lead {
	return Lead{d.entry.Operator, d.entry.Trigger.Text, d.at.file.Path, d.at.head().Title}
}

// prepareRecall makes the index of the decisions, once.
func (l *Library) prepareRecall() {
	l.rankOnce.Do(func() {
		l.decided = l.decisions()
		l.ranked = rank.NewIndex(documentsOf(l.decided))
	})
}

// decisions returns the headings that entries lead to, in the order of the index, except those in a
// merge conflict. One that holds in place of another is found by the words of both.
func (l *Library) decisions() []*decided {
	var found []*decided
	known := map[headingRef]*decided{}
	add := func(e entry, at headingRef) *decided {
		if known[at] == nil {
			known[at] = &decided{entry: e, at: at}
			found = append(found, known[at])
		}
		return known[at]
	}
	succession := decision.Succession(l.documents())
	for i, e := range l.entries {
		p := e.target
		if p.file == nil || p.head().Disputed {
			continue
		}
		successor, gone := succession[p.file]
		if !gone {
			if d := add(e, p); l.leading[p] != i {
				d.also = append(d.also, e.Trigger.Text)
			}
			continue
		}
		if successor != nil && !successor.Headings[0].Disputed {
			d := add(l.entryOf(successor), headingRef{successor, 0})
			d.also = slices.Concat(d.also, p.file.Phrases(p.heading), []string{e.Trigger.Text, p.head().Title, e.Description.Text})
		}
	}
	return found
}

// Documents returns the decisions as documents for recall.
func (l *Library) Documents() []rank.Document { return documentsOf(l.decisions()) }

func documentsOf(decisions []*decided) []rank.Document {
	documents := make([]rank.Document, len(decisions))
	iter.ForEachIdx(decisions, func(n int, at **decided) {
		d := *at
		documents[n] = rank.Document{
			Trigger: d.entry.Trigger.Text, Title: d.entry.Title.Text, Description: d.entry.Description.Text,
			Situations: slices.Concat(d.at.file.Phrases(d.at.heading), d.also), Body: d.at.body(),
		}
	})
	return documents
}

// Leads returns the entries that lead to a decision, in the order of the index.
func (l *Library) Leads() (leads []Lead) {
	l.prepareRecall()
	for _, d := range l.decided {
		leads = append(leads, d.lead())
	}
	return leads
}

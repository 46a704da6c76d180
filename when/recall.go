package when

import (
	"slices"

	"github.com/sourcegraph/conc/iter"

	"whence/internal/decision"
	"whence/internal/memory"
	"whence/internal/rank"
)

// Lead is the query for a decision, from its first entry if it has one, and the heading that it leads to.
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
	Proposed bool   // as its record says: it may yet be rejected
	Path     string // of a change: the file that speaks for it
}

// shownTitle returns the title as a pointer has it.
func (r Recalled) shownTitle() string { return shownTitle(r.Title, r.Proposed) }

func shownTitle(title string, isProposed bool) string {
	if isProposed {
		return "proposed: " + title
	}
	return title
}

// Recall ranks the decisions that apply to a text: a prompt, a command with its output, the head of a file. It returns
// at most maxItems, the best first, however probable they are. Entries without a heading, and those in a merge
// conflict, are skipped. It is safe for concurrent use.
func (l *Lookup) Recall(text string, maxItems int) (found []Recalled) {
	l.prepareRecall()
	for _, m := range l.ranked.Recall(text, maxItems) {
		d := l.decided[m.Document]
		found = append(found, Recalled{Lead: d.Lead, Match: m, Proposed: d.isProposed()})
	}
	return found
}

// decided is a decision: a heading, and what first leads to it.
type decided struct {
	Lead
	heading             *memory.Heading
	header, description string   // of the entry
	also                []string // the triggers of further entries, and the words of decisions that it supersedes
}

// isProposed reports whether a decision says that it is only proposed.
func (d *decided) isProposed() bool { return d.heading.Status().Kind == decision.Proposed }

// decidedAt returns the decision at a heading.
func (l *Lookup) decidedAt(h *memory.Heading) *decided {
	if len(h.Entries) > 0 {
		e := h.Entries[0]
		return &decided{Lead: Lead{e.Operator, e.Trigger.Text, h.File.Path, h.Title}, heading: h, header: e.Title.Text, description: e.Description.Text}
	}
	operator, trigger := cutOperator(l.queryFor(h))
	return &decided{Lead: Lead{operator, trigger, h.File.Path, h.Title}, heading: h, header: h.Title}
}

// prepareRecall makes the index of the decisions once.
func (l *Lookup) prepareRecall() {
	l.rankOnce.Do(func() {
		l.decided = l.decisions()
		l.ranked = rank.NewIndex(documentsOf(l.decided))
	})
}

// decisions returns the decisions that entries lead to, in the order of the index, except those in a merge conflict. A
// decision that does not hold is replaced by its successor, which is found by the words of both.
func (l *Lookup) decisions() []*decided {
	var found []*decided
	known := map[*memory.Heading]*decided{}
	add := func(h *memory.Heading) *decided {
		if known[h] == nil {
			known[h] = l.decidedAt(h)
			found = append(found, known[h])
		}
		return known[h]
	}
	for _, e := range l.Entries {
		h := e.Heading
		switch {
		case h == nil || h.Disputed:
		case !h.Gone:
			if d := add(h); h.Entries[0] != e {
				d.also = append(d.also, e.Trigger.Text)
			}
		case h.Successor != nil && !h.Successor.Disputed:
			d := add(h.Successor)
			d.also = slices.Concat(d.also, h.Phrases(), []string{e.Trigger.Text, h.Title, e.Description.Text})
		}
	}
	return found
}

// Documents returns the decisions as documents for recall.
func (l *Lookup) Documents() []rank.Document { return documentsOf(l.decisions()) }

func documentsOf(decisions []*decided) []rank.Document {
	documents := make([]rank.Document, len(decisions))
	iter.ForEachIdx(decisions, func(n int, at **decided) {
		d := *at
		documents[n] = rank.Document{
			Trigger: d.Trigger, Title: d.header, Description: d.description,
			Situations: slices.Concat(d.heading.Phrases(), d.also), Body: d.heading.Text(),
		}
	})
	return documents
}

// Leads returns the query for each decision, in the order of the index.
func (l *Lookup) Leads() (leads []Lead) {
	l.prepareRecall()
	for _, d := range l.decided {
		leads = append(leads, d.Lead)
	}
	return leads
}

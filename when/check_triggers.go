package when

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/parallel"
	"whence/internal/rank"
	"whence/internal/text"
)

// The rules of the findings of CheckTriggers.
var (
	misleadingTrigger = finding.Rule{
		Name: "misleading-trigger", Summary: "a trigger, or the words of its decision, leads to another entry first",
	}
	unreachedTrigger = finding.Rule{
		Name: "unreached-trigger", Summary: "a trigger and its description have no word of the decision",
	}
)

// When another entry takes the place of one. The bounds were chosen by reading what they list in two
// memories, and judged on three others: a reader agreed with 14 of 21 findings, and with 5 of 6 where
// entries have situations.
const (
	// minLead is how many times more than its own the other line agrees with title and first sentence.
	// minCover is the share of their words that the other line has, and minSpoken the share of the
	// other trigger that they have. Without minCover a third of what is listed is right.
	minLead   = 1.5
	minCover  = 0.23
	minSpoken = 0.6

	// nearLeads is the number of first entries by recall that the other one is among: else the two
	// share words, but no subject.
	nearLeads = 3

	// minTypedShare is the share of a trigger's words that trigger and title of another entry need to
	// come first by recall. All that do on four memories have 0.6, and recall is asked for few.
	minTypedShare = 0.55

	// maxSuspects is the number of entries for which recall is asked: nearly all that are suspicious in
	// memories of 400 entries. In one of 10,000 it takes 20 ms each.
	maxSuspects = 100

	// minSituations is the number of situations from which most of them mean something.
	minSituations = 4

	// minOwnWords is the number of words from which their absence means something.
	minOwnWords = 4

	// maxNamedWords is the number of words that a message proposes.
	maxNamedWords = 3
)

// CheckTriggers returns a finding for each entry that is hard to find by its trigger: the trigger
// leads to another entry, the words of its decision do, or trigger and description have none of these
// words. The decision's words are those of title, first sentence and situations.
func (l *Library) CheckTriggers() ([]finding.Finding, error) {
	documents, headings, err := l.documents()
	if err != nil {
		return nil, err
	}
	t := newTriggerCheck(documents, headings, &Finder{index: cache{}.index(documents)}) // without a cache, for the same findings anywhere
	t.suspect()
	findings := make([]finding.Finding, len(documents))
	t.each(func(i int, lines, _ *asker) { findings[i] = t.check(i, lines) })
	var found []finding.Finding
	for i, f := range findings {
		if f.Rule != "" {
			e := t.entries[i]
			f.Path, f.Line, f.Column = l.indexPath, l.entries[l.byKey[index.Key{Operator: e.Operator, Trigger: index.NormalizeTrigger(e.Trigger)}]].line, 1
			found = append(found, f)
		}
	}
	finding.Sort(found)
	return found, nil
}

// triggerCheck holds what the entries of a memory are asked.
type triggerCheck struct {
	entries []ownWords
	lines   *lineIndex // trigger and description, which an index shows beside the title
	names   *lineIndex // trigger and title
	finder  *Finder
}

// ownWords are the words of an entry and its decision, as stems.
type ownWords struct {
	Lead
	trigger, line []string
	own           []string // of title and first sentence
	above         []string // of the titles above it
	asked         string   // title and first sentence
	situations    [][]string
	suspicion
}

// suspicion ranks an entry by words alone. Recall, which is slower, decides.
type suspicion struct {
	typed float64 // share of the trigger in the names of another entry, if it is enough
	led   float64 // share of the other trigger in title and first sentence, if that leads to it
	other int     // the entry to which title and first sentence lead
}

func newTriggerCheck(documents []rank.Document, headings []headingRef, finder *Finder) *triggerCheck {
	t := &triggerCheck{entries: make([]ownWords, len(documents)), finder: finder}
	parallel.For(len(documents), func(i int) {
		d, e := &documents[i], &t.entries[i]
		e.Lead, _ = parseLead(d.Label) // made by Lead.label
		e.asked = d.Title + "\n" + firstSentence(headings[i].body())
		e.trigger, e.line, e.own = stems(d.Trigger), stems(d.Trigger+" "+d.Description), stems(e.asked)
		e.above = stems(headings[i].titlesAbove())
		for _, s := range d.Situations {
			e.situations = append(e.situations, stems(s))
		}
	})
	t.lines, t.names = newLineIndex(len(documents)), newLineIndex(len(documents))
	for i, e := range t.entries {
		for _, stem := range e.line {
			weight := 1.0
			if slices.Contains(e.trigger, stem) {
				weight = triggerWeight
			}
			t.lines.add(stem, i, weight)
		}
		for _, stem := range stems(e.Trigger + " " + e.Title) {
			t.names.add(stem, i, 1)
		}
	}
	return t
}

// chunk is the number of entries that are asked with the same memory.
const chunk = 64

// each calls work for each entry, with askers of lines and names.
func (t *triggerCheck) each(work func(i int, lines, names *asker)) {
	parallel.For((len(t.entries)+chunk-1)/chunk, func(n int) {
		lines, names := t.lines.asker(), t.names.asker()
		for i := n * chunk; i < min((n+1)*chunk, len(t.entries)); i++ {
			work(i, lines, names)
		}
	})
}

// suspect finds the entries for which recall is asked: the most suspicious.
func (t *triggerCheck) suspect() {
	t.each(func(i int, lines, names *asker) {
		e := &t.entries[i]
		if share := names.ask(e.trigger, i).score / t.names.mass(e.trigger); share >= minTypedShare {
			e.typed = share
		}
		if a := lines.ask(e.own, i); a.score >= max(minLead*a.own, minCover*triggerWeight*t.lines.mass(e.own)) && a.score > 0 {
			if share := t.lines.spoken(t.entries[a.other].trigger, e.own); share >= minSpoken {
				e.led, e.other = share, a.other
			}
		}
	})
	var suspects []*ownWords
	for i := range t.entries {
		if e := &t.entries[i]; e.typed+e.led > 0 {
			suspects = append(suspects, e)
		}
	}
	slices.SortStableFunc(suspects, func(a, b *ownWords) int { return cmp.Compare(b.typed+b.led, a.typed+a.led) })
	for _, e := range suspects[min(maxSuspects, len(suspects)):] {
		e.suspicion = suspicion{}
	}
}

// check returns the finding for an entry, without its place. It is empty if there is none.
func (t *triggerCheck) check(i int, lines *asker) finding.Finding {
	e := &t.entries[i]
	if other, found := t.typed(e); found {
		return finding.Finding{Rule: misleadingTrigger.Name, Message: fmt.Sprintf(
			"recall by the words of this trigger brings %s first: say in the trigger what only %q is about", named(other), e.Title)}
	}
	if other, found := t.led(e); found {
		return finding.Finding{Rule: misleadingTrigger.Name, Message: fmt.Sprintf(
			"title and first sentence lead to %s first%s", named(other), e.proposal())}
	}
	if other, n := t.situationsLead(i, lines); n > 0 {
		return finding.Finding{Rule: misleadingTrigger.Name, Message: fmt.Sprintf(
			"%d of %d situations lead to %s first: use their words in the trigger, or move them there", n, len(e.situations), named(other))}
	}
	if e.unreached() {
		message := "no word of title, first sentence and situations is in trigger or description" + e.proposal()
		if len(e.situations) == 0 {
			message = "no word of title and first sentence is in trigger or description" + e.proposal() + ", or write situations"
		}
		return finding.Finding{Rule: unreachedTrigger.Name, Message: message}
	}
	return finding.Finding{}
}

func named(e Lead) string { return fmt.Sprintf("%q (%s)", e.Command(), e.Title) }

// typed returns the entry that recall brings first for the trigger of another one.
func (t *triggerCheck) typed(e *ownWords) (first Lead, found bool) {
	if e.suspicion.typed == 0 {
		return Lead{}, false
	}
	leads := t.finder.Leads(e.Trigger)
	if len(leads) == 0 || leads[0] == e.Lead {
		return Lead{}, false
	}
	return leads[0], true
}

// led returns the entry to which title and first sentence of another one lead.
func (t *triggerCheck) led(e *ownWords) (first Lead, found bool) {
	if e.suspicion.led == 0 {
		return Lead{}, false
	}
	other, leads := t.entries[e.other].Lead, t.finder.Leads(e.asked)
	return other, slices.Contains(leads[:min(nearLeads, len(leads))], other)
}

// situationsLead returns the entry to which most of the situations of another one lead, and their
// number.
func (t *triggerCheck) situationsLead(i int, lines *asker) (first Lead, situations int) {
	e := &t.entries[i]
	if len(e.situations) < minSituations {
		return Lead{}, 0
	}
	led := map[int]int{}
	for _, s := range e.situations {
		if a := lines.ask(s, i); a.score > a.own {
			led[a.other]++
			if 2*led[a.other] > len(e.situations) {
				first, situations = t.entries[a.other].Lead, led[a.other]
			}
		}
	}
	return first, situations
}

// unreached reports whether trigger and description have none of the decision's words.
func (e *ownWords) unreached() bool {
	own := uniqueStems(append(e.situations, e.own))
	return len(own) >= minOwnWords && !slices.ContainsFunc(slices.Concat(own, e.above), func(o string) bool {
		return slices.ContainsFunc(e.line, func(s string) bool { return alike(o, s) })
	})
}

// alike reports whether one stem is the other, or begins with it: config and configur.
func alike(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return a == b || len(a) >= minAlikeBytes && strings.HasPrefix(b, a)
}

// minAlikeBytes keeps short stems from being the beginning of anything.
const minAlikeBytes = 4

// proposal names words of title and first sentence that the line of the entry does not have.
func (e *ownWords) proposal() string {
	var words []string
	known := slices.Clone(e.line)
	for _, w := range text.Fields(e.asked) {
		stem := text.StemOf(w)
		if len(words) < maxNamedWords && len(w) > 2 && !text.IsSmallWord([]byte(w)) && strings.ContainsFunc(w, unicode.IsLetter) && !slices.Contains(known, stem) {
			words, known = append(words, w), append(known, stem)
		}
	}
	if len(words) == 0 {
		return ""
	}
	return ": use words of the decision in the trigger, as in " + strings.Join(words, ", ")
}

package when

import (
	"strings"

	"whence/internal/index"
	"whence/internal/inert"
	"whence/internal/memory"
)

// A query is answered if it is a trigger of the memory, ignoring case, spaces and final punctuation, or the whole title
// of a decision. Nothing else is answered, however near: readers would take that section for the one that they need.

// find returns the entry with the trigger of a query, or nil. "When", "how" or "how to" may precede the trigger.
func (l *Lookup) find(q Query) *memory.Entry {
	if e := l.findTrigger(q.Operator, q.Trigger); e != nil {
		return e
	}
	operator, rest := spokenOperator(q.Trigger)
	if e := l.findTrigger(operator, rest); e != nil {
		return e
	}
	asked := index.NormalizeTrigger(q.Trigger)
	for _, e := range l.Entries {
		if (q.Operator == "" || q.Operator == e.Operator) && index.NormalizeTrigger(asPrinted(e.Trigger.Text)) == asked {
			return e
		}
	}
	return nil
}

// asPrinted returns a trigger as pointers show it.
func asPrinted(trigger string) string { return strings.ReplaceAll(inert.Line(trigger), "'", "’") }

// findTrigger returns the entry with exactly this trigger, except for final punctuation. Without an operator, /when
// comes first.
func (l *Lookup) findTrigger(operator, trigger string) *memory.Entry {
	for _, asked := range []string{trigger, strings.TrimRight(trigger, ".!?:;, 。！？：；，、…")} {
		for _, o := range []string{"when", "how"} {
			found := l.Keyed(index.Key{Operator: o, Trigger: index.NormalizeTrigger(asked)})
			if len(found) > 0 && (operator == "" || operator == o) {
				return found[0]
			}
		}
	}
	return nil
}

// findTitle returns the first entry of the only decision that has the title of a query, or nil.
func (l *Lookup) findTitle(q Query) *memory.Entry {
	found := l.Semantic(q.Trigger)
	if len(found) != 1 || len(found[0].Entries) == 0 {
		return nil
	}
	return found[0].Entries[0]
}

// spokenOperator splits an operator without a slash off the front of a trigger: "when writing
// tests", "how to write tests". Without one, rest is "".
func spokenOperator(trigger string) (operator, rest string) {
	words := strings.Fields(strings.ToLower(trigger))
	if len(words) < 2 || !index.IsOperator(words[0]) {
		return "", ""
	}
	operator, words = words[0], words[1:]
	if words[0] == "to" && len(words) > 1 {
		words = words[1:]
	}
	return operator, strings.Join(words, " ")
}

package validate

import (
	"whence/internal/index"
	"whence/internal/memory"
	"whence/internal/trigger"
	"whence/internal/words"
)

// drafter drafts entries for headings without one, with trigger and description from package trigger. A draft is a
// valid entry if the section has enough words.
type drafter struct {
	*audit
	triggers trigger.Set
}

func newDrafter(a *audit) *drafter {
	d := &drafter{audit: a, triggers: trigger.Set{}}
	for _, e := range a.Entries {
		d.triggers[e.Key()] = true
	}
	return d
}

const (
	minDraftedWords  = 5  // of trigger and description
	maxSentenceWords = 50 // of the description that a trigger may take its verb from
)

// entry drafts the line for a heading, without a line end.
func (d *drafter) entry(h *memory.Heading) string {
	title := d.headerTitle(h)
	allowed := d.config.WordCount
	if h.Alias != "" && words.Count(title) > allowed.Max-minDraftedWords {
		title = h.Alias
	}
	left := allowed.Max - words.Count(title)
	operator, own := trigger.Derive(trigger.Title(h.File, h.Number), trigger.Describe(h.File, h.Number, 1, maxSentenceWords), left)
	text, _ := d.triggers.Unique(operator, own, title, h.FileName())
	used := words.Count(text) + words.Count(title)
	description := trigger.Describe(h.File, h.Number, allowed.Min-used, allowed.Max-used)
	return index.FormatEntry(operator, text, title, description)
}

package migrate

import (
	"fmt"
	"path"
	"strings"

	"whence/internal/trigger"
)

// naming is the operator and the trigger of an entry.
type naming struct {
	operator string
	words    []string
	why      string // where they are from
	// confidence is how likely the trigger is good: 1 for one that is kept.
	confidence float64
}

// propose returns the operator and trigger of an entry: its own, or one derived from the title of
// its heading.
func (p *planner) propose(e legacy, m match) naming {
	if e.trigger == "" {
		h := p.headings[m.heading]
		operator, words := trigger.Derive(trigger.Title(h.file, h.index))
		return naming{operator, words, "trigger derived", trigger.Confidence}
	}
	n := naming{e.operator, trigger.Words(e.trigger), "trigger kept", 1}
	if strings.Join(n.words, " ") != e.trigger {
		n.why = "trigger kept, in the letters that one may have"
	}
	return n
}

// makeUnique changes a trigger that another entry has.
func (p *planner) makeUnique(n *naming, e legacy, m match) {
	h := p.headings[m.heading]
	unique, added := p.triggers.Unique(n.operator, n.words, h.title(), e.readings[m.reading].description, baseName(h.file.Path))
	if added != "" {
		n.words = []string{unique}
		n.why += fmt.Sprintf(", made unique with %q", added)
	}
}

// baseName returns the name of a file without folders and extension.
func baseName(name string) string { return strings.TrimSuffix(path.Base(name), path.Ext(name)) }

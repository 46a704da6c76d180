package migrate

import (
	"fmt"
	"path"
	"strings"

	"whence/internal/index"
	"whence/internal/trigger"
)

// naming is the operator and the trigger of an entry, and where they are from.
type naming struct {
	operator string
	words    []string
	trigger  string // the words as one text
	why      string
}

// propose gives an entry its operator and trigger: the one it has, or one derived
// from the title of its heading.
func (p *planner) propose(e legacy, m match) naming {
	n := naming{operator: e.operator, why: "trigger kept"}
	if e.trigger == "" {
		d := trigger.Derive(p.headings[m.heading].title(), e.readings[m.reading].description)
		n = naming{operator: d.Operator, words: d.Words, why: "trigger by rule " + d.Rule}
	} else if n.words = trigger.Words(e.trigger); strings.Join(n.words, " ") != e.trigger {
		n.why = "trigger kept, in the letters that one may have"
	}
	n.trigger = strings.Join(n.words, " ")
	return n
}

// makeUnique changes a trigger that another entry has.
func (p *planner) makeUnique(n *naming, e legacy, m match) {
	if p.triggers.Take(index.Key{Operator: n.operator, Trigger: n.trigger}) {
		return
	}
	h, added := p.headings[m.heading], ""
	n.trigger, added = p.triggers.Unique(n.operator, n.words, h.title(), e.readings[m.reading].description, baseName(h.file.Path))
	n.why += fmt.Sprintf(", made unique with %q", added)
}

// baseName is the name of a file without folders and ending.
func baseName(name string) string { return strings.TrimSuffix(path.Base(name), path.Ext(name)) }

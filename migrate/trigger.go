package migrate

import (
	"fmt"
	"path"
	"strings"

	"whence/internal/trigger"
)

// naming is the operator and the trigger of an entry, and where they are from.
type naming struct{ operator, trigger, why string }

// name gives an entry its operator and trigger: the one it has, or the one that
// was derived from the title; in either case one that no other entry has.
func (p *planner) name(e legacy, d trigger.Derivation, m match) naming {
	h, description := p.headings[m.heading], e.readings[m.reading].description
	operator, words, why := d.Operator, d.Words, "trigger by rule "+d.Rule
	if e.trigger != "" {
		operator, words, why = e.operator, trigger.Words(e.trigger), "trigger kept"
		if strings.Join(words, " ") != e.trigger {
			why = "trigger kept, in the letters that one may have"
		}
	}
	text, added := p.triggers.Unique(operator, words, h.title(), description, baseName(h.file.Path))
	if added != "" {
		why += fmt.Sprintf(", made unique with %q", added)
	}
	return naming{operator, text, why}
}

// baseName is the name of a file without folders and ending.
func baseName(name string) string { return strings.TrimSuffix(path.Base(name), path.Ext(name)) }

package redact

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// The kinds that no rule of the table has.
const (
	privateText = "private text"
	privateKey  = "private key"
)

// The marks that replace what was removed.
const (
	privateMark = "[private]"
	markBegin   = "[redacted: "
	markEnd     = "]"
)

// Text returns text without secrets and private parts, and the kinds of what was removed,
// sorted.
func Text(text string) (clean string, kinds []string) {
	found := map[string]bool(nil)
	note := func(kind string) {
		if found == nil {
			found = map[string]bool{}
		}
		found[kind] = true
	}
	clean = withoutPrivate(text, note)
	t := hints()
	// A secret may show only when its neighbour is gone.
	for {
		next := t.withoutSecrets(clean, note)
		if next == clean {
			return clean, slices.Sorted(maps.Keys(found))
		}
		clean = next
	}
}

var marks = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[private\]|\[redacted: [^\]]*\]`) })

// ReplaceMarks replaces the marks that Text leaves for what it removed.
func ReplaceMarks(text, by string) string { return marks().ReplaceAllLiteralString(text, by) }

// span is a part of a text.
type span struct{ start, end int }

// secret is a span that a rule removes.
type secret struct {
	span
	kind string
}

// withoutSecrets goes once over a text from left to right. Where several rules see a
// secret at the same place, the first of the table wins.
func (t *hintTable) withoutSecrets(text string, note func(kind string)) string {
	var out strings.Builder
	done := 0 // up to where text is in out, or replaced
	for at := t.next(text, 0); at >= 0; {
		resume := at + 1
		for _, s := range t.secretsAt(text, at, done) {
			out.WriteString(text[done:s.start])
			out.WriteString(markBegin + s.kind + markEnd)
			note(s.kind)
			done = s.end
			resume = max(resume, done)
		}
		at = t.next(text, resume)
	}
	return out.String() + text[done:]
}

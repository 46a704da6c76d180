package redact

import (
	"slices"
	"sync"

	"whence/internal/lazyregexp"
)

const (
	privateText = "private text" // the kind of private parts

	privateMark = "[private]" // the marks that replace what was removed
	markBegin   = "[redacted: "
	markEnd     = "]"
)

// byFormat holds the rules for secrets that their format or place gives away, byName those for secrets that their name
// does.
var (
	byFormat = sync.OnceValue(func() *hintTable { return newHintTable(append(formats(), pemEndRule)) })
	byName   = sync.OnceValue(func() *hintTable { return newHintTable(nameRules()) })
)

// knownKinds returns the kinds of all rules.
var knownKinds = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{manifestKind: true}
	for _, table := range []*hintTable{byFormat(), byName()} {
		for i := range table.rules {
			all[table.rules[i].kind] = true
		}
	}
	return all
})

// Text returns text without secrets and private parts, and the kinds of what was removed,
// sorted.
func Text(text string) (clean string, kinds []string) {
	note := func(kind string) { kinds = append(kinds, kind) }
	clean = cleanManifests(withoutPrivate(text, note), note)
	for range maxPasses {
		before := clean
		clean = byFormat().clean(cleanColumns(clean, note), note)
		clean = byName().clean(clean, note)
		if clean == before {
			break
		}
	}
	slices.Sort(kinds)
	return clean, slices.Compact(kinds)
}

// maxPasses limits how often a text is read. Once is not enough: a secret may show only when its neighbour is gone.
const maxPasses = 32

var marks = lazyregexp.New(`\[private\]|\[secret\]|\[redacted: [^\]]*\]`)

// NameMark replaces the marks in a name, which must be short.
const NameMark = "[secret]"

// ReplaceMarks replaces the marks that Text leaves for what it removed, and NameMark.
func ReplaceMarks(text, by string) string { return marks().ReplaceAllLiteralString(text, by) }

// span is a part of a text.
type span struct{ start, end int }

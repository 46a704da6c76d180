package decision

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode"

	"whence/internal/lazyregexp"
	"whence/internal/words"
)

// Ref is a decision: a heading of a file, which for a document is its only one.
type Ref struct {
	File    *File
	Heading int
}

// Succession maps each decision that does not hold to the one that holds in its place, at the end of the chain of
// successors. If that is not known, the Ref has no file.
func Succession(files []*File) map[Ref]Ref {
	succession := map[Ref]Ref{}
	names := sync.OnceValue(func() names { return namesOf(files) }) // most memories have nothing superseded
	for _, f := range files {
		for i, s := range f.Statuses {
			if s.Holds() {
				continue
			}
			at, to := Ref{f, i}, Ref{}
			for n := 0; n < len(s.Successors) && to.File == nil; n++ {
				to = names().find(at, s.Successors[n])
			}
			succession[at] = to
		}
	}
	for at, to := range succession {
		next, isGone := succession[to]
		for steps := 0; isGone && steps < len(succession); steps++ {
			to = next
			next, isGone = succession[to]
		}
		if succession[at] = to; isGone { // a circle
			succession[at] = Ref{}
		}
	}
	return succession
}

// names maps what others call decisions, folded, to those decisions: documents by path, with and without extension;
// sections by path and anchor; and all by folder or file and number.
type names map[string][]Ref

func namesOf(files []*File) names {
	n := make(names, 3*len(files))
	for _, f := range files {
		file := words.Fold(f.Path)
		for i, h := range f.Headings {
			at := Ref{f, i}
			keys := []string{file + "#" + anchor(h.Title)}
			if f.Document {
				keys = []string{file, strings.TrimSuffix(file, path.Ext(file))}
			}
			if in, name := at.placeAndName(); name.isNumbered() && h.Semantic() {
				number := name.number()
				keys = append(keys, in+number, in+strings.TrimLeftFunc(number, unicode.IsLetter))
			}
			for _, key := range slices.Compact(keys) {
				n[key] = append(n[key], at)
			}
		}
	}
	return n
}

// placeAndName returns the folder and name of a record, or the file and title of a section.
func (r Ref) placeAndName() (place string, name Name) {
	if r.File.Document {
		at := RecordPath(r.File.Path)
		return words.Fold(path.Dir(at)) + " ", ParseName(path.Base(at))
	}
	return words.Fold(r.File.Path) + " ", ParseName(r.File.Headings[r.Heading].Title + ".md")
}

var notInAnchor = lazyregexp.New(`[^\pL\pM\pN _-]`)

// anchor returns the anchor of a title in links.
func anchor(title string) string {
	return strings.ReplaceAll(notInAnchor().ReplaceAllString(words.Fold(Plain(title)), ""), " ", "-")
}

// find returns the decision that a name in the decision from means: a path from the folder of from or from the root, a
// URL that ends in such a path, the anchor of a section, or a number that is unique there.
func (n names) find(from Ref, name string) Ref {
	name, anchor, _ := strings.Cut(words.Fold(name), "#")
	own := words.Fold(from.File.Path)
	keys := []string{path.Join(path.Dir(own), cmp.Or(name, path.Base(own)))}
	for rest, more := name, true; more; _, rest, more = strings.Cut(rest, "/") {
		keys = append(keys, rest)
	}
	if number := ParseName(name + ".md"); number.isNumbered() && number.Words == "" {
		place, _ := from.placeAndName()
		keys = append(keys, place+number.number())
	}
	for _, key := range keys {
		for _, key := range []string{key + "#" + anchor, key} {
			if to := only(n[key]); to.File != nil && to != from {
				return to
			}
		}
	}
	return Ref{}
}

// only returns the one decision that has a name, or a Ref without a file if several do. Translations do not count: they
// have the name of their record, and more.
func only(same []Ref) (at Ref) {
	if len(same) == 0 {
		return at
	}
	at = slices.MinFunc(same, func(a, b Ref) int { return len(a.File.Path) - len(b.File.Path) })
	name := strings.TrimSuffix(at.File.Path, path.Ext(at.File.Path))
	for _, r := range same {
		if r != at && (r.File == at.File || !strings.HasPrefix(r.File.Path, name)) {
			return Ref{}
		}
	}
	return at
}

// SharedNumbers returns, for each number that records of one folder share by their names, the paths of two of them.
func SharedNumbers(documents []*File) (pairs [][2]string) {
	names := namesOf(documents)
	for _, key := range slices.Sorted(maps.Keys(names)) {
		if same := names[key]; only(same).File == nil {
			pairs = append(pairs, [2]string{same[0].File.Path, same[1].File.Path})
		}
	}
	slices.SortFunc(pairs, func(a, b [2]string) int { return strings.Compare(a[0], b[0]) })
	return slices.Compact(pairs) // "ladr7" is also "7"
}

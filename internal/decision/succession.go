package decision

import (
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"whence/internal/words"
)

// Ref is a decision: a heading of a file, of a document its only one.
type Ref struct {
	File    *File
	Heading int
}

// Succession maps each decision that does not hold to the one that holds in its place, at the end of its successors. That
// has no file if it is not known.
func Succession(files []*File) map[Ref]Ref {
	succession := map[Ref]Ref{}
	names := sync.OnceValue(func() names { return namesOf(files) }) // most memories have nothing superseded
	for _, f := range files {
		for i, s := range f.Statuses {
			if !s.Holds() {
				names().follow(Ref{f, i}, succession)
			}
		}
	}
	return succession
}

// names are decisions by what others name them by, folded: by path, with and without extension; sections by path and
// anchor; and all by folder or file and number.
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
			if name := at.name(); name.isNumbered() && h.Semantic() {
				keys = append(keys, at.numberKey(name))
			}
			for _, key := range keys {
				n[key] = append(n[key], at)
			}
		}
	}
	return n
}

// name returns the name of a record, or the title of a section, in its parts.
func (r Ref) name() Name {
	if r.File.Document {
		return ParseName(path.Base(r.File.Path))
	}
	return ParseName(r.File.Headings[r.Heading].Title + ".md")
}

// numberKey returns a number with the folder of the record, or the file of the section, in which it counts.
func (r Ref) numberKey(name Name) string {
	in := r.File.Path
	if r.File.Document {
		in = path.Dir(in)
	}
	return words.Fold(in) + " " + strconv.Itoa(name.Value())
}

// anchor returns a title as links name it.
func anchor(title string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) || r == '-' || r == '_':
			return r
		}
		return -1
	}, words.Fold(Plain(title)))
}

// follow adds the decision that holds in place of one.
func (n names) follow(at Ref, succession map[Ref]Ref) Ref {
	if to, isKnown := succession[at]; isKnown {
		return to
	}
	succession[at] = Ref{} // in a circle, it leads nowhere
	for _, name := range at.File.Statuses[at.Heading].Successors {
		to, found := n.find(at, name)
		if found && !to.File.Statuses[to.Heading].Holds() {
			to = n.follow(to, succession)
		}
		if to.File != nil {
			succession[at] = to
			break
		}
	}
	return succession[at]
}

// find returns the decision that another one names: by a number that no other one there has, by its path from the folder
// of that or from the root, by a URL that ends so, by the anchor of its section, or by the name of its file.
func (n names) find(from Ref, name string) (to Ref, found bool) {
	name, anchor, _ := strings.Cut(words.Fold(name), "#")
	if number := ParseName(name + ".md"); number.isNumbered() && number.Words == "" {
		return only(slices.DeleteFunc(slices.Clone(n[from.numberKey(number)]), func(r Ref) bool { return r == from || !number.names(r.name()) }))
	}
	own := words.Fold(from.File.Path)
	keys := []string{path.Join(path.Dir(own), name)}
	if name = strings.Trim(name, "/"); name == "" {
		keys[0] = own
	}
	for rest, more := name, true; more; _, rest, more = strings.Cut(rest, "/") {
		keys = append(keys, rest)
	}
	if base := path.Base(name); strings.Contains(name, "://") && !isNumber(base) {
		keys = append(keys, path.Join(path.Dir(own), base))
	}
	for _, key := range keys {
		for _, key := range []string{key + "#" + anchor, key} {
			if to, found = only(n[key]); found && to != from {
				return to, true
			}
		}
	}
	return Ref{}, false
}

// only returns the one of several decisions with a name. A translation has the name of its record, and more.
func only(same []Ref) (at Ref, isOnly bool) {
	for i, other := range same {
		switch {
		case i == 0 || at.File != other.File && isBeginning(other.File.Path, at.File.Path):
			at = other
		case at.File == other.File || !isBeginning(at.File.Path, other.File.Path):
			return Ref{}, false
		}
	}
	return at, len(same) > 0
}

// isBeginning reports whether a path begins with another one, less the extension of that.
func isBeginning(name, of string) bool {
	return strings.HasPrefix(of, strings.TrimSuffix(name, path.Ext(name)))
}

// SharedNumbers returns the paths of two records for each number that records of one folder share by their names.
func SharedNumbers(documents []*File) (pairs [][2]string) {
	names := namesOf(documents)
	for _, key := range slices.Sorted(maps.Keys(names)) {
		if same := names[key]; len(same) > 1 && same[0].numberKey(same[0].name()) == key {
			if _, isOnly := only(same); !isOnly {
				pairs = append(pairs, [2]string{same[0].File.Path, same[1].File.Path})
			}
		}
	}
	return pairs
}

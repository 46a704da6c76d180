package decision

import (
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"whence/internal/lazyregexp"
	"whence/internal/words"
)

// Succession maps each document that does not hold, by its own status or because a later one of those
// given supersedes it, to the one that holds in its place, or to nil if that is not known.
func Succession(documents []*File) map[*File]*File {
	byPath := make(map[string]*File, len(documents))
	paths := make([]string, len(documents))
	for i, f := range documents {
		paths[i], byPath[f.Path] = f.Path, f
	}
	records := recordsAt(paths)

	next, gone := map[*File][]*File{}, map[*File]bool{}
	for _, f := range documents {
		s := f.Status()
		if !s.Holds() {
			gone[f] = true
			for _, name := range s.Successors {
				if to := byPath[records.named(f.Path, name)]; to != nil && to != f {
					next[f] = append(next[f], to)
				}
			}
		}
		if s.Kind == Proposed || s.Kind == Rejected { // it replaces nothing, or not yet
			continue
		}
		for _, name := range s.Supersedes {
			if old := byPath[records.named(f.Path, name)]; old != nil && old != f {
				gone[old] = true
				next[old] = append(next[old], f)
			}
		}
	}
	succession := make(map[*File]*File, len(gone))
	for f := range gone {
		succession[f] = holder(f, next, gone, map[*File]bool{})
	}
	return succession
}

// holder follows the successors of a document to one that holds, or returns nil.
func holder(f *File, next map[*File][]*File, gone, seen map[*File]bool) *File {
	seen[f] = true
	for _, to := range next[f] {
		if !gone[to] {
			return to
		}
		if seen[to] {
			continue
		}
		if last := holder(to, next, gone, seen); last != nil {
			return last
		}
	}
	return nil
}

// nameOrLink matches [[name]], [text](target), [text](<target>), a URL, a path, or a word.
var nameOrLink = lazyregexp.New(`\[\[([^\[\]|]+)[^\[\]]*\]\]|\[([^\[\]]*)\]\(\s*(?:<([^<>]*)>|([^\s()<>]*))[^()]*\)|` +
	`https?://[^\s<>()]+|[\p{Latin}\d#/.][\p{Latin}\pM\d#/._%-]*|[\p{Han}\p{Hiragana}\p{Katakana}]+`)

// leadWords are words between a status and the record that it names.
var leadWords = strings.Fields(`by with see and durch von und par et por pelo pela y e da dal dalla door en av med og l 被 已被 由 见 見
	adr adrs rfc record decision no`)

// references returns what in a text may name a record, in order: targets of links, names of files, and numbers.
// Of these, the first ones are direct: only words that lead to a record precede them.
func references(s string) (names []string, direct int) {
	before, leads := "", true
	for _, m := range nameOrLink().FindAllStringSubmatch(s, -1) {
		found := []string{linkedName(m[1] + m[3] + m[4])}
		if m[0][0] != '[' {
			found[0] = nameIn(m[0], before)
		}
		found = slices.DeleteFunc(found, func(name string) bool { return name == "" })
		names = append(names, found...)
		if before = strings.ToLower(m[0]); len(found) > 0 {
			before = "and"
		}
		if leads = leads && slices.Contains(leadWords, before); leads {
			direct = len(names)
		}
	}
	return names, direct
}

// linkedName returns the target of a link without its anchor.
func linkedName(target string) string {
	target, _, _ = strings.Cut(target, "#")
	if decoded, err := url.PathUnescape(target); err == nil {
		target = decoded
	}
	return strings.TrimSpace(target)
}

func isURL(name string) bool { return strings.Contains(name, "://") }

// nameIn returns the name of a file or the number that a word is, or "". A short number counts only after "ADR"
// or another word that leads to a record.
func nameIn(word, before string) string {
	name := strings.TrimRight(linkedName(strings.TrimLeft(word, "#")), ".-/")
	rest := withoutKind(path.Base(name))
	first, _ := utf8.DecodeRuneInString(rest)
	switch isDigits := strings.Trim(rest, "0123456789") == ""; {
	case isURL(name) || strings.EqualFold(path.Ext(name), ".md"):
		return name
	case !unicode.IsDigit(first):
		return ""
	case isDigits && (rest != name || slices.Contains(leadWords, before) || rest[0] == '0' && len(rest) > 2):
		return rest
	case !isDigits && strings.ContainsAny(rest, "-_") && strings.ContainsFunc(rest, unicode.IsLetter):
		return name
	}
	return ""
}

// withoutKind returns the name of a record without the word for its kind: 0005 of ADR-0005 and rfc0005.
func withoutKind(name string) string { return kindOfRecord().ReplaceAllString(name, "$1") }

var (
	leadingDate  = lazyregexp.New(`^(?:19|20)\d{2}[-_.]?\d{2}[-_.]?\d{2}(?:\D|$)`)
	kindOfRecord = lazyregexp.New(`(?i)^(?:adr|rfc|no)[-_#. ]*(\d)`)
)

// records are the paths of records by how others name them: by path, path without extension, and folder and
// number; all folded.
type records map[string]string

func recordsAt(paths []string) records {
	r := make(records, 3*len(paths))
	for _, p := range paths {
		r[words.Fold(p)] = p
	}
	for _, p := range paths { // the first of a name counts
		folded := words.Fold(p)
		names := []string{strings.TrimSuffix(folded, path.Ext(folded))}
		if number := recordNumber(folded); number != "" {
			names = append(names, path.Join(path.Dir(folded), number))
		}
		for _, name := range names {
			if _, taken := r[name]; !taken {
				r[name] = p
			}
		}
	}
	return r
}

// named returns the path of the record that a document means, or "". It is named by its path, from the folder
// of the document or the root, by a URL that ends so, or within the folder by its name or number.
func (r records) named(from, name string) string {
	name = strings.Trim(words.Fold(name), "/")
	folder := path.Dir(words.Fold(from))
	base := withoutKind(path.Base(name))
	if number := strings.TrimLeft(base, "0"); strings.Trim(number, "0123456789") == "" { // a URL has other numbers
		if number == "" || strings.Contains(name, "/") {
			return ""
		}
		return r[path.Join(folder, number)]
	}
	names := []string{path.Join(folder, name)}
	for rest, found := name, true; found; _, rest, found = strings.Cut(rest, "/") {
		names = append(names, rest)
	}
	if isURL(name) || !strings.Contains(name, "/") {
		names = append(names, path.Join(folder, path.Base(name)), path.Join(folder, base))
	}
	for _, name := range names {
		if p := r[name]; p != "" {
			return p
		}
	}
	return ""
}

// recordNumber returns the number that the name of a record begins with, without zeros in front; "" if
// it begins with none, with a date, or with zero.
func recordNumber(name string) string {
	base := withoutKind(path.Base(name))
	digits := len(base) - len(strings.TrimLeft(base, "0123456789"))
	if digits > 5 || leadingDate().MatchString(base) {
		return ""
	}
	return strings.TrimLeft(base[:digits], "0")
}

package decision

import (
	"path"
	"slices"
	"strings"
)

// Succession maps each document that does not hold, by its own status or because a later one of those
// given supersedes it, to the one that holds in its place, or to nil if that is not known.
func Succession(documents []*File) map[*File]*File {
	byPath := make(map[string]*File, len(documents))
	paths := make([]string, len(documents))
	for i, f := range documents {
		paths[i], byPath[f.Path] = f.Path, f
	}
	records := NewRecords(paths)

	next, gone := map[*File][]*File{}, map[*File]bool{}
	for _, f := range documents {
		s := f.Status()
		if !s.Holds() {
			gone[f] = true
			for _, name := range s.Successors {
				if to := byPath[records.Named(f.Path, name)]; to != nil && to != f {
					next[f] = append(next[f], to)
				}
			}
		}
		if s.Kind > Accepted { // what is only proposed replaces nothing yet
			continue
		}
		for _, name := range s.Supersedes {
			if old := byPath[records.Named(f.Path, name)]; old != nil && old != f {
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

// maxSuccessors bounds how far successors are followed: in a chain of all of 10,000 records, each
// would visit all after it.
const maxSuccessors = 100

// holder follows the successors of a document to one that holds, or returns nil.
func holder(f *File, next map[*File][]*File, gone, seen map[*File]bool) *File {
	seen[f] = true
	for _, to := range next[f] {
		if !gone[to] {
			return to
		}
		if !seen[to] && len(seen) < maxSuccessors {
			if last := holder(to, next, gone, seen); last != nil {
				return last
			}
		}
	}
	return nil
}

// Records finds records by how others name them. It is for one goroutine.
type Records struct {
	paths  []string
	inPath map[string]bool
	named  map[inFolder]string // made when a record is not named by its path
}

// inFolder is the name of a record, or its number, in a folder.
type inFolder struct{ folder, name string }

// NewRecords returns the records at these paths.
func NewRecords(paths []string) *Records {
	r := &Records{paths: paths, inPath: make(map[string]bool, len(paths))}
	for _, p := range paths {
		r.inPath[p] = true
	}
	return r
}

// Named returns the path of the record that a document means, or "". It is named by its path, from the
// folder of the document or the root, or within the folder by its name or number.
func (r *Records) Named(from, name string) string {
	folder := path.Dir(from)
	for _, p := range []string{path.Join(folder, name), path.Clean(strings.TrimPrefix(name, "/"))} {
		if r.inPath[p] {
			return p
		}
	}
	if r.named == nil {
		r.named = make(map[inFolder]string, 2*len(r.paths))
		for _, p := range slices.Backward(r.paths) { // the first of a name counts
			base := strings.ToLower(path.Base(p))
			for _, name := range []string{base, strings.TrimSuffix(base, path.Ext(base)), recordNumber(p)} {
				r.named[inFolder{path.Dir(p), name}] = p
			}
		}
	}
	name = strings.ToLower(name)
	if number := strings.TrimLeft(name, "0"); number != "" && strings.Trim(number, "0123456789") == "" {
		name = number
	}
	return r.named[inFolder{folder, name}]
}

// recordNumber returns the number that the name of a record begins with, without zeros in front; "" if
// it begins with none, with a date, or with zero.
func recordNumber(name string) string {
	base := strings.TrimPrefix(strings.ToLower(path.Base(name)), "adr")
	base = strings.TrimLeft(base, "-_ ")
	digits := len(base) - len(strings.TrimLeft(base, "0123456789"))
	if digits == 0 || digits > 5 { // a date
		return ""
	}
	return strings.TrimLeft(base[:digits], "0")
}

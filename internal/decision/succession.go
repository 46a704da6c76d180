package decision

import (
	"path"
	"strings"
)

// Succession maps each document that does not hold, by its own status or because a later one of those
// given supersedes it, to the one that holds in its place, or to nil if that is not known.
func Succession(documents []*File) map[*File]*File {
	byName, byNumber := map[string][]*File{}, map[string]*File{}
	for _, f := range documents {
		byName[path.Base(f.Path)] = append(byName[path.Base(f.Path)], f)
		if number := recordNumber(f.Path); number != "" {
			byNumber[f.Section()+number] = f
		}
	}
	find := func(from *File, name string) *File {
		if f := byNumber[from.Section()+name]; f != nil {
			return f
		}
		candidates := byName[name]
		if candidates == nil {
			candidates = byName[name+path.Ext(from.Path)]
		}
		for _, f := range candidates {
			if f.Section() == from.Section() {
				return f
			}
		}
		if len(candidates) == 1 {
			return candidates[0]
		}
		return nil
	}

	next, gone := map[*File][]*File{}, map[*File]bool{}
	for _, f := range documents {
		s := f.Status()
		if !s.Holds() {
			gone[f] = true
			for _, name := range s.Successors {
				if to := find(f, name); to != nil && to != f {
					next[f] = append(next[f], to)
				}
			}
		}
		if s.Kind > Accepted { // what is only proposed replaces nothing yet
			continue
		}
		for _, name := range s.Supersedes {
			if old := find(f, name); old != nil && old != f {
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
		if !seen[to] {
			if last := holder(to, next, gone, seen); last != nil {
				return last
			}
		}
	}
	return nil
}

// recordNumber returns the number that the name of a record begins with, without zeros in front.
func recordNumber(name string) string {
	base := strings.TrimPrefix(strings.ToLower(path.Base(name)), "adr")
	base = strings.TrimLeft(base, "-_ ")
	digits := len(base) - len(strings.TrimLeft(base, "0123456789"))
	if digits == 0 || digits > 5 { // a date
		return ""
	}
	if number := strings.TrimLeft(base[:digits], "0"); number != "" {
		return number
	}
	return "0"
}

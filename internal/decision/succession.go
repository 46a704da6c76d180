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
	slices.Sort(paths)

	next, gone := map[*File][]*File{}, map[*File]bool{}
	for _, f := range documents {
		s := f.Status()
		if !s.Holds() {
			gone[f] = true
			for _, name := range s.Successors {
				if to := byPath[RecordNamed(f.Path, name, paths)]; to != nil && to != f {
					next[f] = append(next[f], to)
				}
			}
		}
		if s.Kind > Accepted { // what is only proposed replaces nothing yet
			continue
		}
		for _, name := range s.Supersedes {
			if old := byPath[RecordNamed(f.Path, name, paths)]; old != nil && old != f {
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

// RecordNamed returns the path of the record that a document means, among sorted paths, or "". It is
// named by its path, from the folder of the document or the root; within the folder by its name or
// number; or by the end of its address on a server.
func RecordNamed(from, name string, paths []string) string {
	folder := path.Dir(from)
	for _, p := range []string{path.Join(folder, name), path.Clean(strings.TrimPrefix(name, "/"))} {
		if _, known := slices.BinarySearch(paths, p); known {
			return p
		}
	}
	start := 0
	if folder != "." {
		start, _ = slices.BinarySearch(paths, folder+"/")
	}
	for _, p := range paths[start:] {
		base := path.Base(p)
		switch {
		case folder != "." && !strings.HasPrefix(p, folder+"/"):
			return atAddress(name, paths)
		case path.Dir(p) != folder:
		case strings.EqualFold(base, name) || strings.EqualFold(strings.TrimSuffix(base, path.Ext(base)), name),
			recordNumber(base) != "" && recordNumber(base) == recordNumber(name) && strings.Trim(name, "0123456789") == "":
			return p
		}
	}
	return atAddress(name, paths)
}

// atAddress returns the file that a server shows at an address.
func atAddress(address string, paths []string) string {
	if !strings.Contains(address, "://") {
		return ""
	}
	i := slices.IndexFunc(paths, func(p string) bool { return strings.HasSuffix(address, "/"+p) })
	if i < 0 {
		return ""
	}
	return paths[i]
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

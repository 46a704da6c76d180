package decision

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

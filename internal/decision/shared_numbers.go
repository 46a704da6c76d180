package decision

import (
	"path"
	"strings"

	"whence/internal/words"
)

// SharedNumbers returns the paths of two records for each number that records of one folder share by their names, in the
// order of the documents. A translation has the name of its record, and more.
func SharedNumbers(documents []*File) (pairs [][2]string) {
	first, reported := map[string]string{}, map[string]bool{}
	for _, f := range documents {
		number := recordNumber(words.Fold(f.Path))
		if number == "" {
			continue
		}
		key := path.Join(path.Dir(f.Path), number)
		other, isTaken := first[key]
		if !isTaken {
			first[key] = f.Path
			continue
		}
		if !reported[key] && !isBeginning(other, f.Path) && !isBeginning(f.Path, other) {
			pairs, reported[key] = append(pairs, [2]string{other, f.Path}), true
		}
	}
	return pairs
}

// isBeginning reports whether a path begins with another one, less the extension of that.
func isBeginning(name, of string) bool {
	return strings.HasPrefix(of, strings.TrimSuffix(name, path.Ext(name)))
}

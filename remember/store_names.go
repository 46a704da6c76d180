package remember

import (
	"cmp"

	"whence/internal/team"
)

// otherNames translates names of repositories and folders from one store to another: a machine has
// its own names for them, and all machines share others.
type otherNames struct {
	from, to bool // whether names are shared
	getenv   func(string) string
	paths    map[string]string // names on this machine, by shared name
	known    map[string]string // the translations so far; "": none
}

// addPaths adds names on this machine of repositories and folders that may be in the other store.
func (r *otherNames) addPaths(paths []string) {
	for _, path := range paths {
		if shared, known := team.SharedName(path, r.getenv); known && r.paths[shared] == "" {
			r.paths[shared] = path
		}
	}
}

// of returns the name in the other store, or the same one if that is unknown.
func (r *otherNames) of(name string) string {
	if r.from == r.to || name == "" {
		return name
	}
	other, known := r.known[name]
	if !known {
		if r.to {
			other, _ = team.SharedName(name, r.getenv)
		} else if other, known = team.OwnName(name, r.getenv); !known {
			other = r.paths[name]
		}
		r.known[name] = other
	}
	return cmp.Or(other, name)
}

func (r *otherNames) lost() (n int) {
	for _, other := range r.known {
		if other == "" {
			n++
		}
	}
	return n
}

package remember

import "whence/internal/team"

// otherNames tells what repositories and folders are called in the store into which they are
// copied: there are those by which a machine knows them, and those that all machines share.
type otherNames struct {
	from, to    bool // whether names are shared
	own, shared team.Names
	candidates  []string // what this machine knows
	getenv      func(string) string

	known map[string]string // "": it has no other name
	paths map[string]string // what this machine knows, by shared name
}

// of is the name in the other store; one that cannot be told stays.
func (r *otherNames) of(name string) string {
	if r.from == r.to || name == "" {
		return name
	}
	if r.known == nil {
		r.known = map[string]string{}
	}
	other, known := r.known[name]
	if !known {
		if r.to {
			other, _ = team.SharedName(name, r.getenv)
		} else {
			other = r.path(name)
		}
		r.known[name] = other
	}
	if other == "" {
		return name
	}
	return other
}

// path is what this machine calls a repository of a team; "" if it does not know it.
func (r *otherNames) path(name string) string {
	if path, is := team.OwnName(name, r.getenv); is {
		return path
	}
	switch name {
	case r.shared.Project:
		return r.own.Project
	case r.shared.Talk:
		return r.own.Talk
	}
	if r.paths == nil {
		r.paths = map[string]string{}
		for _, path := range r.candidates {
			if shared, known := team.SharedName(path, r.getenv); known && r.paths[shared] == "" {
				r.paths[shared] = path
			}
		}
	}
	return r.paths[name]
}

// lost counts the names that could not be told.
func (r *otherNames) lost() (n int) {
	for _, other := range r.known {
		if other == "" {
			n++
		}
	}
	return n
}

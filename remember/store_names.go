package remember

import "whence/internal/team"

// otherNames translates names of repositories and folders from one store to another: a machine has
// its own names for them, and all machines share others.
type otherNames struct {
	from, to    bool // whether names are shared
	own, shared team.Names
	candidates  []string // names on this machine
	getenv      func(string) string

	known map[string]string // "": none
	paths map[string]string // names on this machine, by shared name
}

// of returns the name in the other store, or the same one if that is unknown.
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

// path returns this machine's name of a repository of a team, or "".
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

// lost counts the names without a translation.
func (r *otherNames) lost() (n int) {
	for _, other := range r.known {
		if other == "" {
			n++
		}
	}
	return n
}

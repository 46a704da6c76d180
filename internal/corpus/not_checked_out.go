package corpus

import (
	"slices"
	"sync"

	"whence/internal/repo"
)

// absentFiles are the files of a memory that git tracks and has not checked out.
type absentFiles struct {
	names   []string // sorted
	command string   // checks out all of them
}

// AdviseIn sets the folder in which the user types the commands that refusals name. A git hook gets it from
// git, in variables.
func (m *Memory) AdviseIn(cwd string, getenv func(string) string) {
	m.absent = sync.OnceValue(func() absentFiles { return m.findAbsent(cwd, getenv) })
}

// findAbsent asks git. It finds nothing where git fails, for which other errors speak.
func (m *Memory) findAbsent(cwd string, getenv func(string) string) absentFiles {
	r, err := repo.Open(m.dir, m.dir, func(string) string { return "" })
	if err != nil {
		return absentFiles{}
	}
	below, err := r.Rel(m.dir)
	if err != nil {
		return absentFiles{}
	}
	var names []string
	paths, err := r.NotCheckedOut(func(name string) bool {
		name, inside := repo.Below(below, name)
		isMemory := inside && isMarkdown(name) && m.layout.Holds(name)
		if isMemory {
			names = append(names, name)
		}
		return isMemory
	})
	if err != nil || len(paths) == 0 {
		return absentFiles{}
	}
	slices.Sort(names)
	return absentFiles{names, r.CheckOut(paths, r.StartedIn(cwd, getenv))}
}

// IsEmpty reports whether there is no memory.
func (m *Memory) IsEmpty() bool { return len(m.names) == 0 }

// NotCheckedOut returns a refusal if git tracks files of the memory that are not here, as in a sparse checkout of
// other folders. Its command checks out all of them.
func (m *Memory) NotCheckedOut() (r Refusal, absent bool) {
	if m.absent == nil {
		return Refusal{}, false
	}
	all := m.absent()
	if len(all.names) == 0 {
		return Refusal{}, false
	}
	name := all.names[0]
	if slices.Contains(all.names, m.layout.Index) {
		name = m.layout.Index
	}
	return Refusal{Path: name, reason: isAbsent, command: all.command}, true
}

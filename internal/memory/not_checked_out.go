package memory

import (
	"fmt"
	"slices"
	"sync"

	"whence/internal/repo"
)

// absentFiles are the files of a memory that git tracks and has not checked out.
type absentFiles struct {
	names   []string // sorted
	command string   // checks out all of them
}

// AdviseIn sets the folder in which the user types the commands that refusals name. In a hook, git passes it in
// variables.
func (s *Source) AdviseIn(cwd string, getenv func(string) string) {
	s.absent = sync.OnceValue(func() absentFiles { return s.findAbsent(cwd, getenv) })
}

// findAbsent asks git. If git fails, it finds nothing: other errors report that.
func (s *Source) findAbsent(cwd string, getenv func(string) string) absentFiles {
	r, err := repo.Open(s.dir, s.dir, func(string) string { return "" })
	if err != nil {
		return absentFiles{}
	}
	below, err := r.Rel(s.dir)
	if err != nil {
		return absentFiles{}
	}
	var names []string
	paths, err := r.NotCheckedOut(func(name string) bool {
		name, inside := repo.Below(below, name)
		isMemory := inside && isMarkdown(name) && s.layout.Holds(name)
		if isMemory {
			names = append(names, name)
		}
		return isMemory
	})
	if err != nil || len(paths) == 0 {
		return absentFiles{}
	}
	slices.Sort(names)
	return absentFiles{names, r.CheckOutCommand(paths, r.StartedIn(cwd, getenv))}
}

// IsEmpty reports whether there is no memory.
func (s *Source) IsEmpty() bool { return len(s.names) == 0 }

// NotCheckedOut returns a refusal if git tracks files of the memory that are not here, as in a sparse checkout of other
// folders. The command in its remedy checks out all of them.
func (s *Source) NotCheckedOut() (r Problem, absent bool) {
	if s.absent == nil {
		return Problem{}, false
	}
	all := s.absent()
	if len(all.names) == 0 {
		return Problem{}, false
	}
	name := all.names[0]
	if slices.Contains(all.names, s.layout.Index) {
		name = s.layout.Index
	}
	return s.notCheckedOut(name), true
}

func (s *Source) notCheckedOut(name string) Problem {
	return s.refused(name, "is tracked by git, but not checked out", fmt.Sprintf("run \"%s\"", s.absent().command))
}

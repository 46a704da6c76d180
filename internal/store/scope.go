package store

// Scope limits a request to the learnings of a repository, and global ones.
type Scope struct {
	Project    string
	Everywhere bool // those of all repositories
}

func (in Scope) params() params { return params{"project": in.Project, "everywhere": in.Everywhere} }

// visible is the condition that a learning applies in the repository @project, or @everywhere.
const visible = `(@everywhere OR e.source_project IS NULL OR e.source_project = @project)`

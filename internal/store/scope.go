package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Scope limits a request to the learnings of a repository, and global ones.
type Scope struct {
	Project    string
	Everywhere bool // those of all repositories
}

func (in Scope) params() params { return params{"project": in.Project, "everywhere": in.Everywhere} }

// visible is the condition that a learning applies in the repository @project, or @everywhere.
const visible = `(@everywhere OR e.source_project IS NULL OR e.source_project = @project)`

// scopeMark begins what the index has behind each stem: no stem has it.
const scopeMark = "¦"

// scopeToken returns what the index has behind each stem of a row of a repository, "" being none. So a search reads the
// rows of its scope alone, however many other repositories have the word.
func scopeToken(project string) string {
	sum := sha256.Sum256([]byte(project))
	return scopeMark + hex.EncodeToString(sum[:8])
}

// ownStems returns stems as the index has them for a repository.
func ownStems(stems, project string) string {
	token := scopeToken(project)
	return strings.Join(strings.Fields(stems), token+" ") + token
}

// match returns a query of the index of a table for the rows of a scope that have a stem.
func (in Scope) match(table, stem string) string {
	word := strings.ReplaceAll(stem, `"`, `""`)
	switch {
	case in.Everywhere:
		return `"` + word + scopeMark + `" *`
	case table == "entries":
		return `"` + word + scopeToken(in.Project) + `" OR "` + word + scopeToken("") + `"`
	}
	return `"` + word + scopeToken(in.Project) + `"`
}

// countRows returns the number of rows of a table in a scope; everywhere it is the highest number that a row has.
func (c conn) countRows(ctx context.Context, table string, in Scope) (n int64, err error) {
	query := `SELECT count(*) FROM turns WHERE project = @project`
	switch table {
	case "commits":
		query = `SELECT count(*) FROM commits WHERE project = @project AND words <> ''`
	case "entries":
		query = `SELECT (SELECT count(*) FROM entries WHERE source_project = @project) + (SELECT count(*) FROM entries WHERE source_project IS NULL)`
	}
	if in.Everywhere {
		query = `SELECT coalesce(max(seq), 0) FROM ` + table
	}
	_, err = c.get(ctx, query, in.params(), &n)
	return n, err
}

package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Scope limits a request to the rows of a repository, and global learnings.
type Scope struct {
	Project    string
	Everywhere bool // no limit: the rows of all repositories
}

func (in Scope) params() params { return params{"project": in.Project, "everywhere": in.Everywhere} }

// visible is the SQL condition for the learnings that apply in the repository @project; all do if @everywhere.
const visible = `(@everywhere OR e.source_project IS NULL OR e.source_project = @project)`

// scopeMark begins the suffix that each stem has in the index. No stem contains it.
const scopeMark = "¦"

// scopeToken returns the suffix that the stems of a repository's rows have in the index; "" is for global rows. It lets
// a search read only the rows of its scope, however many other repositories have the word.
func scopeToken(project string) string {
	sum := sha256.Sum256([]byte(project))
	return scopeMark + hex.EncodeToString(sum[:8])
}

// ownStems returns stems in the form in which a repository's rows are indexed: each with its scopeToken.
func ownStems(stems, project string) string {
	token := scopeToken(project)
	return strings.Join(strings.Fields(stems), token+" ") + token
}

// match returns the full-text query for the rows of a table that are in the scope and contain a stem.
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

// countRows returns the number of rows of a table in a scope; with Everywhere, the highest seq instead.
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

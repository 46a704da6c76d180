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

// scopeToken is the word for the repository of a row in the index, "" being none: no text has it.
func scopeToken(project string) string {
	sum := sha256.Sum256([]byte(project))
	return "scope" + hex.EncodeToString(sum[:8])
}

// ownWord returns a word as the index of commits has it: with the repository in it. That makes one list to read of two.
func ownWord(word, project string) string {
	return `"` + strings.ReplaceAll(word, `"`, `""`) + scopeToken(project) + `"`
}

// match returns a query of the index of a table for the rows of a scope that have a word.
func (in Scope) match(table, word string) string {
	query := `"` + strings.ReplaceAll(word, `"`, `""`) + `"`
	switch {
	case table == "commits": // of one repository, whose words are its own
		return ownWord(word, in.Project)
	case in.Everywhere:
		return query
	case table == "entries":
		return query + " AND (" + scopeToken(in.Project) + " OR " + scopeToken("") + ")"
	}
	return query + " AND " + scopeToken(in.Project)
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

package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"strings"
	"time"

	json2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"whence/internal/learning"
)

// timeLayout is the form of all times in the database, in UTC. SQLite's own functions read it,
// and it sorts by time.
const timeLayout = "2006-01-02T15:04:05Z"

// timeText returns a time as a column holds it; the zero time is NULL.
func timeText(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC().Format(timeLayout)
}

// parseTime returns the zero time if a column has no valid time.
func parseTime(text sql.NullString) time.Time {
	t, err := time.Parse(time.RFC3339, text.String)
	if err != nil {
		t, _ = time.Parse(time.DateTime, text.String)
	}
	return t.UTC()
}

// storedTime returns a time as it is stored; the zero time becomes now.
func storedTime(at time.Time) time.Time {
	if at.IsZero() {
		at = time.Now()
	}
	return at.UTC().Truncate(time.Second)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// learningColumns are the columns that scanLearning reads, of the table entries as e.
const learningColumns = `e.seq, e.personal, e.id, e.name, e.description, e.reasoning, e.category, e.keywords, e.source, e.source_project, e."references",
	e.observation_count, e.confidence, e.recall_count, e.last_recalled_at, e.last_used_at, e.retired, e.created_at, e.updated_at`

// learningRow is a learning with the number of its row.
type learningRow struct {
	seq int64
	learning.Learning
}

// scanLearning reads learningColumns, and the columns after them into extra.
func scanLearning(row Scanner, extra ...any) (l learningRow, err error) {
	var keywords, references string
	var project, recalled, used, retired, created, updated sql.NullString
	err = row.Scan(append([]any{&l.seq, &l.Personal, &l.ID, &l.Name, &l.Description, &l.Reasoning, &l.Category, &keywords, &l.Source, &project, &references,
		&l.Observations, &l.Confidence, &l.Recalls, &recalled, &used, &retired, &created, &updated}, extra...)...)
	l.Keywords, l.References = parseList(keywords), parseList(references)
	l.Project, l.Retired = project.String, retired.String
	l.LastRecalled, l.LastUsed, l.Created, l.Updated = parseTime(recalled), parseTime(used), parseTime(created), parseTime(updated)
	return l, err
}

// learnings reads learnings; the clauses follow FROM entries e.
func (c Conn) learnings(ctx context.Context, clauses string, arguments ...any) ([]learningRow, error) {
	return Collect(ctx, c, func(row Scanner) (learningRow, error) { return scanLearning(row) }, `SELECT `+learningColumns+` FROM entries e `+clauses, arguments...)
}

func (c Conn) learning(ctx context.Context, seq int64) (learningRow, error) {
	return scanLearning(c.QueryRowContext(ctx, `SELECT `+learningColumns+` FROM entries e WHERE seq = $1`, seq))
}

// listText returns a list as JSON.
func listText(list []string) string {
	if len(list) == 0 {
		return "[]"
	}
	text, _ := json.Marshal(list) // strings cannot fail
	return string(text)
}

// parseList reads a JSON list. Other text becomes the only item.
func parseList(text string) []string {
	if text == "[]" {
		return nil
	}
	var list []string
	if json2.Unmarshal([]byte(text), &list, jsontext.AllowInvalidUTF8(true)) != nil && strings.TrimSpace(text) != "" {
		return []string{text}
	}
	if len(list) == 0 {
		return nil
	}
	return list
}

// nullable returns a text for a column in which "" is NULL.
func nullable(text string) any {
	if text == "" {
		return nil
	}
	return text
}

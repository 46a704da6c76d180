package store

import (
	"database/sql"
	"encoding/json"
	"strings"
	"time"

	"whence/internal/learning"
)

// timeLayout is the form of all times in the database, in UTC: SQLite's own functions
// read it, and its order is that of time.
const timeLayout = "2006-01-02T15:04:05Z"

func timeText(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC().Format(timeLayout)
}

// parseTime reads a time; one that cannot be read is the zero time.
func parseTime(text sql.NullString) time.Time {
	t, err := time.Parse(time.RFC3339, text.String)
	if err != nil {
		t, _ = time.Parse(time.DateTime, text.String)
	}
	return t.UTC()
}

// Columns are those of a learning, of the table entries as e, in the order in which they are read.
const Columns = `e.seq, e.personal, e.id, e.name, e.description, e.reasoning, e.category, e.keywords, e.source, e.source_project, e."references",
	e.observation_count, e.confidence, e.recall_count, e.last_recalled_at, e.influence_count, e.last_used_at, e.retired, e.created_at, e.updated_at`

// scan reads a row of Columns, and the columns behind them into more.
func scan(row interface{ Scan(...any) error }, more ...any) (seq int64, l learning.Learning, err error) {
	var keywords, references string
	var project, recalled, used, retired, created, updated sql.NullString
	err = row.Scan(append([]any{&seq, &l.Personal, &l.ID, &l.Name, &l.Description, &l.Reasoning, &l.Category, &keywords, &l.Source, &project, &references,
		&l.Observations, &l.Confidence, &l.Recalls, &recalled, &l.Influence, &used, &retired, &created, &updated}, more...)...)
	l.Keywords, l.References = parseList(keywords), parseList(references)
	l.Project, l.Retired = project.String, retired.String
	l.LastRecalled, l.LastUsed, l.Created, l.Updated = parseTime(recalled), parseTime(used), parseTime(created), parseTime(updated)
	return seq, l, err
}

// listText is a list in a column.
func listText(list []string) string {
	if len(list) == 0 {
		return "[]"
	}
	text, err := json.Marshal(list)
	if err != nil { // no list of strings has one
		return "[]"
	}
	return string(text)
}

// parseList reads a list from a column. What another hand has put there is one item.
func parseList(text string) []string {
	var list []string
	if json.Unmarshal([]byte(text), &list) != nil && strings.TrimSpace(text) != "" {
		return []string{text}
	}
	if len(list) == 0 {
		return nil
	}
	return list
}

// nullable is a text for a column in which "" is NULL.
func nullable(text string) any {
	if text == "" {
		return nil
	}
	return text
}

package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"whence/internal/learning"
	"whence/internal/text"
)

// Predecessor is the content of a memory.db of the program that /remember comes from.
type Predecessor struct {
	Learnings []learning.Learning
	Skipped   []string // a line for each reason to skip entries
}

// Limits of a predecessor's file, which may come from anywhere.
const (
	maxPredecessorRows  = 100_000
	maxPredecessorChars = 20_000   // of one text
	maxPredecessorBytes = 64 << 20 // of all texts: rows may share pages, so a small file may have many
	maxPredecessorTime  = time.Minute
)

// ErrNotPredecessor reports that a database is of another kind.
var ErrNotPredecessor = errors.New("it is not a memory.db with a table of entries")

// IsDatabase reports whether a header begins a SQLite database.
func IsDatabase(header []byte) bool { return strings.HasPrefix(string(header), "SQLite format 3\x00") }

// ReadPredecessor reads a predecessor's file. It writes nothing, so entries that are only in the
// log are reported as skipped. Nothing in the file is executed: entries must be an ordinary table,
// and functions in its schema are disabled.
func ReadPredecessor(ctx context.Context, name string) (p Predecessor, err error) {
	ctx, cancel := context.WithTimeout(ctx, maxPredecessorTime)
	defer cancel()
	s, err := connect(name, url.Values{"mode": {"ro"}, "immutable": {"1"}, "_pragma": {"query_only(ON)", "trusted_schema(OFF)", "cell_size_check(ON)"}})
	if err != nil {
		return p, err
	}
	defer s.db.Close()
	if p, err = s.readPredecessor(ctx); err != nil {
		return Predecessor{}, s.explained(err)
	}
	if info, err := os.Stat(name + "-wal"); err == nil && info.Size() > 0 {
		p.Skipped = append(p.Skipped, "what was written last is in "+name+"-wal, and is not read: end the program that uses it, run sqlite3 on the file with 'PRAGMA wal_checkpoint(TRUNCATE)', and import again")
	}
	return p, nil
}

func (s *Store) readPredecessor(ctx context.Context) (p Predecessor, err error) {
	var ordinary, ours bool
	if _, err := s.conn.get(ctx, `SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'entries' AND rootpage > 0), (SELECT application_id FROM pragma_application_id) = $1`, []any{applicationID},
		&ordinary, &ours); err != nil {
		return p, err
	}
	if ours {
		return p, errors.New("it is a store of whence: copy it with memory-remember store copy --from ITS_FOLDER --to local")
	}
	columns, err := Collect(ctx, s.conn, value[string], `SELECT name FROM pragma_table_info('entries')`)
	if err != nil {
		return p, err
	}
	has := func(column string) bool { return slices.Contains(columns, column) }
	if !ordinary || !has("name") || !has("description") || !has("category") {
		return p, ErrNotPredecessor
	}
	var selected []string
	for _, name := range []string{"name", "description", "reasoning", "category", "keywords", "source", "references", "confidence", "last_recalled_at", "created_at", "updated_at"} {
		expression := `''`
		if has(name) {
			expression = fmt.Sprintf(`coalesce(substr(CAST("%s" AS TEXT), 1, %d), '')`, name, maxPredecessorChars+1)
		}
		selected = append(selected, expression)
	}
	for _, name := range []string{"observation_count", "recall_count", "influence_count"} {
		number := `0`
		if has(name) {
			number = fmt.Sprintf(`max(0, min(coalesce(CAST("%s" AS INTEGER), 0), 1000000))`, name)
		}
		selected = append(selected, number)
	}
	skipped := map[string][]string{}
	rows, size := 0, 0
	err = s.conn.Each(ctx, `SELECT `+strings.Join(selected, ", ")+` FROM entries LIMIT $1`, []any{maxPredecessorRows + 1}, func(row Scanner) error {
		if rows++; rows > maxPredecessorRows {
			return fmt.Errorf("it has more than %d entries", maxPredecessorRows)
		}
		l, err := scanPredecessor(row)
		if err != nil {
			return err
		}
		if size += len(l.Name) + len(l.Description) + len(l.Reasoning); size > maxPredecessorBytes {
			return fmt.Errorf("its texts have more than %d MB", maxPredecessorBytes>>20)
		}
		if why := unfit(l); why != "" {
			skipped[why] = append(skipped[why], learning.Shorten(text.Clean(l.Name)))
			return nil
		}
		p.Learnings = append(p.Learnings, l)
		return nil
	})
	for _, why := range slices.Sorted(maps.Keys(skipped)) {
		names := skipped[why]
		p.Skipped = append(p.Skipped, fmt.Sprintf("%d skipped: %s (%q first)", len(names), why, names[0]))
	}
	return p, err
}

// scanPredecessor reads a row. An unknown source becomes import, an unknown confidence medium.
func scanPredecessor(row Scanner) (l learning.Learning, err error) {
	var category, keywords, source, references, confidence, recalled, created, updated string
	if err := row.Scan(&l.Name, &l.Description, &l.Reasoning, &category, &keywords, &source, &references, &confidence, &recalled, &created, &updated,
		&l.Observations, &l.Recalls, &l.Influence); err != nil {
		return l, err
	}
	l.Category, l.Source, l.Confidence = learning.Category(category), learning.Import, learning.Medium
	if s, err := learning.ParseSource(source); err == nil {
		l.Source = s
	}
	if c, err := learning.ParseConfidence(confidence); err == nil {
		l.Confidence = c
	}
	for _, word := range parseList(keywords) {
		if learning.ValidKeyword(word) {
			l.Keywords = append(l.Keywords, word)
		}
	}
	l.References = parseList(references)
	at := func(text string) time.Time { return parseTime(sql.NullString{String: text}) }
	l.LastRecalled, l.Created, l.Updated = at(recalled), at(created), at(updated)
	return l, nil
}

// unfit returns why a learning cannot be imported, or "".
func unfit(l learning.Learning) string {
	chars := 0
	for _, text := range slices.Concat([]string{l.Name, l.Description, l.Reasoning}, l.References) {
		chars += utf8.RuneCountInString(text)
	}
	_, err := learning.ParseCategory(string(l.Category))
	switch {
	case !learning.LongEnough(l.Description):
		return fmt.Sprintf("shorter than %d characters", learning.MinDescriptionChars)
	case chars > maxPredecessorChars:
		return fmt.Sprintf("longer than %d characters", maxPredecessorChars)
	case errors.Is(err, learning.ErrImportOnly):
		return "there is no category constitution here"
	case err != nil:
		return "of an unknown category"
	}
	return ""
}

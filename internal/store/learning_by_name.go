package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"whence/internal/learning"
	"whence/internal/words"
)

// ErrUnknown means that the id or name of a learning is unknown.
var ErrUnknown = errors.New("no learning has this id or name")

// AmbiguousError reports that several learnings have the same name.
type AmbiguousError struct {
	Name string
	IDs  []string // each with the beginning of its text
}

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("%q: more than one learning has this name: use one of the ids %s", e.Name, strings.Join(e.IDs, ", "))
}

// Get returns the learning of a scope by its id, its name in any case, or an unambiguous prefix of its id.
// If there is not exactly one, the error is ErrUnknown or an *AmbiguousError. A learning of another repository
// is as unknown as one that does not exist: an id is the hash of a text, so anyone can guess it.
func (s *Store) Get(ctx context.Context, in Scope, name string) (learning.Learning, error) {
	row, err := s.conn.lookup(ctx, in, name)
	return row.Learning, s.explain(err)
}

// maxBeginningBytes bounds a description in a message.
const maxBeginningBytes = 50

// minPrefixChars is the minimum length of the beginning of an id.
const minPrefixChars = 4

// lookup finds a learning of a scope. An index serves each of its queries.
func (c conn) lookup(ctx context.Context, in Scope, name string) (learningRow, error) {
	prefix := strings.ToLower(name)
	conditions := []string{`e.id = @name`, `lower(e.name) = lower(@name)`}
	if len(prefix) >= minPrefixChars && strings.Trim(prefix, "0123456789abcdef") == "" {
		conditions = append(conditions, `e.id >= @prefix AND e.id < @prefix || 'g'`)
	}
	p := in.params()
	p["name"], p["prefix"] = name, prefix
	for _, condition := range conditions {
		rows, err := c.learnings(ctx, `WHERE `+condition+` AND `+visible+` ORDER BY e.source_project IS NULL LIMIT 10`, p)
		if err != nil || len(rows) == 1 {
			return append(rows, learningRow{})[0], err
		}
		if len(rows) > 1 {
			var ids []string
			for _, row := range rows {
				ids = append(ids, row.ID+" ("+words.Shorten(strings.Join(strings.Fields(row.Description), " "), maxBeginningBytes)+")")
			}
			if ids = slices.Compact(ids); len(ids) > 1 || in.Everywhere {
				return learningRow{}, &AmbiguousError{name, ids}
			}
			return rows[0], nil // that of the repository comes before the global one
		}
	}
	return learningRow{}, fmt.Errorf("%q: %w", name, ErrUnknown)
}

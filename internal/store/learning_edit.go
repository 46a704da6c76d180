package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"whence/internal/learning"
	"whence/internal/words"
)

// ErrUnknown means that the id or name of a learning is unknown.
var ErrUnknown = errors.New("no learning has this id or name")

// AmbiguousError reports a name of several learnings.
type AmbiguousError struct {
	Name string
	IDs  []string // each with the beginning of its text
}

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("%q: more than one learning has this name: use one of the ids %s", e.Name, strings.Join(e.IDs, ", "))
}

// TakenError reports the learning that has a description which another one was to get.
type TakenError struct{ Name, ID string }

func (e *TakenError) Error() string {
	return fmt.Sprintf("%q (id: %s): another learning has this description already: edit or forget one of them", e.Name, e.ID)
}

// Get returns the learning of a scope with an id, a name in any case, or the unambiguous beginning of an id.
// The error is ErrUnknown or an AmbiguousError if there is not exactly one. One of another repository is
// unknown, like one that does not exist: an id is the hash of a text, so anyone can guess it.
func (s *Store) Get(ctx context.Context, in Scope, name string) (learning.Learning, error) {
	row, err := s.conn.lookup(ctx, in, name)
	return row.Learning, s.explain(err)
}

// maxBeginningBytes bounds a description in a message.
const maxBeginningBytes = 50

// minPrefixChars is the minimum length of the beginning of an id.
const minPrefixChars = 4

// lookup finds a learning of a scope. Each of its queries has an index.
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

// Forget deletes the learning of a scope with an id or name as for Get, and returns it.
func (s *Store) Forget(ctx context.Context, in Scope, name string) (l learning.Learning, err error) {
	err = s.write(ctx, func(tx conn) error {
		row, err := tx.lookup(ctx, in, name)
		if err != nil {
			return err
		}
		l = row.Learning
		return tx.exec(ctx, `DELETE FROM entries WHERE seq = @seq`, params{"seq": row.seq})
	})
	if err == nil {
		err = s.compact(ctx, "entries")
	}
	return l, s.explain(err)
}

// Edit changes the learning of a scope with an id or name as for Get, and returns it as it is
// then. Its id follows a new description; its keywords follow new texts, unless they are edited too.
// A learning whose repository is edited to none holds everywhere. A description that another
// learning has is a TakenError. What Put refuses is an error, and nothing changes.
func (s *Store) Edit(ctx context.Context, in Scope, name string, at time.Time, edit func(*learning.Learning) error) (after learning.Learning, err error) {
	err = s.write(ctx, func(tx conn) error {
		row, err := tx.lookup(ctx, in, name)
		if err != nil {
			return err
		}
		before := row.Learning
		l := before
		if err := edit(&l); err != nil {
			return err
		}
		if l, err = storable(l); err != nil {
			return err
		}
		l.Updated = later(before.Updated, storedTime(at))
		sameTexts := l.Name == before.Name && l.Description == before.Description && l.Reasoning == before.Reasoning
		if !sameTexts && slices.Equal(l.Keywords, before.Keywords) {
			l.Keywords = learning.Keywords(l.Name, l.Description, l.Reasoning)
		}
		taken, err := tx.equal(ctx, l, cmp.Or(l.Project, in.Project))
		if err != nil {
			return err
		}
		if taken != nil && taken.seq != row.seq {
			return &TakenError{taken.Name, taken.ID}
		}
		after = l
		_, err = writeRow(ctx, tx, row.seq, l)
		return err
	})
	if err == nil {
		err = s.compact(ctx, "entries")
	}
	return after, s.explain(err)
}

// Found counts that a search of an agent or user returned learnings of a scope, which is use.
func (s *Store) Found(ctx context.Context, in Scope, ids []string, at time.Time) error {
	return s.count(ctx, in, ids, at, `search_count = search_count + 1, last_used_at = max(coalesce(last_used_at, ''), @at)`)
}

// Shown counts that learnings of a scope were put before an agent.
func (s *Store) Shown(ctx context.Context, in Scope, ids []string, at time.Time) error {
	return s.count(ctx, in, ids, at, `recall_count = recall_count + 1, last_recalled_at = max(coalesce(last_recalled_at, ''), @at)`)
}

func (s *Store) count(ctx context.Context, in Scope, ids []string, at time.Time, assignments string) error {
	p := in.params()
	p["ids"], p["at"] = ids, storedTime(at)
	err := s.write(ctx, func(tx conn) error {
		return tx.exec(ctx, `UPDATE entries AS e SET `+assignments+` WHERE e.id IN (SELECT value FROM json_each(@ids)) AND `+visible, p)
	})
	return s.wrap("count the use of learnings", err)
}

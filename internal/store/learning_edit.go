package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"whence/internal/learning"
)

// TakenError reports that the learning with this name and id already has the description that an edit would set.
type TakenError struct{ Name, ID string }

func (e *TakenError) Error() string {
	return fmt.Sprintf("%q (id: %s): another learning has this description already: edit or forget one of them", e.Name, e.ID)
}

// Forget deletes the learning that Get would return, and returns it. The hash of its text is kept, so that Import does
// not bring it back.
func (s *Store) Forget(ctx context.Context, in Scope, name string) (l learning.Learning, err error) {
	err = s.write(ctx, func(tx conn) error {
		row, err := tx.lookup(ctx, in, name)
		if err != nil {
			return err
		}
		l = row.Learning
		err = tx.exec(ctx, `INSERT INTO forgotten (folded, project) VALUES (@folded, @project) ON CONFLICT DO NOTHING`,
			params{"folded": folded(l.Description), "project": l.Project})
		if err != nil {
			return err
		}
		return tx.exec(ctx, `DELETE FROM entries WHERE seq = @seq`, params{"seq": row.seq})
	})
	if err == nil {
		err = s.compact(ctx, "entries")
	}
	return l, s.explain(err)
}

// Edit changes the learning that Get would return, and returns the result. A new description gives it a
// new id; new texts give it new keywords, unless the edit changes those too. Without a Project it becomes
// global. If another learning has the new description, the error is a *TakenError. On any error, as for a
// learning that Put would refuse, nothing changes.
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

// Found records that a search by an agent or a user returned learnings of a scope, which counts as use.
func (s *Store) Found(ctx context.Context, in Scope, ids []string, at time.Time) error {
	return s.count(ctx, in, ids, at, `search_count = search_count + 1, last_used_at = max(coalesce(last_used_at, ''), @at)`)
}

// Shown records that learnings of a scope were put before an agent.
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

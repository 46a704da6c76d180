package team

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"whence/internal/learning"
	"whence/internal/store"
	"whence/internal/text"
)

// exchange is one exchange of a repository with the server of its team.
type exchange struct {
	store  *store.Store
	team   store.Team
	origin string // of the store's edits
	conn   *pgx.Conn
	login  string
	batch  pgx.Batch // statements to be sent together
}

// Sync exchanges the learnings of all repositories of a store with their teams, and records how each
// exchange went. What a server or the network does is no error: errors are those of the store.
func Sync(ctx context.Context, s *store.Store, now time.Time) error {
	teams, err := s.Teams(ctx)
	if err != nil || len(teams) == 0 {
		return err
	}
	origin, err := originOf(ctx, s)
	if err != nil {
		return err
	}
	unreachable := map[string]error{} // by URL, so that each is waited for once
	var faults []error
	for _, t := range teams {
		fault := unreachable[t.URL]
		if fault == nil {
			e := &exchange{store: s, team: t, origin: origin}
			if fault = e.run(ctx); errors.Is(fault, errUnreachable) {
				unreachable[t.URL] = fault
			}
		}
		text := ""
		if fault != nil {
			text = fault.Error()
		}
		faults = append(faults, s.Exchanged(ctx, t.Project, now, text))
	}
	return errors.Join(faults...)
}

// originOf returns the id of a store, which is made once.
func originOf(ctx context.Context, s *store.Store) (origin string, err error) {
	const key = "team origin"
	if known, err := s.Noted(ctx, key, &origin); err != nil || known {
		return origin, err
	}
	origin = rand.Text()
	return origin, s.Note(ctx, key, origin)
}

// maxAttempts bounds how often an exchange pushes again since something was learned meanwhile.
const maxAttempts = 5

func (e *exchange) run(ctx context.Context) (err error) {
	if e.conn, err = connect(ctx, e.team.URL); err != nil {
		return err
	}
	defer e.conn.Close(context.WithoutCancel(ctx))
	err = transaction(ctx, e.conn, func(ctx context.Context, tx pgx.Tx) error {
		if _, err := roleOf(ctx, tx, e.team.Team); err != nil {
			return err
		}
		return tx.QueryRow(ctx, `SELECT session_user::text`).Scan(&e.login)
	})
	if err != nil {
		return err
	}
	var refused []string
	for range maxAttempts {
		some, err := e.pushAll(ctx)
		refused = append(refused, some...)
		if err != nil {
			return err
		}
		if err = e.pullAll(ctx); err == nil {
			break
		}
		if !errors.Is(err, store.ErrUnsent) {
			return err
		}
	}
	if len(refused) > 0 {
		return errors.New(strings.Join(refused, "; "))
	}
	return nil
}

// pullAll applies what is newer on the server. A store without learnings has nothing to forget: it pulls
// those that live.
func (e *exchange) pullAll(ctx context.Context) error {
	n, err := e.store.Count(ctx, store.Filter{Scope: store.Scope{Project: e.team.Project}, Max: 1})
	if err != nil {
		return err
	}
	for {
		changes, last, err := e.pull(ctx, e.team.Pulled, n == 0 && e.team.Pulled == 0)
		if err != nil || last == 0 {
			return err
		}
		applied, err := e.store.Apply(ctx, e.team.Project, e.team.Pulled, changes, last)
		if err != nil || !applied {
			return err
		}
		e.team.Pulled = last
	}
}

// maxChanges is the number of changes that are applied in one transaction of the store.
const maxChanges = 100

// pull reads the changes after a revision, up to the revision last; 0 if there are none.
func (e *exchange) pull(ctx context.Context, since int64, liveOnly bool) (changes []store.Change, last int64, err error) {
	err = transaction(ctx, e.conn, func(ctx context.Context, tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `SELECT id, revision, learning::text FROM whence.learnings
			WHERE team = $1 AND scope = $2 AND revision > $3 AND ($4::boolean IS FALSE OR learning IS NOT NULL)
			ORDER BY revision LIMIT $5`, e.team.Team, e.team.Scope, since, liveOnly, maxChanges)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			c, src := store.Change{}, (*string)(nil)
			if err := rows.Scan(&c.ID, &c.Revision, &src); err != nil {
				return err
			}
			last = c.Revision
			if isStorable(&c, src) {
				changes = append(changes, c)
			}
		}
		return rows.Err()
	})
	return changes, last, err
}

// isStorable completes a change, and reports whether a store can have it: a member may have written
// anything with another program.
func isStorable(c *store.Change, src *string) bool {
	if src == nil {
		return true
	}
	return json.Unmarshal([]byte(*src), &c.Learning) == nil && c.Learning != nil &&
		learning.ID(text.Clean(c.Learning.Description)) == c.ID
}

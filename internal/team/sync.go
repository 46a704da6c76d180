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
	store   *store.Store
	team    store.Team
	origin  string // of the store's edits
	conn    *pgx.Conn
	login   string
	refused []string // changes that the server will never take
}

// Sync exchanges the learnings of all repositories of a store with their teams, and records how each
// exchange went. It returns only errors of the store, not of a server or the network.
func Sync(ctx context.Context, s *store.Store, now time.Time) error {
	teams, err := s.Teams(ctx)
	if err != nil || len(teams) == 0 {
		return err
	}
	origin, err := originOf(ctx, s)
	if err != nil {
		return err
	}
	for _, t := range teams {
		e := &exchange{store: s, team: t, origin: origin}
		text := ""
		if fault := e.run(ctx); fault != nil {
			text = fault.Error()
		}
		err = errors.Join(err, s.Exchanged(ctx, t.Project, now, text))
	}
	return err
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

func (e *exchange) run(ctx context.Context) (err error) {
	if e.conn, err = connect(ctx, e.team.URL); err != nil {
		return err
	}
	defer e.conn.Close(context.WithoutCancel(ctx))
	err = transaction(ctx, e.conn, func(ctx context.Context, tx pgx.Tx) (err error) {
		_, e.login, err = membership(ctx, tx, e.team.Team)
		return err
	})
	if err != nil {
		return err
	}
	if err = e.pushAll(ctx); err == nil {
		err = e.pullAll(ctx)
	}
	if errors.Is(err, store.ErrUnsent) { // something was learned meanwhile: the next exchange pulls the rest
		err = nil
	}
	if err == nil && len(e.refused) > 0 {
		return errors.New(strings.Join(e.refused, "; "))
	}
	return err
}

// pullAll applies what is newer on the server.
func (e *exchange) pullAll(ctx context.Context) error {
	for {
		changes, last, err := e.pull(ctx, e.team.Pulled)
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

// pull reads the changes after a revision, up to the revision last; 0 if there are none.
func (e *exchange) pull(ctx context.Context, since int64) (changes []store.Change, last int64, err error) {
	err = transaction(ctx, e.conn, func(ctx context.Context, tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `SELECT id, revision, learning::text FROM whence.learnings
			WHERE team = $1 AND scope = $2 AND revision > $3
			ORDER BY revision LIMIT $4`, e.team.Team, e.team.Scope, since, maxRows)
		if err != nil {
			return err
		}
		var c store.Change
		var src *string
		_, err = pgx.ForEachRow(rows, []any{&c.ID, &c.Revision, &src}, func() error {
			last, c.Learning = c.Revision, nil
			// A member may have written anything with another program.
			if src != nil && (json.Unmarshal([]byte(*src), &c.Learning) != nil || c.Learning == nil ||
				learning.ID(text.Clean(c.Learning.Description)) != c.ID) {
				return nil
			}
			changes = append(changes, c)
			return nil
		})
		return err
	})
	return changes, last, err
}

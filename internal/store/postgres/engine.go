package postgres

import (
	"context"
	"fmt"
	"strings"

	"whence/internal/store"
)

// engine is PostgreSQL below a store.
type engine struct{}

// AnyOf compares with an array.
func (engine) AnyOf(n int) string { return fmt.Sprintf(`= ANY ($%d)`, n) }

func (engine) List(values any) any { return values }

func (engine) Values(rows, columns int) string {
	var s strings.Builder
	for i := range rows * columns {
		separator := `, `
		switch {
		case i == 0:
			separator = `(`
		case i%columns == 0:
			separator = `), (`
		}
		fmt.Fprintf(&s, "%s$%d", separator, i+1)
	}
	return s.String() + `)`
}

// OnConflict puts team and owner before the key, as in all keys that are not unique in the whole
// database.
func (engine) OnConflict(key string) string { return `ON CONFLICT (team, owner, ` + key + `)` }

// LowerName is an indexed column.
func (engine) LowerName() string { return `e.called` }

// Lock takes an advisory lock, which the end of the transaction releases.
func (engine) Lock(ctx context.Context, tx store.Conn, lock store.Lock) (err error) {
	switch lock {
	case store.LearningsLock:
		_, err = tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock(hashtextextended($1 || team(), 0))`, "whence learnings ")
	case store.TurnsLock:
		_, err = tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock(hashtextextended($1 || team() || ' ' || session_user, 0))`, "whence turns ")
	}
	return err
}

// Retryable reports a deadlock, or a conflict of serializable transactions.
func (engine) Retryable(err error) bool { return isCode(err, serialization, deadlock) }

// NextRevision rises in the order of commits, since learnings are written under a lock.
func (engine) NextRevision() string { return `nextval('revision')` }

// Identity returns the id that the store was made with.
func (engine) Identity(ctx context.Context, c store.Conn) (id store.Identity, err error) {
	err = c.QueryRowContext(ctx, `SELECT v.id::text, team(), session_user::text, CASE WHEN r.is_called THEN r.last_value ELSE 0 END FROM version v, revision r`).
		Scan(&id.Store, &id.Team, &id.Login, &id.Revision)
	return id, err
}

func (engine) Own() string { return `owner = session_user` }

// Compact only refreshes statistics that are out of date: autovacuum does the rest.
func (engine) Compact(ctx context.Context, _ *store.Store, c store.Conn, _ store.Table) error {
	return refreshStatistics(ctx, c)
}

func refreshStatistics(ctx context.Context, c store.Conn) error {
	_, err := c.ExecContext(ctx, `SELECT refresh_statistics()`)
	return err
}

func (engine) Explain(err error) error { return explain(err) }

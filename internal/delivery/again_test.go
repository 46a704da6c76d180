package delivery_test

import (
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/delivery"
	"whence/internal/learning"
	"whence/internal/store"
)

// What fails and is tried again stays in the copy meanwhile.
func TestWhatIsTriedAgainStays(t *testing.T) {
	o := newOffice(t)
	_, p := newPlace(t)
	o.look(t, func(*store.Store) {})
	db, err := sql.Open("sqlite", filepath.Join(o.dir, "memory.db"))
	require.NoError(t, err)
	defer db.Close()
	_, err = db.Exec(`CREATE TRIGGER poison BEFORE INSERT ON entries BEGIN SELECT RAISE(ABORT, 'poisoned'); END`)
	require.NoError(t, err)
	write(t, p, nil, putting(lesson(1)))
	_, err = delivery.Deliver(t.Context(), p, o.server(t))
	require.ErrorContains(t, err, "poisoned")
	requireWaiting(t, p, 1)
	require.Contains(t, all(t, p.Dir()), learning.ID(lesson(1).Description))
}

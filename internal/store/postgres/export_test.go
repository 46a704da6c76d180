package postgres

import (
	"database/sql"

	"whence/internal/store"
)

// Vector exports vector.
func Vector(table store.Table, row store.Text) (text string, words int32) { return vector(table, row) }

// Explain exports explain.
func Explain(err error) error { return explain(err) }

// Connect exports connect.
func Connect(address string) (*sql.DB, error) { return connect(address) }

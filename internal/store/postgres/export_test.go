package postgres

import "whence/internal/store"

// Vector exports vector.
func Vector(table store.Table, row store.Text) (text string, words int32) { return vector(table, row) }

// Explain exports explain.
func Explain(err error) error { return explain(err) }

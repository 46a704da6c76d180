package postgres

import "whence/internal/store"

// Vector is the tsvector of a row, as text, and how many words it has.
func Vector(table store.Table, row store.Text) (text string, words int32) { return vector(table, row) }

// Explain is what becomes of an error of the server.
func Explain(err error) error { return explain(err) }

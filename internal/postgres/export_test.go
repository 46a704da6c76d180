package postgres

import "whence/internal/store"

// Vector is the tsvector of a row, as text, and how many words it has.
func Vector(table store.Table, row store.Text) (text string, words int32) { return vector(table, row) }

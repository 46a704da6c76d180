//go:build !unix

package store

import "context"

// enqueue does nothing: SQLite's lock alone decides who writes.
func enqueue(context.Context, string) (leave func()) { return func() {} }

package store

import "context"

// Servers holds the operations on stores on servers. Only programs that need them link the
// code, and their mains hand it down: hooks must start fast. A nil one is unavailable.
type Servers struct {
	// Open opens a store by its URL. A server that is down, slow or cut off is an
	// [ErrUnusable].
	Open Dial
	// Init makes schema and roles, and tells what it did, a line each; none is that all
	// was there.
	Init func(ctx context.Context, url string) (done []string, err error)
	// Admit gives a login a role in a team: member, reader or admin. A login that there was
	// not is made, and cannot be used before it has a password.
	Admit func(ctx context.Context, url, team, login, role string) (made bool, err error)
	// Dismiss takes a login out of a team. What it has stored stays.
	Dismiss func(ctx context.Context, url, team, login string) error
}

package store

import "context"

// Dial opens the store on a server of a team, by its URL. An error that every request would meet,
// such as a server that is down or slow, is an [ErrUnusable].
type Dial func(ctx context.Context, url string) (*Store, error)

// Servers holds the operations on stores on servers. Only programs that need them link the code, and
// their mains pass it down: hooks must start fast. A nil operation is unavailable.
type Servers struct {
	Open Dial
	// Init makes schema and roles, and returns what it did, a line each: none if they existed.
	Init func(ctx context.Context, url string) (done []string, err error)
	// Admit gives a login a role in a team: member, reader or admin. A missing login is created
	// without a password, so that it cannot be used yet; made reports that.
	Admit func(ctx context.Context, url, team, login, role string) (made bool, err error)
	// Dismiss removes a login from a team. What it has stored stays.
	Dismiss func(ctx context.Context, url, team, login string) error
}

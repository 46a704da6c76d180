package store

import "context"

// Dial opens the store on a server of a team, by its URL. An error that every
// request would meet, such as a server that is down or slow, is an [ErrUnusable].
type Dial func(ctx context.Context, url string) (*Store, error)

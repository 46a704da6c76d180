package store

import "context"

// AddCapturedWithin is AddCaptured with another number of turns that a session may have.
func (s *Store) AddCapturedWithin(ctx context.Context, c Captured, most int) (added int, err error) {
	return s.addCaptured(ctx, c, most)
}

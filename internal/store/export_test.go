package store

import "context"

// AddCapturedWithin is AddCaptured with another maximum of turns of a session.
func (s *Store) AddCapturedWithin(ctx context.Context, c Captured, maxTurns int) (added int, err error) {
	return s.addCaptured(ctx, c, maxTurns)
}

package remember

import (
	"context"

	"whence/internal/learning"
	"whence/internal/store"
)

// Inject is inject from the store of a service, if there is one.
func (svc *Service) Inject(ctx context.Context, topic func() string, budget learning.Budget) (text string, ids []string, err error) {
	err = svc.readIfAny(ctx, func(s *store.Store) (err error) {
		text, ids, err = svc.inject(ctx, s, topic(), budget)
		return err
	})
	return text, ids, err
}

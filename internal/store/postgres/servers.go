package postgres

import (
	"context"
	"fmt"

	"whence/internal/store"
)

// Servers returns the operations of this package.
func Servers() store.Servers {
	return store.Servers{Open: Open, Init: initDone, Admit: Admit, Dismiss: Dismiss}
}

// initDone runs Init, and describes what it did.
func initDone(ctx context.Context, address string) (done []string, err error) {
	made, err := Init(ctx, address)
	if err != nil {
		return nil, err
	}
	if made.New {
		done = append(done, "made the schema whence and the roles whence and whence_member")
	}
	if made.NoVector != "" {
		done = append(done, fmt.Sprintf("without pgvector, so that embeddings are compared one by one (%s)", made.NoVector))
	}
	return done, nil
}

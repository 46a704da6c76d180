package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"whence/internal/store"
)

// AddTurns stores turns as the next part of a transcript, which the user consents to, and returns how many were new.
func AddTurns(ctx context.Context, s *store.Store, of store.Transcript, turns ...store.Turn) (added int, err error) {
	err = errors.Join(s.GiveConsent(ctx, store.Consent{Agent: of.Agent}), s.Register(ctx, of, bytes.Clone))
	if err != nil {
		return 0, err
	}
	now, _, err := s.Transcript(ctx, of.Path)
	if err != nil {
		return 0, err
	}
	return s.AddReadings(ctx, []store.Reading{{Of: now, After: fmt.Append(now.State, "+"), Turns: turns}})
}

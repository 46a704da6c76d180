package store_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/store"
)

// An unusable store is reported once in an error, whichever request meets it.
func TestAStoreThatCannotBeUsedIsSaidOnce(t *testing.T) {
	ctx := store.WithMaxWait(context.Background(), time.Millisecond)
	requests := map[string]func(*store.Store) error{
		"put": func(s *store.Store) error {
			_, err := s.Put(ctx, learned("the heron waits in the reeds all morning"), store.Observation{})
			return err
		},
		"capture": func(s *store.Store) error {
			_, _, err := s.Capture(ctx, learned("the heron waits in the reeds all morning"), store.Observation{}, store.Policy{}, store.Approved)
			return err
		},
		"import": func(s *store.Store) error {
			_, err := s.Import(ctx, []learning.Learning{learned("the heron waits in the reeds all morning")}, noon)
			return err
		},
		"edit": func(s *store.Store) error {
			_, err := s.Edit(ctx, all, "kept", noon, func(l *learning.Learning) error { l.Reasoning = "so it was"; return nil })
			return err
		},
		"forget": func(s *store.Store) error {
			_, err := s.Forget(ctx, all, "kept")
			return err
		},
		"found":   func(s *store.Store) error { return s.Found(ctx, all, nil, noon) },
		"note":    func(s *store.Store) error { return s.Note(ctx, "key", 1) },
		"consent": func(s *store.Store) error { return s.GiveConsent(ctx, store.Consent{Agent: "a"}) },
		"register": func(s *store.Store) error {
			return s.Register(ctx, store.Transcript{}, func(b []byte) []byte { return b })
		},
	}
	dir := t.TempDir()
	kept := learned("the one that is held is about quoting variables")
	kept.Name = "kept"
	_, err := open(t, dir).Put(ctx, kept, store.Observation{})
	require.NoError(t, err)
	busy, err := store.Open(ctx, dir)
	require.NoError(t, err)
	defer busy.Close()
	readOnly, err := store.OpenReadOnly(ctx, dir)
	require.NoError(t, err)
	defer readOnly.Close()
	for name, request := range requests {
		require.Equal(t, 1, strings.Count(messageOf(t, request(readOnly)), "cannot be used"), "%s, read-only", name)
	}
	background(t, "hold", dir)
	for name, request := range requests {
		require.Equal(t, 1, strings.Count(messageOf(t, request(busy)), "cannot be used"), "%s, busy", name)
	}
}

func messageOf(t *testing.T, err error) string {
	t.Helper()
	require.Error(t, err)
	return err.Error()
}

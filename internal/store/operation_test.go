package store_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/store"
)

// Later versions of the program read these texts from an outbox.
func TestOperationsInJSON(t *testing.T) {
	l := learning.Learning{
		Name: "lesson 1", Description: "sockets are closed by the daemon", Reasoning: "it was so", Category: learning.Patterns, Confidence: learning.Low,
		Source: learning.SessionCapture, Project: "github.com/acme/app",
	}
	at := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]store.Operation{
		`{"kind":"put","key":"k","at":"2026-05-04T12:00:00Z","session":"s","id":"i","learning":{"Name":"lesson 1","Description":"sockets are closed by the daemon","Reasoning":"it was so","Category":"patterns","Confidence":"low","Source":"session-capture","Project":"github.com/acme/app"},"revive":true}`: {Kind: store.OpPut, Key: "k", At: at, Session: "s", ID: "i", Learning: &l, Revive: true},
		`{"kind":"counts","key":"k","at":"2026-05-04T12:00:00Z","recalled":["a"],"found":["b"]}`:                                                                      {Kind: store.OpCounts, Key: "k", At: at, Recalled: []string{"a"}, Found: []string{"b"}},
		`{"kind":"prune","key":"k","at":"2026-05-04T12:00:00Z","prune":{"before":"2026-05-04T12:00:00Z","session":"s","project":"p","alone":true,"everywhere":true}}`: {Kind: store.OpPrune, Key: "k", At: at, Prune: &store.PruneOptions{Before: at, Session: "s", Project: "p", Alone: true, Everywhere: true}},
	} {
		var got store.Operation
		require.NoError(t, json.Unmarshal([]byte(text), &got))
		require.Equal(t, want, got)
	}
}

// JSON keeps an edit as it is, an emptied list included.
func TestEditOf(t *testing.T) {
	before := learned("sockets are closed by the daemon")
	before.Keywords, before.References = []string{"a", "b"}, []string{"r"}
	after := before
	after.Name, after.Keywords, after.Confidence = "another", nil, learning.High
	src, err := json.Marshal(store.EditOf(before, after))
	require.NoError(t, err)
	require.JSONEq(t, `{"name":"another","confidence":"high","keywords":[]}`, string(src))
	src, err = json.Marshal(store.EditOf(before, before))
	require.NoError(t, err)
	require.JSONEq(t, `{}`, string(src))
}

// An operation may come from a file that somebody else wrote.
func TestIncompleteOperations(t *testing.T) {
	s := open(t, t.TempDir())
	for _, kind := range []store.OperationKind{store.OpPut, store.OpCapture, store.OpEdit, store.OpForget, store.OpTurns, store.OpPrune, "", "other"} {
		_, err := s.Apply(t.Context(), store.Operation{Kind: kind})
		require.ErrorContains(t, err, "fields are missing", kind)
	}
}

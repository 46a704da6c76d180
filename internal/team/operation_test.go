package team_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/store"
)

// An outbox outlives the program that has filled it: these texts are read for good.
func TestTheFormOfOperations(t *testing.T) {
	l := lesson(1)
	l.Description, l.Keywords = "sockets are closed by the daemon", nil
	for text, want := range map[string]store.Operation{
		`{"kind":"put","key":"k","at":"2026-05-04T12:00:00Z","session":"s","id":"i","learning":{"Name":"lesson 1","Description":"sockets are closed by the daemon","Reasoning":"it was so","Category":"patterns","Confidence":"low","Source":"session-capture","Project":"github.com/acme/app"},"revive":true}`: {Kind: store.OpPut, Key: "k", At: noon, Session: "s", ID: "i", Learning: &l, Revive: true},
		`{"kind":"feedback","key":"k","at":"2026-05-04T12:00:00Z","id":"i","feedback":{"Verdict":"wrong","Reason":"no","Session":"s","At":"2026-05-04T12:00:00Z"}}`:                                                                                                                                             {Kind: store.OpFeedback, Key: "k", At: noon, ID: "i", Feedback: &store.Feedback{Verdict: store.Wrong, Reason: "no", Session: "s", At: noon}},
		`{"kind":"counts","key":"k","at":"2026-05-04T12:00:00Z","recalled":["a"],"found":["b"]}`:                                                                                                                                                                                                                {Kind: store.OpCounts, Key: "k", At: noon, Recalled: []string{"a"}, Found: []string{"b"}},
		`{"kind":"prune","key":"k","at":"2026-05-04T12:00:00Z","prune":{"before":"2026-05-04T12:00:00Z","session":"s","project":"p","alone":true,"everywhere":true}}`:                                                                                                                                           {Kind: store.OpPrune, Key: "k", At: noon, Prune: &store.PruneOptions{Before: noon, Session: "s", Project: "p", Alone: true, Everywhere: true}},
	} {
		var got store.Operation
		require.NoError(t, json.Unmarshal([]byte(text), &got))
		require.Equal(t, want, got)
	}
}

// What an edit says comes through JSON as it was, that a list became empty too.
func TestEditOf(t *testing.T) {
	before := lesson(1)
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

// An operation without what it needs, which another hand may have written, is an error.
func TestOperationsThatSayNothing(t *testing.T) {
	_, p := newPlace(t)
	look(t, p.Dir(), func(s *store.Store) {
		for _, kind := range []store.OperationKind{store.OpPut, store.OpCapture, store.OpEdit, store.OpForget, store.OpFeedback, store.OpTurns, store.OpPrune, "", "other"} {
			_, err := store.Apply(t.Context(), s, store.Operation{Kind: kind})
			require.ErrorContains(t, err, "it says nothing", kind)
		}
	})
}

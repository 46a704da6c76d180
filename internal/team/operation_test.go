package team_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/store"
	"whence/internal/team"
)

// An outbox outlives the program that has filled it: these texts are read for good.
func TestTheFormOfOperations(t *testing.T) {
	l := lesson(1)
	l.Description, l.Keywords = "sockets are closed by the daemon", nil
	for text, want := range map[string]team.Operation{
		`{"kind":"put","key":"k","at":"2026-05-04T12:00:00Z","session":"s","id":"i","learning":{"Name":"lesson 1","Description":"sockets are closed by the daemon","Reasoning":"it was so","Category":"patterns","Confidence":"low","Source":"session-capture","Project":"github.com/acme/app"},"revive":true}`: {Kind: team.Put, Key: "k", At: noon, Session: "s", ID: "i", Learning: &l, Revive: true},
		`{"kind":"feedback","key":"k","at":"2026-05-04T12:00:00Z","id":"i","feedback":{"Verdict":"wrong","Reason":"no","Session":"s","At":"2026-05-04T12:00:00Z"}}`:                                                                                                                                             {Kind: team.Feedback, Key: "k", At: noon, ID: "i", Feedback: &store.Feedback{Verdict: store.Wrong, Reason: "no", Session: "s", At: noon}},
		`{"kind":"counts","key":"k","at":"2026-05-04T12:00:00Z","recalled":["a"],"found":["b"]}`:                                                                                                                                                                                                                {Kind: team.Counts, Key: "k", At: noon, Recalled: []string{"a"}, Found: []string{"b"}},
		`{"kind":"prune","key":"k","at":"2026-05-04T12:00:00Z","prune":{"before":"2026-05-04T12:00:00Z","session":"s","project":"p","alone":true,"everywhere":true}}`:                                                                                                                                           {Kind: team.Prune, Key: "k", At: noon, Prune: &store.PruneOptions{Before: noon, Session: "s", Project: "p", Alone: true, Everywhere: true}},
	} {
		var got team.Operation
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
	src, err := json.Marshal(team.EditOf(before, after))
	require.NoError(t, err)
	require.JSONEq(t, `{"name":"another","confidence":"high","keywords":[]}`, string(src))
	src, err = json.Marshal(team.EditOf(before, before))
	require.NoError(t, err)
	require.JSONEq(t, `{}`, string(src))
}

// An operation without what it needs, which another hand may have written, is an error.
func TestOperationsThatSayNothing(t *testing.T) {
	_, p := newPlace(t)
	look(t, p.Dir(), func(s *store.Store) {
		for _, kind := range []team.OperationKind{team.Put, team.Capture, team.Change, team.Forget, team.Feedback, team.Turns, team.Prune, "", "other"} {
			_, err := team.Apply(t.Context(), s, team.Operation{Kind: kind})
			require.ErrorContains(t, err, "it says nothing", kind)
		}
	})
}

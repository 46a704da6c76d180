package team

import (
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/store"
)

func TestLearningsReachColleagues(t *testing.T) {
	o := newOffice(t)
	ann, bea := o.member(t, o.Address()), o.member(t, o.Address())
	l := ann.add("The booking table is locked while the harbour imports tides")
	require.Empty(t, ann.sync())
	require.Empty(t, bea.sync())
	require.Equal(t, ann.learnings(), bea.learnings())
	require.Len(t, bea.learnings(), 1)

	bea.add(l.Description) // reinforces
	require.Empty(t, bea.sync())
	bea.edit(l.ID, func(l *learning.Learning) { l.Reasoning = "Tides take a lock on all rows." })
	require.Empty(t, bea.sync())
	require.Empty(t, ann.sync())
	require.Equal(t, ann.learnings(), bea.learnings())
	require.Contains(t, ann.learnings()[0], " 2 The booking table")
	require.Contains(t, ann.learnings()[0], "Tides take a lock")
}

// What one process has read of the server does not replace what another has applied meanwhile.
func TestOlderChangesAreNotApplied(t *testing.T) {
	o := newOffice(t)
	ann, bea := o.member(t, o.Address()), o.member(t, o.Address())
	l := ann.add("The booking table is locked while the harbour imports tides")
	require.Empty(t, ann.sync())
	conn, err := connect(t.Context(), bea.team.URL)
	require.NoError(t, err)
	defer conn.Close(t.Context())
	slow := &exchange{store: bea.Store, team: bea.team, conn: conn}
	changes, last, err := slow.pull(t.Context(), 0)
	require.NoError(t, err)
	require.Len(t, changes, 1)
	_, err = ann.Forget(t.Context(), everything, l.ID)
	require.NoError(t, err)
	ann.add("The harbour closes its gates when the storm warning is red")
	require.Empty(t, ann.sync())
	require.Empty(t, bea.sync())
	applied, err := bea.Apply(t.Context(), project, 0, changes, last)
	require.NoError(t, err)
	require.False(t, applied)
	require.Equal(t, ann.learnings(), bea.learnings())
}

// What was learned between push and pull is pushed first.
func TestUnsentChangesComeFirst(t *testing.T) {
	o := newOffice(t)
	ann, bea := o.member(t, o.Address()), o.member(t, o.Address())
	ann.add("The booking table is locked while the harbour imports tides")
	require.Empty(t, ann.sync())
	bea.add("The harbour closes its gates when the storm warning is red")
	_, err := bea.Apply(t.Context(), project, 0, nil, 1)
	require.ErrorIs(t, err, store.ErrUnsent)
	require.Empty(t, bea.sync())
	require.Len(t, bea.learnings(), 2)
}

// A repository that leaves keeps all, and counts nothing twice when it joins again.
func TestJoiningAgain(t *testing.T) {
	o := newOffice(t)
	ann, bea := o.member(t, o.Address()), o.member(t, o.Address())
	l := ann.add("The booking table is locked while the harbour imports tides")
	require.Empty(t, ann.sync())
	require.Empty(t, bea.sync())
	bea.add(l.Description)
	require.Empty(t, bea.sync())
	require.NoError(t, bea.Leave(t.Context(), project))
	require.Len(t, bea.learnings(), 1)
	require.NoError(t, bea.Join(t.Context(), bea.team))
	require.Empty(t, bea.sync())
	require.Empty(t, ann.sync())
	require.Equal(t, ann.learnings(), bea.learnings())
	require.Contains(t, ann.learnings()[0], " 2 The booking table")
}

package team

import (
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
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

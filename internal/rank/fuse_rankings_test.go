package rank_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/rank"
)

func TestFuse(t *testing.T) {
	require.Equal(t, []string{"b", "a", "c", "d"}, rank.Fuse([]string{"a", "b"}, []string{"b", "c", "d"}))
	require.Equal(t, []string{"a", "x", "b", "y"}, rank.Fuse([]string{"a", "b"}, []string{"x", "y"}))
	require.Empty(t, rank.Fuse())
	require.Empty(t, rank.Fuse(nil, nil))
}

package embed_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/embed"
)

func TestEncode(t *testing.T) {
	vector := []float32{0, 1, -0.5, math.MaxFloat32}
	blob := embed.Encode(vector)
	require.Equal(t, []byte{0, 0, 0, 0, 0, 0, 0x80, 0x3f}, blob[:8])
	again, err := embed.Decode(blob)
	require.NoError(t, err)
	require.Equal(t, vector, again)
	_, err = embed.Decode(blob[:7])
	require.ErrorContains(t, err, "7 bytes")
	none, err := embed.Decode(nil)
	require.NoError(t, err)
	require.Empty(t, none)
}

func TestCosine(t *testing.T) {
	require.InDelta(t, 1, embed.Cosine([]float32{3, 4}, []float32{6, 8}), 1e-9)
	require.InDelta(t, -1, embed.Cosine([]float32{1, 0}, []float32{-2, 0}), 1e-9)
	require.InDelta(t, 0, embed.Cosine([]float32{1, 0}, []float32{0, 1}), 1e-9)
	require.Zero(t, embed.Cosine([]float32{1}, []float32{1, 1}))
	require.Zero(t, embed.Cosine([]float32{0}, []float32{1}))
	require.Zero(t, embed.Cosine(nil, nil))
}

func TestFuse(t *testing.T) {
	require.Equal(t, []string{"b", "a", "c", "d"}, embed.Fuse([]string{"a", "b"}, []string{"b", "c", "d"}))
	require.Equal(t, []string{"a", "b"}, embed.Fuse([]string{"a", "b", "b", "b"}))
	require.Equal(t, []string{"a", "x", "b", "y"}, embed.Fuse([]string{"a", "b"}, []string{"x", "y"}))
	require.Empty(t, embed.Fuse())
	require.Empty(t, embed.Fuse(nil, nil))
}

package rank_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/rank"
)

func TestStem(t *testing.T) {
	for _, same := range [][]string{
		{"write", "writes", "writing"}, {"test", "tests", "testing", "tested"}, {"add", "adding", "adds"},
		{"split", "splitting", "splits"}, {"configure", "configuring"}, {"retry", "retries", "retrying"},
	} {
		for _, word := range same {
			require.Equal(t, rank.Stem(same[0]), rank.Stem(word))
		}
	}
	require.NotEqual(t, rank.Stem("see"), rank.Stem("set"))
	require.NotEqual(t, rank.Stem("tool"), rank.Stem("to"))
}

func TestOneTypo(t *testing.T) {
	for _, pair := range [][2]string{
		{"mock", "mokc"}, {"mock", "moc"}, {"mock", "mocks"}, {"mock", "mick"}, {"über", "uber"}, {"tests", "tsets"}, {"abc", "abcd"},
	} {
		require.True(t, rank.OneTypo(pair[0], pair[1]), pair)
		require.True(t, rank.OneTypo(pair[1], pair[0]), pair)
	}
	for _, pair := range [][2]string{
		{"mock", "mock"}, {"mock", "mcko"}, {"mock", "moosk"}, {"is", "it"}, {"mock", ""}, {"test", "rest of"}, {"abcd", "badc"},
	} {
		require.False(t, rank.OneTypo(pair[0], pair[1]), pair)
		require.False(t, rank.OneTypo(pair[1], pair[0]), pair)
	}
}

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
		{"mock", "mokc"}, {"mock", "moc"}, {"mock", "mocks"}, {"mock", "mick"}, {"über", "uber"}, {"tests", "tsets"}, {"abc", "abcd"}, {"for", "fr"},
	} {
		require.True(t, rank.OneTypo(pair[0], pair[1]), pair)
		require.True(t, rank.OneTypo(pair[1], pair[0]), pair)
	}
	for _, pair := range [][2]string{
		{"mock", "mock"}, {"mock", "mcko"}, {"mock", "moosk"}, {"is", "it"}, {"a", "an"}, {"ab", "ba"}, {"mock", ""}, {"test", "rest of"}, {"abcd", "badc"},
	} {
		require.False(t, rank.OneTypo(pair[0], pair[1]), pair)
		require.False(t, rank.OneTypo(pair[1], pair[0]), pair)
	}
}

// Any word can be looked for, and finds the document that holds it beside another word
// of the text.
func FuzzWord(f *testing.F) {
	suffixes := []string{"", "s", "ed", "ing", "ies", "ly", "y", "ying", "ational", "'s"}
	for i, word := range []string{"a", "o", "e", "d", "s", "y", "retr", "über", "日本", "x1", "_a_"} {
		f.Add(word, uint(i))
	}
	f.Fuzz(func(t *testing.T, word string, suffix uint) {
		word += suffixes[suffix%uint(len(suffixes))]
		documents := []rank.Document{{Trigger: "quorum " + word, Title: word, Situations: []string{word}, Body: word}, {Title: "votes"}}
		if len(word) < 1000 && len(recall(t, word+" quorum", documents, 2)) != 1 {
			t.Fatalf("%q is not found", word)
		}
	})
}

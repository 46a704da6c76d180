package words_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/words"
)

func TestStem(t *testing.T) {
	for _, same := range [][]string{
		{"write", "writes", "writing"}, {"test", "tests", "testing", "tested"}, {"add", "adding", "adds"},
		{"split", "splitting", "splits"}, {"configure", "configuring"}, {"retry", "retries", "retrying"},
	} {
		for _, word := range same {
			require.Equal(t, words.Stem(same[0]), words.Stem(word))
		}
	}
	require.NotEqual(t, words.Stem("see"), words.Stem("set"))
	require.NotEqual(t, words.Stem("tool"), words.Stem("to"))
}

func TestOneTypo(t *testing.T) {
	for _, pair := range [][2]string{
		{"mock", "mokc"}, {"mock", "moc"}, {"mock", "mocks"}, {"mock", "mick"}, {"über", "uber"}, {"tests", "tsets"}, {"abc", "abcd"}, {"for", "fr"},
	} {
		require.True(t, words.OneTypo(pair[0], pair[1]), pair)
		require.True(t, words.OneTypo(pair[1], pair[0]), pair)
	}
	for _, pair := range [][2]string{
		{"mock", "mock"}, {"mock", "mcko"}, {"mock", "moosk"}, {"is", "it"}, {"a", "an"}, {"ab", "ba"}, {"mock", ""}, {"test", "rest of"}, {"abcd", "badc"},
	} {
		require.False(t, words.OneTypo(pair[0], pair[1]), pair)
		require.False(t, words.OneTypo(pair[1], pair[0]), pair)
	}
}

func TestStemmer(t *testing.T) {
	s := words.Stemmer{}
	require.Equal(t, []string{"the", "naiv", "schedul", "skip", "retrycount", "of", "x1", "http"}, s.Stems("The naïve schedulers skip retryCount of x1; HTTPS"))
	require.Equal(t, []string{"retri", "count"}, s.Parts("retryCount of max_retries, max retries"))
	for word, other := range map[string]string{"größen": "großen", "éclairs": "eclair", "ςοφος": "σοφοσ", "e\u0301te": "ete"} {
		require.Equal(t, s.Stem(other), s.Stem(word))
	}
}

// Recall relies on it: a word begins with its stem, except for the last two letters of the stem.
func FuzzStemKeepsTheBeginning(f *testing.F) {
	for _, seed := range []string{"dying ties of the ugly skies' y's", "YIELDS éclairs, e\u0301te ''tis x1 https _ing", "aing retryCount's", "probability, relational activities of using agencies"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		stemmer := words.Stemmer{}
		for _, word := range words.Terms(s) {
			stem := stemmer.Stem(word)
			for i := range max(1, len(stem)-2) {
				if word[i] < 'a' || word[i] > 'z' {
					break
				}
				require.Equal(t, string(word[i]), stem[i:i+1], word)
			}
		}
	})
}

package rank

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEachWord(t *testing.T) {
	for text, want := range map[string][]string{
		"Retry the CALL":      {"retry", "the", "call"},
		"retryCount":          {"retrycount", "retry", "count"},
		"HTTPServer":          {"httpserver", "http", "server"},
		"parseHTTPBody":       {"parsehttpbody", "parse", "http", "body"},
		"max_retries":         {"max_retries", "max", "retries"},
		"__init__.py":         {"init", "py"},
		"PLR0915":             {"plr0915", "plr", "0915"},
		"E501 C901":           {"e501", "501", "c901", "901"},
		"src/api/cursor.go":   {"src", "api", "cursor", "go"},
		"JSON APIs":           {"json", "apis", "api"},
		"don't":               {"don"},
		"a b c":               nil,
		"größe Straße":        {"größe", "straße"},
		"naïve_code":          {"naïve_code"},
		"日本 語":                {"日本", "語"},
		"x_1":                 {"x_1"},
		"\xff\xfe ab \xff":    {"ab"},
		"e-mail":              {"mail"},
		"2024-11-21":          {"2024", "11", "21"},
		"don\u2019t🙂stop":     {"don", "stop"},
		"_private":            {"private"},
		"snake_caseAndCamel9": {"snake_caseandcamel9", "snake", "case", "and", "camel"},
	} {
		t.Run(text, func(t *testing.T) {
			var got []string
			eachWord(text, func(word []byte) { got = append(got, string(word)) })
			require.Equal(t, want, got)
		})
	}
}

func TestEachGram(t *testing.T) {
	var got []string
	eachGram([]byte("call"), func(gram uint32) { got = append(got, string([]byte{byte(gram >> 16), byte(gram >> 8), byte(gram)})) })
	require.Equal(t, []string{" ca", "cal", "all", "ll "}, got)
}

// Words of one stem find each other, whichever of them stands in the text.
func TestFormsFindEachOther(t *testing.T) {
	forms := [][]string{
		{"use", "using", "uses", "used"}, {"die", "dying", "dies"}, {"try", "tries", "trying", "tried"}, {"tie", "tying", "ties"},
		{"retry", "retries"}, {"commit", "committing", "commits"}, {"age", "aging"}, {"owe", "owing"}, {"ice", "icing"}, {"id", "id"},
		{"index", "indexing"}, {"run", "running", "runs"}, {"go", "go"}, {"cache", "caching"}, {"einf\u00fcgen", "einf\u00fcgen"},
	}
	for _, group := range forms {
		for _, a := range group {
			for _, b := range group {
				if stemOf(a) != stemOf(b) {
					continue
				}
				docs := []Document{{Trigger: "quorum of votes"}, {Trigger: b + " databases"}}
				matches, err := NewIndex(docs).Recall(a+" sqlite", 1)
				require.NoError(t, err)
				require.Len(t, matches, 1, "%s does not find %s", a, b)
				require.Equal(t, 1, matches[0].Document)
			}
		}
	}
}

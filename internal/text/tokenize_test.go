package text_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/text"
)

func TestEachWord(t *testing.T) {
	for in, want := range map[string][]string{
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
		t.Run(in, func(t *testing.T) {
			var got []string
			text.EachWord(in, func(word []byte) { got = append(got, string(word)) })
			require.Equal(t, want, got)
		})
	}
}

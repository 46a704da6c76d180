package remember_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/inert"
	"whence/remember"
)

// decoded has a field of each kind that DecodeObject reads.
type decoded struct {
	Name     string    `json:"name"`
	Count    int       `json:"count"`
	Brief    bool      `json:"brief"`
	Approved *bool     `json:"approved"`
	List     []string  `json:"list"`
	At       time.Time `json:"at"`
}

func TestDecodeTakesWhatMeansTheSame(t *testing.T) {
	yes, no := true, false
	at := time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
	for source, want := range map[string]decoded{
		" \n{\"name\": \"a\"}\r\n ": {Name: "a"},
		`{}`:                        {},
		`{"name": null, "count": null, "list": null, "approved": null, "at": null}`: {},
		`{"name": 5.0}`:                         {Name: "5.0"},
		`{"name": true}`:                        {Name: "true"},
		`{"name": "\ud83d\ude00 \\ud800"}`:      {Name: `😀 \ud800`},
		`{"count": "5"}`:                        {Count: 5},
		`{"count": 5.0}`:                        {Count: 5},
		`{"count": " 5.0 "}`:                    {Count: 5},
		`{"count": -2e1}`:                       {Count: -20},
		`{"brief": "True", "approved": "true"}`: {Brief: true, Approved: &yes},
		`{"approved": false}`:                   {Approved: &no},
		`{"list": ["a", 2, true]}`:              {List: []string{"a", "2", "true"}},
		`{"list": "[\"a\", 2]"}`:                {List: []string{"a", "2"}},
		`{"list": "[a-z] is a class"}`:          {List: []string{"[a-z] is a class"}},
		`{"list": "a.go"}`:                      {List: []string{"a.go"}},
		`{"list": " "}`:                         {},
		`{"at": "2026-01-31T12:00:00Z"}`:        {At: at},
	} {
		t.Run(source, func(t *testing.T) {
			var got decoded
			unknown, err := remember.DecodeObject([]byte(source), &got)
			require.NoError(t, err)
			require.Empty(t, unknown)
			require.Equal(t, want, got)
		})
	}
	var got decoded
	unknown, err := remember.DecodeObject([]byte(`{"name": "a", "mane": {"b": 1}, "cuont": 2}`), &got)
	require.NoError(t, err)
	require.Equal(t, []string{"cuont", "mane"}, unknown)
	require.Equal(t, decoded{Name: "a"}, got)
}

func TestDecodeRefuses(t *testing.T) {
	const notText = " is not UTF-8 text, or has a NUL: convert it to UTF-8 first"
	for source, wrong := range map[string]string{ // wrong is part of the error
		`{"name": "a"} {}`:         "more than one JSON object",
		`{"name": "a"} null`:       "more than one JSON object",
		`{"name": "a"}{"name`:      "more than one JSON object",
		`{"name": "a"}}`:           "behind the JSON object: invalid character '}'",
		`{"name": "a"} x`:          "behind the JSON object: invalid character 'x'",
		`["name"]`:                 "a JSON array, not an object",
		`{"name": "a"`:             "unexpected EOF",
		``:                         "EOF",
		`{"name": ["a"]}`:          "name must be a string",
		`{"name": {}}`:             "name must be a string",
		`{"count": "five"}`:        "count must be a whole number",
		`{"count": 5.5}`:           "count must be a whole number",
		`{"count": 1e99}`:          "count must be a whole number",
		`{"count": "NaN"}`:         "count must be a whole number",
		`{"brief": "yes"}`:         "brief must be true or false",
		`{"approved": 1}`:          "approved must be true or false",
		`{"list": ["a", null]}`:    "list must be a list of strings",
		`{"list": {"a": 1}}`:       "list must be a list of strings",
		`{"at": "yesterday"}`:      "at must be a time",
		"{\"name\": \"a\xe9\"}":    "the JSON" + notText,
		"{\"other\": \"a\xe9\"}":   "the JSON" + notText,
		`{"name": "a\u0000"}`:      "name" + notText,
		`{"name": "\ud800"}`:       "name" + notText,
		`{"name": "\ud800\u0041"}`: "name" + notText,
		`{"name": "\udc00\ud800"}`: "name" + notText,
		`{"list": ["a\ud83d"]}`:    "list" + notText,
	} {
		t.Run(source, func(t *testing.T) {
			var got decoded
			_, err := remember.DecodeObject([]byte(source), &got)
			require.ErrorContains(t, err, wrong)
		})
	}
}

func TestWrite(t *testing.T) {
	var out strings.Builder
	require.NoError(t, inert.WriteJSON(&out, map[string]any{"text": "a < b && <c>", "list": []int{1}}))
	require.Equal(t, "{\n  \"list\": [\n    1\n  ],\n  \"text\": \"a < b && <c>\"\n}\n", out.String())
}

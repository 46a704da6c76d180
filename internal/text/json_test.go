package text_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/text"
)

func TestDecodeTakesOneValueAlone(t *testing.T) {
	for source, wrong := range map[string]string{ // wrong is part of the error, or ""
		`{"name": "a"}`:             "",
		" \n{\"name\": \"a\"}\r\n ": "",
		`{"name": "a"} {}`:          "more than one JSON value",
		`{"name": "a"} null`:        "more than one JSON value",
		`{"name": "a"}{"name`:       "more than one JSON value",
		`{"name": "a"}}`:            "behind the JSON value: invalid character '}'",
		`{"name": "a"} ]`:           "behind the JSON value: invalid character ']'",
		`{"name": "a"},`:            "behind the JSON value: invalid character ','",
		`{"name": "a"} x`:           "behind the JSON value: invalid character 'x'",
		`{"name": "a", "mane": 1}`:  `unknown field "mane"`,
		`{"name": 1}`:               "cannot unmarshal number",
		`{"name": "a"`:              "unexpected EOF",
		``:                          "EOF",
	} {
		t.Run(source, func(t *testing.T) {
			var got struct{ Name string }
			err := text.DecodeJSON([]byte(source), &got)
			if wrong == "" {
				require.NoError(t, err)
				require.Equal(t, "a", got.Name)
				return
			}
			require.ErrorContains(t, err, wrong)
		})
	}
}

// The errors of encoding/json come through as they are: callers name the field by them.
func TestDecodeKeepsTheErrorOfAField(t *testing.T) {
	var got struct{ Name string }
	var wrong *json.UnmarshalTypeError
	require.ErrorAs(t, text.DecodeJSON([]byte(`{"name": []}`), &got), &wrong)
	require.Equal(t, "Name", wrong.Field)
	require.ErrorIs(t, text.DecodeJSON([]byte(`{} {}`), &got), text.ErrMoreJSON)
}

func TestWrite(t *testing.T) {
	var out strings.Builder
	require.NoError(t, text.WriteJSON(&out, map[string]any{"text": "a < b && <c>", "list": []int{1}}))
	require.Equal(t, "{\n  \"list\": [\n    1\n  ],\n  \"text\": \"a < b && <c>\"\n}\n", out.String())
}

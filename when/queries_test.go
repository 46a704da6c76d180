package when_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"whence/when"
)

func TestQueries(t *testing.T) {
	for text, want := range map[string][]string{
		"writing tests":                       {"writing tests"},
		"/when\n- writing tests\n- a thing\n": {"/when writing tests", "/when a thing"},
		"/HOW\n\n* do it\n":                   {"/HOW do it"},
		"/how\n- /when writing tests":         {"/when writing tests"},
		"/when\nwriting tests\n- a thing":     {"writing tests", "a thing"},
		"- writing tests\n\r\n/when a thing":  {"writing tests", "/when a thing"},
		"":                                    nil,
		"/when":                               nil,
	} {
		require.Equal(t, want, when.Queries(text), text)
	}
}

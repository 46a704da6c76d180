package words_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/words"
)

func TestPairs(t *testing.T) {
	for name, test := range map[string]struct {
		left, right []string
		want        []words.Pair
	}{
		"renamed":            {[]string{"review flags unused code"}, []string{"vet flags unused code", "paging"}, []words.Pair{{0, 0, 0.75}}},
		"too little":         {[]string{"retry uploads forever"}, []string{"retry downloads twice"}, nil},
		"two are near":       {[]string{"retry uploads twice"}, []string{"retry uploads once", "retry uploads never"}, nil},
		"two want one":       {[]string{"retry uploads once", "retry uploads never"}, []string{"retry uploads twice"}, nil},
		"each has its own":   {[]string{"page size", "retry limit"}, []string{"retry limits", "page size bound"}, []words.Pair{{0, 1, 2.0 / 3}, {1, 0, 0.5}}},
		"nothing to compare": {nil, []string{"x"}, nil},
		"only stop words":    {[]string{"how to"}, []string{"how to"}, nil},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, test.want, words.Pairs(test.left, test.right)) })
	}
	many := make([]string, 2001)
	require.Nil(t, words.Pairs(many, many), "more work than it is worth")
}

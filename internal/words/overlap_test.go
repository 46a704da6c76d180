package words_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/words"
)

func TestWords(t *testing.T) {
	require.Equal(t, map[string]bool{"retry": true, "__init__": true, "py": true, "größe": true, "3": true},
		words.SetOf("When to RETRY the `__init__.py`: Größe 3"))
	require.Empty(t, words.SetOf("how to"))
}

func TestOverlap(t *testing.T) {
	for name, test := range map[string]struct {
		a, b string
		want float64
	}{
		"same":        {"retry policy", "policy, retry!", 1},
		"half":        {"retry policy", "retry limit", 0.5},
		"longer side": {"retry", "retry policy of clients", 1.0 / 3},
		"nothing":     {"retry", "paging", 0},
		"empty":       {"the", "how", 0},
	} {
		t.Run(name, func(t *testing.T) {
			require.InDelta(t, test.want, words.Overlap(words.SetOf(test.a), words.SetOf(test.b)), 1e-9)
			require.InDelta(t, test.want, words.Overlap(words.SetOf(test.b), words.SetOf(test.a)), 1e-9)
		})
	}
}

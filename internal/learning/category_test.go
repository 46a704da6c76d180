package learning_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"whence/internal/learning"
)

// Most sentences as people write them get the category that a reader gives them. The second file was
// written before the words were chosen, and was not looked at while they were.
func TestInferCategoryOfSentences(t *testing.T) {
	for name, minRight := range map[string]int{"categories": 62, "categories_heldout": 33} {
		src, err := os.ReadFile("testdata/" + name + ".txt")
		require.NoError(t, err)
		right := 0
		for line := range strings.Lines(string(src)) {
			want, sentence, _ := strings.Cut(strings.TrimSpace(line), " | ")
			got := learning.InferCategory(sentence)
			if string(got) == want {
				right++
				continue
			}
			t.Logf("%s: %s, not %s: %s", name, got, want, sentence)
		}
		assert.GreaterOrEqual(t, right, minRight, name)
	}
}

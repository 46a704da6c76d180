package validate_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/index"
)

// reflowed wraps the paragraphs of the sections of an index, as a formatter of Markdown does.
func reflowed(src string, width int) string {
	var out strings.Builder
	for paragraph := range strings.SplitSeq(src, "\n\n") {
		if !strings.HasPrefix(paragraph, "/") {
			out.WriteString(paragraph + "\n\n")
			continue
		}
		length := 0
		for i, word := range strings.Fields(paragraph) {
			switch {
			case i == 0:
			case length+1+len(word) > width:
				out.WriteString("\n")
				length = -1
			default:
				out.WriteString(" ")
			}
			out.WriteString(word)
			length += 1 + len(word)
		}
		out.WriteString("\n\n")
	}
	return strings.TrimRight(out.String(), "\n") + "\n"
}

// Whatever the width to which a formatter has joined the lines of an index, each entry gets its line back.
func TestReflowedIndex(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	tried := 0
	for name, tree := range trees(t) {
		clean := requireFix(t, tree, config.Default(), false)
		src := string(tree[config.DefaultIndex].Data)
		if change := changeOf(clean, config.DefaultIndex); change != nil {
			src = string(change.After)
		}
		f := index.Parse([]byte(src))
		known := true // formatters also touch lines of authors
		for _, line := range f.Lines {
			known = known && (line.Section < 0 || line.Kind == index.EntryLine || line.Kind == index.Blank || line.Kind == index.Heading)
		}
		if !known || len(clean.Left) > 0 || strings.Contains(src, "  ") {
			continue
		}
		for range 20 {
			joined := fstest.MapFS{}
			for path, file := range tree {
				joined[path] = file
			}
			text := reflowed(src, 40+random.IntN(100))
			joined[config.DefaultIndex] = &fstest.MapFile{Data: []byte(text)}
			result := requireFix(t, joined, config.Default(), false)
			change := changeOf(result, config.DefaultIndex)
			require.NotNil(t, change, name)
			after := index.Parse(change.After)
			require.Equal(t, strings.TrimRight(src[f.Preamble().End:], "\n"), strings.TrimRight(string(change.After[after.Preamble().End:]), "\n"), name)
			tried++
		}
	}
	require.NotZero(t, tried)
}

package migrate

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/decision"
	"whence/internal/index"
	"whence/internal/memory"
	"whence/internal/words"
)

// someWords are n words, all different.
func someWords(n int) string {
	var all []string
	for i := range n {
		all = append(all, "w"+strconv.Itoa(i+1))
	}
	return strings.Join(all, " ")
}

// The trigger has two words and the header one, so that a description may have 5 to
// 17.
func TestDescribe(t *testing.T) {
	const body = "**Date:** 2026-01-01\n\nThe pages of a list are named by cursors; offsets (numbers) shift.\n\n```\ncode\n```\n\n<!-- comment -->\n\n- items **too**\n\n| a | table |\n\n### Sub\nMore prose.\n"
	for name, c := range map[string]struct{ description, want string }{
		"untouched":              {"  cursor, page\tsize,  stable order ", "cursor, page size, stable order"},
		"untouched at most":      {someWords(17), someWords(17)},
		"cut hard":               {someWords(18), someWords(17)},
		"cut before an article":  {someWords(15) + " with the x1", someWords(15)},
		"filled up":              {"cursor, page size", "cursor, page size; The pages of a list are named by cursors; offsets (numbers) shift"},
		"filled up from nothing": {"", "The pages of a list are named by cursors; offsets (numbers) shift"},
	} {
		t.Run(name, func(t *testing.T) {
			file := decision.Parse("agents/decisions/list-api.md", []byte("# API\n\n## Lists\n"+body))
			p := &planner{config: config.Default()}
			row := migrateRow{trigger: "naming list", header: "Lists"}
			p.describe(&row, headingOf(file, 1), c.description)
			require.Equal(t, c.want, row.description)
			n := words.Count("naming list Lists " + row.description)
			require.True(t, 8 <= n && n <= 20, "%d words", n)
		})
	}
}

// If the section says nothing, the titles above it, or at last the name of the file, are used.
func TestDescribeWithoutProse(t *testing.T) {
	file := decision.Parse("agents/decisions/list-api.md", []byte("# Public API\n\n## .Reading of Lists\n\n### Paging\n\n```\ncode\n```\n\n## Other\n"))
	p := &planner{config: config.Default()}
	row := migrateRow{trigger: "paging of lists", header: "Paging"}
	p.describe(&row, headingOf(file, 2), "")
	require.Equal(t, "Reading of Lists; Public API", row.description)
	file = decision.Parse("agents/decisions/list-api.md", []byte("## Paging\n"))
	p.describe(&row, headingOf(file, 0), "")
	require.Equal(t, "list-api", row.description)
}

// With a long title there is still a description of one word.
func TestDescribeBesideALongTitle(t *testing.T) {
	file := decision.Parse("a.md", []byte("## "+someWords(30)+"\nProse.\n"))
	p := &planner{config: config.Default()}
	for description, want := range map[string]string{"x y z": "x", "x": "x", "": "Prose"} {
		row := migrateRow{trigger: "a", header: someWords(30)}
		p.describe(&row, headingOf(file, 0), description)
		require.Equal(t, want, row.description)
	}
}

func headingOf(file *decision.File, number int) *memory.Heading {
	return (&memory.Memory{}).With(index.Parse(nil), []*decision.File{file}).Headings[number]
}

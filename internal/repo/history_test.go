package repo_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/repo"
)

func TestRenamedHeadings(t *testing.T) {
	dir := start(t)
	commit := func(text string) {
		write(t, dir, "a.md", text)
		git(t, dir, "commit", "-qm", "x", "--", "a.md")
	}
	commit("# T\n\n## One\na\n\n## Two ##\nb\n\n### Three\nc\n")
	commit("# T\n\n## First\na\n\n## Two ##\nb\n\n### Three\nc\n")    // one heading in a hunk
	commit("# T\n\n## Ein\na\n\n## Zwei\nb\n\n### Three\nc\n")        // renamed again, another beside it
	commit("# T\n\n## Ein\na\n\n## Zwei\nb\n\n## Three\nc\n")         // another level is not a rename
	commit("# T\n\n## Ein\na\n\n## Zwei\nb\n\n## Three\nc\n## New\n") // nor is a new one
	write(t, dir, "a.md", "# T\n\n## Ein\na\n\n## Zwei\nb\n\n## Drei und mehr\nc\n## New\n")
	r, err := repo.Open(dir, dir, none)
	require.NoError(t, err)
	renamed, err := r.RenamedHeadings("a.md")
	require.NoError(t, err)
	require.Equal(t, map[string]string{"one": "first", "first": "ein", "two": "zwei", "three": "drei und mehr"}, renamed)
	renamed, err = r.RenamedHeadings("gone.md")
	require.NoError(t, err)
	require.Empty(t, renamed)
}

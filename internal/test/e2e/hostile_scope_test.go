//go:build linux

package e2e

import (
	"encoding/json"
	"os"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"
)

// known is a learning of another repository of the user's, whose text, and so its id, an attacker has
// guessed.
const known = "the user's own secret lies under the third mat"

// remember stores it there.
func (h *hostile) remember() {
	h.t.Helper()
	require.NoError(h.t, os.Mkdir(h.path("mine"), 0o755))
	h.run("mine", "git", "init", "-q")
	h.run("mine", "memory-remember", known)
}

// outsideOf requires that nothing of the other repository, and no file outside, is shown, changed or
// told apart from what does not exist: by an id, or by the programs that an agent runs in its shell.
func (h *hostile) outsideOf() {
	h.t.Helper()
	before, err := h.try("mine", "memory-remember", "export")
	require.NoError(h.t, err)
	var l struct{ ID string }
	require.NoError(h.t, json.Unmarshal([]byte(before), &l))
	const unknown = "0123456789abcdef"
	for _, args := range [][]string{{"show"}, {"edit", "--name", "x"}, {"forget"}} {
		run := func(id string) ran {
			return h.traced("", append([]string{"memory-remember", args[0], "--quiet", id}, args[1:]...)...)
		}
		want := run(unknown)
		require.Equal(h.t, 1, want.status)
		for _, id := range []string{l.ID, l.ID[:6]} {
			require.Equal(h.t, ran{want.stdout, strings.ReplaceAll(want.stderr, unknown, id), 1}, run(id))
		}
	}
	env := h.env
	defer func() { h.env = env }()
	h.env = append(slices.Clone(env), "CLAUDECODE=1")
	for _, args := range [][]string{
		{"memory-when", "check", "../home/secret.md"}, {"memory-when", "check", h.path("home/none.md")}, {"memory-when", "check", "agents/decisions/outside.md"},
		{"memory-when", "list", "--repo", "../mine"}, {"memory-when", "cache", "--repo", "../mine"},
		{"memory-remember", "list", "--everywhere"}, {"memory-remember", "show", l.ID, "--repo", "../mine"},
	} {
		got := h.traced("", args...)
		require.Contains(h.t, []int{3, 4}, got.status, args)
		if got.status == 3 { // else it is a link in the repository, which is not memory
			require.Contains(h.t, got.stderr, "run this in a terminal of your own", args)
		}
		require.Empty(h.t, got.stdout, args)
	}
	after, err := h.try("mine", "memory-remember", "export")
	require.NoError(h.t, err)
	require.Equal(h.t, before, after)
}

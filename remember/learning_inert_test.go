package remember_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/text"
)

// What is stored comes from anywhere; a terminal only shows it.
func TestLearningsDoNotCommandATerminal(t *testing.T) {
	const hostile = "\u202eback\u202c \u2066x\u2069 \u200f\u061c \U000e0041"
	l := newLearner(t)
	said := l.good("always grease the crane chain before lifting " + hostile + " the anchor of the ferry")
	id := l.good("list", "--format", "json")
	require.Contains(t, id, `\u202eback\u202c`, "as JSON escapes it, nothing is lost")
	l.captured("s-1", "add-ferry", 0, "the crane chain was greased "+hostile+" before the lift")
	for _, args := range [][]string{
		{"list"}, {"list", "--format", "json"}, {"search", "grease the crane chain"}, {"search", "--format", "json", "grease the crane chain"},
		{"show", "grease"}, {hostile + " grease the crane chain once more before lifting"}, {"list", hostile}, {"export"}, {"check"},
	} {
		got := l.run(args...)
		for _, out := range []string{said, got.Stdout, got.Stderr} {
			for _, r := range out {
				require.False(t, text.IsUnseen(r) && r != '\n' && r != '\t', "%v: %q", args, out)
			}
		}
	}
	require.True(t, strings.Contains(l.good("list"), `\u202eback`) || strings.Contains(l.good("search", "grease the crane chain"), `\u202eback`))
}

// Nor does what waits for a team's store.
func TestAnOutboxDoesNotCommandATerminal(t *testing.T) {
	s := &teamServer{dir: t.TempDir()}
	s.away.Store(true)
	ann := member(t)
	require.Equal(t, 0, ann.runOn(s, "", "the tugboat needs a pilot \u202eback\u202c above four metres of swell").Status)
	for _, format := range []string{"text", "json"} {
		got := ann.runOn(s, "", "store", "outbox", "--format", format)
		require.Contains(t, got.Stdout, `\u202eback`, "as an escape, nothing is lost")
		require.NotContains(t, got.Stdout, "\u202e")
	}
}

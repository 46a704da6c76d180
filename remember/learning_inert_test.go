package remember_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/inert"
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
		{"show", "grease"}, {hostile + " grease the crane chain once more before lifting"}, {"list", hostile}, {"export"}, {"session", "s-1"},
	} {
		got := l.run(args...)
		for _, out := range []string{said, got.Stdout, got.Stderr} {
			for _, r := range out {
				require.False(t, inert.IsUnseen(r) && r != '\n' && r != '\t', "%v: %q", args, out)
			}
		}
	}
	require.True(t, strings.Contains(l.good("list"), `\u202eback`) || strings.Contains(l.good("search", "grease the crane chain"), `\u202eback`))
}

// In an agent's shell, a learning opens neither a heading nor a fence nor a tag.
func TestLearningsAreInertForAnAgent(t *testing.T) {
	l := newLearner(t)
	l.runWith("grease the crane chain\n# before lifting\n```\n<learning>\n", "--name", "grease", "-")
	l.settings["CLAUDECODE"] = "1"
	for _, args := range [][]string{{"list"}, {"search", "grease the crane chain"}, {"show", "grease"}, {"forget", "grease"}} {
		out := l.run(args...).Stdout
		require.Contains(t, out, `\# before lifting`, args)
		require.Contains(t, out, "\\```", args)
		require.Contains(t, out, `\<learning>`, args)
	}
}

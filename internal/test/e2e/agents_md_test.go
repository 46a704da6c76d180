package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/model"
	"whence/internal/test/repotest"
)

// Without hooks, an agent reads the block of docs/hooks.md in AGENTS.md, and what the block asks for leads
// to a decision. The agents here can do without hooks too.
func TestAgentsMD(t *testing.T) {
	bin := installed(t)
	docs, err := os.ReadFile(filepath.Join(repotest.Root(t), "docs", "hooks.md"))
	require.NoError(t, err)
	_, block, found := strings.Cut(string(docs), "```markdown\n")
	require.True(t, found)
	block, _, _ = strings.Cut(block, "```\n")
	for _, a := range []realAgent{codex, copilot, openCode} {
		if a.name != "codex" && !repotest.Long() {
			continue
		}
		t.Run(a.name, func(t *testing.T) {
			sc := inFerry(t, bin, a)
			sc.files["AGENTS.md"] = block
			sc.runs = [][]string{a.run(t, chargedTwice)}
			sc.routes = []model.Route{{When: "charged twice", Turns: []model.Turn{
				a.shell("memory-when recall '" + chargedTwice + "'"), a.shell(readPayment), says("done"),
			}}}
			p := play(t, sc)
			require.Equal(t, 1, p.first("Before you change code, before a command that deploys"), "the block reaches the model")
			require.Equal(t, 2, p.first(strings.TrimSpace(toPayment)), "what it asks for leads to pointers")
			require.Equal(t, 3, p.first(payment), "one of which is read")
		})
	}
}

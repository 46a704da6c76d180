package e2e

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
)

// Without hooks, an agent reads the block of docs/hooks.md in AGENTS.md, and what the block asks for leads
// to a decision. The agents here can do without hooks too.
func TestAgentsMD(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the programs")
	}
	bin := installed(t)
	docs, err := os.ReadFile(filepath.Join(repotest.Root(t), "docs", "hooks.md"))
	require.NoError(t, err)
	_, block, found := strings.Cut(string(docs), "```markdown\n")
	require.True(t, found)
	block, _, _ = strings.Cut(block, "```\n")
	for _, c := range []struct{ agent, command string }{{"codex", "cmd"}, {"copilot", "command"}, {"opencode", "command"}} {
		if c.agent != "codex" && !repotest.Long() {
			continue
		}
		t.Run(c.agent, func(t *testing.T) {
			a := otherAgents()[slices.IndexFunc(otherAgents(), func(a otherAgent) bool { return a.name == c.agent })]
			template := t.TempDir()
			require.NoError(t, os.CopyFS(template, os.DirFS(filepath.Join(repotest.Root(t), "examples", "ferry"))))
			require.NoError(t, os.WriteFile(filepath.Join(template, "AGENTS.md"), []byte(block), 0o644))
			files := texts(t, template)
			maps.Copy(files, a.files)
			env := map[string]string{"PATH": bin + ":/usr/local/bin:/usr/bin:/bin"}
			maps.Copy(env, a.env)
			home := map[string]any{".profile": "PATH=" + bin + ":$PATH\n"} // for the login shells of Codex
			maps.Copy(home, a.homeFiles)
			recall := turn{Tool: a.turns[0].Tool, Input: in(c.command, "memory-when recall '"+chargedTwice+"'", "description", "recall")}
			p := play(t, scene{
				Name: "rules-" + c.agent, Hooks: []string{}, Files: files, HomeFiles: home, Env: env,
				Runs:   []clientRun{a.run(t, chargedTwice)},
				Routes: []route{{"charged twice", []turn{recall, a.turns[0], {Text: "done"}}}},
			})
			require.Equal(t, 1, p.first("Before you change code, before a command that deploys"), "the block reaches the model")
			require.Equal(t, 2, p.first(strings.TrimSpace(toPayment)), "what it asks for leads to pointers")
			require.Equal(t, 3, p.first(payment), "one of which is read")
		})
	}
}

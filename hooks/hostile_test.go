package hooks_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
	"whence/internal/test/storetest"
)

// A file that a Markdown parser would take long to read does not make an event miss its deadline of a second.
func TestHostileMarkdownInEvents(t *testing.T) {
	var nested strings.Builder
	for n := range 1000 {
		nested.WriteString(strings.Repeat("  ", n) + "- x\n")
	}
	for name, src := range map[string]string{
		"nested lists":          nested.String(),
		"quotes":                strings.Repeat(">", 100_000) + " x\n",
		"quoted lines":          strings.Repeat(strings.Repeat(">", 50)+" x\n", 2000),
		"nested as allowed":     strings.Repeat(nested.String()[:51*51], 50),
		"back-quotes in quotes": strings.Repeat("> `a``\n", 20_000),
	} {
		t.Run(name, func(t *testing.T) {
			dir, home := t.TempDir(), storetest.ConsentingClaim(t, filepath.Join(t.TempDir(), "home"))
			require.NoError(t, os.CopyFS(dir, repotest.Tree(map[string]string{
				"agents/memory-index.md":  "# Memory Index\n\n## agents/decisions/pay.md\n\n/when retrying payments | Payments | a payment is retried twice, then a person looks at it\n",
				"agents/decisions/pay.md": "## Payments\n\nA payment is retried twice, then a person looks at it.\n",
				"agents/decisions/z.md":   "## Z\n\n" + src,
				"docs/adr/0001-z.md":      src,
				".whence.yaml":            "documents: [docs/adr/*.md]\n",
			})))
			for _, event := range []map[string]any{
				{"hook_event_name": "UserPromptSubmit", "prompt": "are payments retried twice when the bank fails"},
				{"hook_event_name": "PostToolUse", "tool_name": "Edit", "tool_input": map[string]any{"file_path": filepath.Join(dir, "agents/decisions/z.md")}},
			} {
				event["session_id"], event["cwd"] = t.Name(), dir
				input, err := json.Marshal(event)
				require.NoError(t, err)
				name := event["hook_event_name"].(string)
				repotest.RequireBrief(t, name, func() { ask(t, dir, home, name, input) })
			}
		})
	}
}

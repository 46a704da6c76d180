package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// records are architecture decision records as two projects' tools write them, one of them superseded.
var records = map[string]string{
	"docs/adr/0001-labels-from-the-request.md": "# 1. Print labels from the request\n\n## Status\n\nSuperseded by [2. Labels are printed through a queue](0002-labels-by-queue.md)\n\n" +
		"## Decision\n\nThe request prints the label on the printer of the depot, and waits for it.\n",
	"docs/adr/0002-labels-by-queue.md": "# 2. Labels are printed through a queue\n\n## Status\n\nAccepted\n\n## Context\n\nThe label printer of a depot may be off for hours.\n\n" +
		"## Decision\n\nWe put each label into a queue table, and the depot fetches it. The request never waits for a printer.\n",
	"docs/adr/0003-weights-in-grams.md": "---\nstatus: accepted\n---\n# Weights are whole grams\n\nA weight is an integer in grams. Kilograms as floats made invoices differ by a cent.\n",
	"docs/adr/template.md":              "# TITLE\n",
}

// The first path of the README: records are adopted where they are, the hooks are installed, and a prompt
// leads the agent to the record that holds.
func TestClaudeCodeRecords(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the programs")
	}
	bin := installed(t)
	dir := t.TempDir()
	for name, text := range records {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	for _, args := range [][]string{{"git", "init", "-q"}, {filepath.Join(bin, "memory-migrate"), "adopt", "--write"}, {filepath.Join(bin, "memory-validate")}} {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "HOME="+t.TempDir())
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
	}
	require.NoError(t, os.RemoveAll(filepath.Join(dir, ".git")))

	const prompt = "requests are slow when the depot is offline"
	sc := pointed(t, bin, "records", `{}`, texts(t, dir), route{"depot is offline", []turn{
		{Tool: "Bash", Input: in("command", "memory-when 'labels are printed through queue'", "description", "look")},
		{Text: "through the queue"},
	}})
	sc.Runs[1].Args[1] = prompt
	p := play(t, sc)
	require.Len(t, p.requests, 2)
	require.Contains(t, p.requests[0], byCommand+"- /when labels are printed through queue  (2. Labels are printed through a queue)\n")
	require.NotContains(t, p.requests[0], "Print labels from the request")
	require.Contains(t, p.requests[1], "Status\n\nAccepted\n\n")
	require.Contains(t, p.requests[1], "The request never waits for a printer.")
}

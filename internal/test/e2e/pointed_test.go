package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent/usertext"
	"whence/internal/report"
	"whence/internal/test/repotest"
)

const (
	byCommand = usertext.Pointers + "memory-when '<trigger>' ['<another>']\n"

	toRetry     = "- /when retrying a charge safely  (Idempotency keys live in `payment_attempt`)\n"
	toPayment   = "- /when taking a payment  (Authorise at hold, capture at ticket issue)\n"
	readPayment = "memory-when 'taking a payment'"
	payment     = "Authorisation first; the tickets are written; then the capture."

	toMigration = "- /when altering a busy table  (`lock_timeout` in every migration)\n"
	toListing   = "- /when listing many records  (Cursor pagination vs page numbers)\n"
	listing     = "The cursor is the sort key, base64"
)

// userFiles are the files of a user who has installed the hooks.
func userFiles(t *testing.T, bin, agent string, files map[string]any) map[string]any {
	t.Helper()
	home := t.TempDir()
	for name, text := range files {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(home, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(home, name), []byte(text.(string)), 0o644))
	}
	install := exec.Command(filepath.Join(bin, "memory-hooks"), "install", "--yes", "--agent", agent)
	install.Dir, install.Env = home, []string{"HOME=" + home, "PATH=" + bin + ":/usr/local/bin:/usr/bin:/bin"}
	out, err := install.CombinedOutput()
	require.NoError(t, err, string(out))
	return texts(t, home)
}

// pointed is a scene in which Claude Code, as its user has installed everything by the docs, asks
// that user, who does not answer, about all that no setting allows.
func pointed(t *testing.T, bin, name, settings string, files map[string]any, routes ...route) scene {
	return scene{
		Name: name, Hooks: []string{}, Files: files, Routes: routes,
		HomeFiles: userFiles(t, bin, "claude", map[string]any{".claude/settings.json": settings}),
		Env:       map[string]string{"WHENCE_HOME": "@WORK@/store", "WHENCE_HOOK_DEADLINE": "1m", "PATH": bin + ":/usr/local/bin:/usr/bin:/bin"},
		Runs: []clientRun{
			{Args: []string{"mcp", "add", "--scope", "user", "memory", "--", "memory-remember", "serve"}},
			{Args: []string{"-p", chargedTwice, "--output-format", "json"}},
		},
	}
}

var (
	findServer = turn{Tool: "ToolSearch", Input: in("query", "select:mcp__memory__when")}
	callServer = func(query string) turn { return turn{Tool: "mcp__memory__when", Input: in("query", query)} }
)

// A prompt, a file and an output point to decisions, once for each agent until it forgets. The model
// reads them by command and by the server. All this is in the report.
func TestClaudeCodePointers(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the programs")
	}
	bin := installed(t)
	const migration = "// create index on bookings, then alter table bookings add column note: a lock on a busy table, lock_timeout\n"
	const offset = "ERROR: listing all bookings by page number: offset is slow, a cursor is missing, use pagination\n"
	files := texts(t, filepath.Join(repotest.Root(t), "examples", "ferry"))
	files["x.go"], files["y.go"] = "package x\n\n"+migration, "package y\n\n"+migration
	files["1.out"], files["2.out"] = "1 "+offset, "2 "+offset
	read := func(name string) turn { return turn{Tool: "Read", Input: in("file_path", "@PROJECT@/"+name)} }
	run := func(command string) turn {
		return turn{Tool: "Bash", Input: in("command", command, "description", "look")}
	}
	sc := pointed(t, bin, "pointers", `{"permissions": {"allow": ["mcp__memory__when"]}}`, files,
		route{"cc_is_subagent=true", []turn{read("x.go"), read("y.go"), {Text: "looked around"}}},
		route{"CRITICAL: Respond with TEXT ONLY", []turn{{Text: "<summary>it was charged twice</summary>"}}},
		route{"charged twice", []turn{
			run(readPayment), read("x.go"), read("y.go"), run("cat 1.out"), run("cat 2.out"), findServer, callServer("- /when listing many records"),
			{Tool: "Agent", Input: map[string]any{"description": "look", "prompt": "look around", "subagent_type": "general-purpose", "run_in_background": false}},
			{Text: "done once"}, {Text: "done twice"}, {Text: "done at last"},
		}})
	for _, prompt := range []string{chargedTwice, "/compact", chargedTwice} {
		sc.Runs = append(sc.Runs, clientRun{Args: []string{"-p", prompt, "--output-format", "json", "--resume", "@SESSION@"}})
	}
	p := play(t, sc)

	var agent, subagent []string // requests
	for _, request := range p.requests {
		switch {
		case strings.Contains(request, "CRITICAL: Respond with TEXT ONLY"):
		case strings.Contains(request, chargedTwice):
			agent = append(agent, request)
		default:
			subagent = append(subagent, request)
		}
	}
	require.Len(t, agent, 11)
	told := ""
	for n, c := range []struct{ by, told string }{
		{"the prompt", byCommand + toRetry}, {"a command", payment}, {"a file", byCommand + toMigration}, {"a file like it", ""},
		{"an output", byCommand + toListing}, {"an output like it", ""}, {"a search for tools", ""}, {"the server", listing}, {"the subagent", ""}, {"the same prompt", ""},
	} {
		require.Equal(t, strings.Count(told, usertext.Pointers)+strings.Count(c.told, usertext.Pointers), strings.Count(agent[n], usertext.Pointers), c.by)
		require.NotContains(t, agent[n], usertext.Recalled, c.by)
		if c.told != "" {
			require.NotContains(t, told, c.told, c.by)
			require.Contains(t, agent[n], c.told, c.by)
		}
		told = agent[n]
	}
	require.Equal(t, 1, strings.Count(agent[10], byCommand+toRetry), "again after the compaction")
	require.NotContains(t, agent[10], payment, "which it has forgotten")

	require.Len(t, subagent, 3)
	require.NotContains(t, subagent[0], usertext.Pointers)
	for _, request := range subagent[1:] {
		require.Equal(t, 1, strings.Count(request, usertext.Pointers))
		require.Contains(t, request, byCommand+toMigration, "though the agent was shown it")
		require.NotContains(t, request, usertext.Recalled)
	}

	cmd := exec.Command(filepath.Join(bin, "memory-hooks"), "report", "--format", "json")
	cmd.Dir = p.project
	cmd.Env = append(os.Environ(), "HOME="+filepath.Join(p.project, "..", "..", "home", "pointers"), "WHENCE_HOME="+p.store)
	out, err := cmd.Output()
	require.NoError(t, err)
	var figures report.Figures
	require.NoError(t, json.Unmarshal(out, &figures))
	total := figures.Total
	require.Equal(t, []int{11, 2}, []int{total.Pointers, total.Read})
}

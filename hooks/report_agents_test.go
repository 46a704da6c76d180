package hooks_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/hooks"
	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/report"
	"whence/internal/test/repotest"
	"whence/internal/test/storetest"
	"whence/internal/test/transcripttest"
)

// Equal sessions of all agents give the same figures: each was shown pointers, and reads a decision with the tool of
// the server. Each agent has a row.
func TestReportOfAgents(t *testing.T) {
	home := storetest.ConsentingHome(t)
	put := func(from, to string) {
		to = filepath.Join(home, filepath.FromSlash(to))
		src, err := os.ReadFile(transcripttest.Path(t, from))
		require.NoError(t, err)
		require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o755))
		require.NoError(t, os.WriteFile(to, src, 0o600))
	}
	put("codex-0.169.0/hooks", ".codex/sessions/2026/11/23/rollout-a.jsonl")
	put("codex-0.169.0/served", ".codex/sessions/2026/11/23/rollout-b.jsonl")
	put("codex-0.169.0/delegated", ".codex/sessions/2026/11/23/rollout-c.jsonl")
	put("codex-0.169.0/subagent", ".codex/sessions/2026/11/23/rollout-d.jsonl")
	put("gemini-cli-0.61.0/hooks", ".gemini/tmp/shop/chats/session-a.jsonl")
	put("gemini-cli-0.61.0/served", ".gemini/tmp/shop/chats/session-b.jsonl")
	put("gemini-cli-0.61.0/delegated", ".gemini/tmp/shop/chats/session-c.jsonl")
	put("gemini-cli-0.61.0/subagent", ".gemini/tmp/shop/chats/"+sessionOf(t, "gemini-cli-0.61.0/delegated")+"/d.jsonl")
	put("copilot-1.0.102/hooks", ".copilot/session-state/a/events.jsonl")
	put("copilot-1.0.102/served", ".copilot/session-state/b/events.jsonl")
	put("copilot-1.0.102/delegated", ".copilot/session-state/c/events.jsonl")
	database := filepath.Join(home, ".local", "share", "opencode", "opencode.db")
	require.NoError(t, os.MkdirAll(filepath.Dir(database), 0o755))
	for _, name := range []string{"hooks", "served", "delegated"} {
		transcripttest.Write(t, database, transcripttest.Rows(t, transcripttest.OpenCode+"/"+name)...)
	}
	run := func(args ...string) string {
		var out, failure bytes.Buffer
		exit := hooks.Main(cli.Env{
			Args: append([]string{"memory-hooks", "report", "--since", "all"}, args...), Dir: t.TempDir(), Stdin: strings.NewReader(""), Stdout: &out, Stderr: &failure,
			Getenv: func(variable string) string {
				return map[string]string{"HOME": home, "WHENCE_HOME": repotest.ClaimHome(t, filepath.Join(home, "store"))}[variable]
			},
		})
		require.Equal(t, cli.OK, exit, failure.String())
		require.Empty(t, failure.String())
		return out.String()
	}
	var f report.Figures
	require.NoError(t, json.Unmarshal([]byte(run("--format", "json")), &f))
	require.Len(t, f.Agents, 4)
	for i, row := range f.Agents {
		require.Equal(t, agent.Clients[i+1], row.Agent)
		require.Equal(t, 3, row.Sessions, row.Agent)
		require.Positive(t, row.Pointers, row.Agent)
	}
	require.Equal(t, 12, f.Total.Sessions)
	require.NotContains(t, run(), "\n  Claude Code ", "it has no session")

	src, err := os.ReadFile("testdata/report/projects/ferry/s7.jsonl")
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Join(home, ".claude", "projects", "ferry"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(home, ".claude", "projects", "ferry", "s7.jsonl"), src, 0o600))
	html := filepath.Join(home, "report.html")
	text := run("--html", html)
	page, err := os.ReadFile(html)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal([]byte(run("--format", "json")), &f))
	counted := slices.DeleteFunc(slices.Clone(agent.Clients), func(c agent.Client) bool { return !c.HasTranscripts() })
	require.Len(t, f.Agents, len(counted))
	for i, c := range counted {
		require.Equal(t, c, f.Agents[i].Agent)
		require.Regexp(t, `\n  `+regexp.QuoteMeta(c.Title())+` +\d+ `, text)
		require.Contains(t, string(page), `<td>`+c.Title()+`</td>`)
	}
	require.Equal(t, 13, f.Total.Sessions)
}

// sessionOf returns the session that the first line of a transcript names.
func sessionOf(t *testing.T, name string) string {
	src, err := os.ReadFile(transcripttest.Path(t, name))
	require.NoError(t, err)
	var head struct{ SessionID string }
	first, _, _ := strings.Cut(string(src), "\n")
	require.NoError(t, json.Unmarshal([]byte(first), &head))
	return head.SessionID
}

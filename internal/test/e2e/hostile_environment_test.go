//go:build linux

package e2e

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
)

// agentVariables holds what each agent sets for its hooks.
var agentVariables = map[string][]string{
	"claude":   {"CLAUDECODE=1", "CLAUDE_PROJECT_DIR=@CLONE@", "CLAUDE_CODE_SESSION_ID=s"},
	"codex":    {"CODEX_THREAD_ID=t"},
	"gemini":   {"GEMINI_CLI=1", "GEMINI_PROJECT_DIR=@CLONE@", "GEMINI_SESSION_ID=s"},
	"copilot":  {"COPILOT_CLI=1"},
	"opencode": {"OPENCODE=1"},
	"cursor":   {"CURSOR_AGENT=1", "CURSOR_VERSION=3.20.17", "CURSOR_PROJECT_DIR=@CLONE@", "CLAUDE_PROJECT_DIR=@CLONE@"},
}

// Agents let a repository set environment variables: by committed settings, a .env, a plugin, an MCP
// file. Whatever it sets, no store is made in the clone, nothing is sent anywhere, nothing more is
// captured, and the decisions are pointed to all the same.
func TestTheEnvironmentThatARepositorySets(t *testing.T) {
	repotest.Program(t, "strace")
	h := newHostile(t, installed(t), attack{clone: func(h *hostile) {
		h.write("clone/.whence.yaml", "") // what its files ask for is another test's
		require.NoError(h.t, os.RemoveAll(h.path("clone/.claude/whence.local.md")))
	}})
	for _, name := range []string{"git", "memory-remember", "memory-when", "memory-validate", "claude", "codex"} {
		h.write("clone/bin/"+name, "#!/bin/sh\necho "+name+" >>'"+h.executed+"'\n")
		require.NoError(t, os.Chmod(h.path("clone/bin/"+name), 0o755))
	}
	h.write("clone/x/git/config", "[filter \"evil\"]\n\tclean = "+h.path("pwn.sh")+"\n[trace2]\n\tnormalTarget = "+h.path("written")+"\n")
	h.write("clone/.gitattributes", "* filter=evil\n")
	h.write("clone/evil/.gitconfig", "[core]\n\tfsmonitor = "+h.path("pwn.sh")+"\n")
	own := h.env
	server := h.listener.Addr().String()
	before := h.hashes("clone")
	agents := slices.Sorted(maps.Keys(agentVariables))
	for i, set := range [][]string{
		{"WHENCE_HOME=.wh-evil"},
		{"WHENCE_HOME=" + h.path("clone/.wh-evil")},
		{"WHENCE_HOME=" + h.path("never-typed")},
		{"WHENCE_HOME=", "XDG_DATA_HOME=" + h.path("clone/.wh-evil"), "HOME=" + h.path("never-typed")},
		{"WHENCE_HOME=", "HOME=" + h.path("never-typed")},
		{"PGHOST=" + server, "PGPASSWORD=secret"},
		{"WHENCE_EMBEDDING_URL=http://" + server + "/v1", "WHENCE_EMBEDDING_MODEL=m"},
		{"WHENCE_CAPTURE_MODE=silent", "WHENCE_CAPTURE_BUDGET=1000"},
		{"GIT_DIR=" + h.path("clone/evil"), "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=core.fsmonitor", "GIT_CONFIG_VALUE_0=" + h.path("pwn.sh"), "GIT_TRACE=" + h.path("clone/trace"), "GIT_EXTERNAL_DIFF=" + h.path("pwn.sh")},
		{"PATH=bin:/usr/bin:/bin", "GODEBUG=execerrdot=0"},
		{"PATH=" + h.path("clone/bin") + ":/usr/bin:/bin"},
		{"PATH=/proc/self/cwd/bin:/usr/bin:/bin"},
		{"XDG_CONFIG_HOME=/proc/self/cwd/x"},
		{"XDG_CONFIG_HOME=" + h.path("clone/x")},
		{"CLAUDE_PROJECT_DIR=x", "GEMINI_PROJECT_DIR=x", "WHENCE_HOME=" + h.path("never-typed")},
		{"CLAUDE_PLUGIN_ROOT=/x"},
		{"HTTPS_PROXY=http://" + server, "HTTP_PROXY=http://" + server, "ALL_PROXY=http://" + server},
		{"CLAUDE_CONFIG_DIR=" + h.path("clone/evil"), "CODEX_HOME=" + h.path("clone/evil"), "COPILOT_HOME=" + h.path("clone/evil")},
	} {
		for _, agent := range repotest.Sample(agents, len(agents), i) {
			h.env = own
			for _, v := range slices.Concat(agentVariables[agent], set) {
				h.env = append(h.env, strings.ReplaceAll(v, "@CLONE@", h.path("clone")))
			}
			for _, name := range []string{"SessionStart", "UserPromptSubmit", "Stop"} {
				got := h.traced(h.event(name), "memory-hooks", name, "--agent", agent)
				for range 3 { // a busy machine may take strace longer than an event has
					if name != "UserPromptSubmit" || got.stdout != "" {
						break
					}
					got = h.traced(h.event(name), "memory-hooks", name, "--agent", agent)
				}
				require.Zero(t, got.status, "%v: %s", set, got.stderr)
				require.NotContains(t, got.stdout, "capture mode: silent")
				require.NotContains(t, got.stdout, "/remember <learning>", "%v: the plugin is not there", set)
				if name == "UserPromptSubmit" {
					require.Contains(t, got.stdout, "Mooring", "%s: %v: the decision is shown", agent, set)
				}
			}
			// The agent's own shell, too, types nothing.
			got := h.traced("", "memory-remember", "The harbour master wants two ropes at each berth")
			require.Contains(t, []int{0, 1, 3, 4}, got.status)
			got = h.traced("", "memory-when", "mooring a boat")
			require.NotRegexp(t, `(^|[^\\])</system-reminder>`, got.stdout, "%s: %v", agent, set)
			require.Contains(t, got.stdout, "repository", "%s: %v: whose text it is", agent, set)
		}
		require.Equal(t, before, h.hashes("clone"), "%v: something was written into the clone", set)
		require.NoDirExists(t, h.path("clone/.wh-evil"))
		require.NoDirExists(t, h.path("never-typed"))
		require.NoFileExists(t, h.path("written"))
		require.NoFileExists(t, h.executed, "%v", set)
	}
	h.env = own
	h.drained()
	h.requireNoConnection()
	require.NoFileExists(t, h.executed)
}

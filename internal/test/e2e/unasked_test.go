package e2e

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
)

// Once installed, an agent in its default mode reads decisions and sessions without asking anybody, and asks
// for whatever else a line does, as it did before.
func TestAgentsReadUnasked(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the programs")
	}
	bin := installed(t)
	gemini := otherAgents()[slices.IndexFunc(otherAgents(), func(a otherAgent) bool { return a.name == "gemini" })]
	for _, a := range []struct {
		otherAgent
		tool   string
		asking []string // what the model is sent of a command that needs a user
	}{
		{otherAgent{name: "claude", settings: "claude", arguments: []string{"-p", "What was decided?", "--output-format", "json"}}, "Bash", []string{"needs approval", "requires approval", "can't be checked before it runs"}},
		{otherAgent{name: "gemini", settings: "gemini", program: gemini.program, env: gemini.env, homeFiles: gemini.homeFiles,
			arguments: []string{"-m", "gemini-2.5-pro", "-p", "What was decided?", "--output-format", "json"}}, "run_shell_command", []string{"denied by policy", "requires user confirmation"}},
	} {
		t.Run(a.name, func(t *testing.T) {
			run := clientRun{Args: a.arguments}
			if a.program != "" {
				run = clientRun{Program: client(t, "node"), Args: slices.Concat([]string{agentProgram(t, a.program)}, a.arguments)}
			}
			turns := func(commands ...string) (all []turn) {
				for _, command := range commands {
					all = append(all, turn{Tool: a.tool, Input: in("command", command, "description", "look up")})
				}
				return append(all, turn{Text: "done"})
			}
			env := map[string]string{"WHENCE_DISABLE": "1", "PATH": bin + ":/usr/local/bin:/usr/bin:/bin"} // the hooks would answer too
			maps.Copy(env, a.env)
			p := play(t, scene{
				Name: "unasked-" + a.name, Hooks: []string{}, Files: texts(t, filepath.Join(repotest.Root(t), "examples", "ferry")), HomeFiles: userFiles(t, bin, a.settings, a.homeFiles), Env: env,
				Runs: []clientRun{run},
				Routes: []route{{"What was decided", turns(
					"memory-when 'retrying a charge safely' 'altering a busy table'",
					`memory-when "scheduling at low water"`,
					"memory-when --repo / 'retrying a charge safely'",
					"memory-remember session none/1",
					"memory-remember forget none",
					"memory-when 'card is declined'; touch ASKED",
					"memory-when 'card is declined' > ASKED",
					"memory-when $(touch ASKED)",
				)}},
			})
			require.Len(t, p.requests, 9)
			for i, answer := range []string{"# Idempotency keys live in", "A sailing that touches Stray needs", "agents may read the repository in which they work", "no command that you typed has used that folder yet"} {
				require.Equal(t, i+2, p.first(answer), answer)
			}
			require.NotZero(t, p.first("lock_timeout"), "the second of two triggers")
			asked := 0
			for _, words := range a.asking {
				asked += strings.Count(p.requests[8], words)
			}
			require.Equal(t, 4, asked, p.requests[8])
			require.NoFileExists(t, filepath.Join(p.project, "ASKED"))
		})
	}
}

// Codex reads in its sandbox, and Copilot CLI by what its user has approved or says at the start. What
// they are pointed to is in the next request.
func TestOtherAgentsReadUnasked(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the programs")
	}
	bin := installed(t)
	const approvals = `{"locations": {"@PROJECT@": {"tool_approvals": [{"kind": "commands", "commandIdentifiers": ["memory-when"]}]}}}`
	for _, c := range []struct {
		name, agent string
		arguments   []string
		files       map[string]any
		read        bool
	}{
		{"codex", "codex", nil, nil, true},
		{"copilot", "copilot", nil, nil, false},
		{"copilot-approved", "copilot", nil, map[string]any{".copilot/permissions-config.json": approvals}, true},
		{"copilot-allowed", "copilot", []string{"--allow-tool", "shell(memory-when)"}, nil, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := otherAgents()[slices.IndexFunc(otherAgents(), func(a otherAgent) bool { return a.name == c.agent })]
			arguments := slices.DeleteFunc(a.arguments, func(argument string) bool {
				return argument == "--allow-all" || argument == "--dangerously-bypass-approvals-and-sandbox"
			})
			home := userFiles(t, bin, a.settings, a.homeFiles)
			home[".profile"] = "PATH=" + bin + ":$PATH\n" // for the login shells of Codex
			maps.Copy(home, c.files)
			env := map[string]string{"WHENCE_HOME": "@WORK@/store", "WHENCE_HOOK_DEADLINE": "1m", "PATH": bin + ":/usr/local/bin:/usr/bin:/bin"}
			maps.Copy(env, a.env)
			p := play(t, scene{
				Name: c.name, Hooks: []string{}, Files: texts(t, filepath.Join(repotest.Root(t), "examples", "ferry")), HomeFiles: home, Env: env,
				Runs:   []clientRun{{Program: agentProgram(t, a.program), Args: append(arguments, c.arguments...)}},
				Routes: []route{{"charged twice", []turn{a.turns[0], {Text: "done"}}}},
			})
			require.Len(t, p.requests, 2)
			require.Equal(t, 1, p.first(byCommand+toRetry))
			require.Equal(t, c.read, p.first(payment) == 2, p.requests[1])
		})
	}
}

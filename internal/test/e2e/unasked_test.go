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

// Copilot CLI reads what its user has approved, and nothing before.
func TestCopilotAsksOnce(t *testing.T) {
	if !repotest.Long() {
		t.Skip("starts an agent twice: set WHENCE_LONG")
	}
	bin := installed(t)
	const approvals = `{"locations": {"@PROJECT@": {"tool_approvals": [{"kind": "commands", "commandIdentifiers": ["memory-when"]}]}}}`
	a := otherAgents()[slices.IndexFunc(otherAgents(), func(a otherAgent) bool { return a.name == "copilot" })]
	arguments := slices.DeleteFunc(a.arguments, func(argument string) bool { return argument == "--allow-all" })
	for name, files := range map[string]map[string]any{"asked": nil, "approved": {".copilot/permissions-config.json": approvals}} {
		t.Run(name, func(t *testing.T) {
			home := userFiles(t, bin, a.settings, a.homeFiles)
			maps.Copy(home, files)
			env := map[string]string{"WHENCE_HOME": "@WORK@/store", "PATH": bin + ":/usr/local/bin:/usr/bin:/bin"}
			maps.Copy(env, a.env)
			p := play(t, scene{
				Name: "copilot-" + name, Hooks: []string{}, Files: texts(t, filepath.Join(repotest.Root(t), "examples", "ferry")), HomeFiles: home, Env: env,
				Runs:   []clientRun{{Program: agentProgram(t, a.program), Args: arguments}},
				Routes: []route{{"charged twice", []turn{a.turns[0], {Text: "done"}}}},
			})
			require.Len(t, p.requests, 2)
			require.Equal(t, 1, p.first(byCommand+toRetry))
			require.Equal(t, name == "approved", p.first(payment) == 2, p.requests[1])
		})
	}
}

const (
	berthReport  = "The berth roster export stalls every evening. Why does the harbour proxy drop its connections?"
	berthSession = "6f1c2a4e-0000-4000-8000-00000000e2e2"
	berthFound   = "keepalive = 30 in exporter.toml keeps them open"
)

// earlierSession captures a session in which the berth roster was spoken of.
const earlierSession = `memory-remember list
printf '%s\n' \
  '{"type":"user","uuid":"b1","sessionId":"` + berthSession + `","timestamp":"2026-11-02T09:00:00.000Z","cwd":"@PROJECT@","message":{"role":"user","content":"why does the berth roster export stall at the harbour proxy?"}}' \
  '{"type":"assistant","uuid":"b2","parentUuid":"b1","sessionId":"` + berthSession + `","timestamp":"2026-11-02T09:01:00.000Z","cwd":"@PROJECT@","message":{"role":"assistant","content":[{"type":"text","text":"The harbour proxy drops connections that are idle for 95 seconds while the berth roster is exported; ` + berthFound + `."}]}}' \
  > @HOME@/earlier.jsonl
echo '{"hook_event_name":"SessionEnd","session_id":"` + berthSession + `","transcript_path":"@HOME@/earlier.jsonl","cwd":"@PROJECT@","reason":"other"}' | memory-hooks SessionEnd --agent claude
for i in $(seq 600); do
  memory-remember session ` + berthSession + ` >/dev/null 2>&1 && break
  sleep 0.1
done`

// A prompt comes with pointers and with the line of an earlier session. The model reads two decisions in one
// call, and the session in another, without asking anybody.
func TestAgentsReadWhatTheyAreShown(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the programs")
	}
	bin := installed(t)
	for _, a := range append(otherAgents(), claude) {
		if a.name == "copilot-as-claude" || a.name == "claude-old" {
			continue
		}
		if a.name != "claude" && a.name != "codex" && !repotest.Long() {
			continue // TestOtherAgents shows what reaches the model
		}
		t.Run(a.name, func(t *testing.T) {
			a.arguments = slices.DeleteFunc(slices.Clone(a.arguments), func(argument string) bool {
				return argument == "--allow-all" || argument == "--dangerously-bypass-approvals-and-sandbox" || argument == "--yolo"
			})
			if a.name == "copilot" { // what its user has approved once
				a.arguments = append(a.arguments, "--allow-tool", "shell(memory-when)", "--allow-tool", "shell(memory-remember)")
			}
			run := func(command string) turn {
				input := maps.Clone(a.turns[0].Input.(map[string]any))
				for _, field := range []string{"command", "cmd"} {
					if _, has := input[field]; has {
						input[field] = command
					}
				}
				return turn{Tool: a.turns[0].Tool, Input: input}
			}
			home := userFiles(t, bin, a.settings, a.homeFiles)
			home[".profile"] = "PATH=" + bin + ":$PATH\n" // for the login shells of Codex
			env := map[string]string{"WHENCE_HOME": "@WORK@/store", "PATH": bin + ":/usr/local/bin:/usr/bin:/bin"}
			maps.Copy(env, a.env)
			files := texts(t, filepath.Join(repotest.Root(t), "examples", "ferry"))
			maps.Copy(files, a.files)
			p := play(t, scene{
				Name: "shown-" + a.name, Hooks: []string{}, Files: files, HomeFiles: home, Env: env,
				Runs: []clientRun{{Program: client(t, "sh"), Args: []string{"-c", earlierSession}}, a.run(t, berthReport+" "+chargedTwice)},
				Routes: []route{{"charged twice", []turn{
					run("memory-when 'retrying a charge safely' 'scheduling at low water'"), run("memory-remember session " + berthSession + "/2"), {Text: "done"},
				}}},
			})
			require.Equal(t, 1, p.first(a.asSent(byCommand+toRetry)), "pointers come with the prompt")
			require.Equal(t, 1, p.first("memory-remember session "+berthSession), "and the line of a session")
			require.Equal(t, 2, p.first("# Idempotency keys live in"), "the text of one decision")
			require.Equal(t, 2, p.first("A sailing that touches Stray needs"), "and of another")
			require.Equal(t, 3, p.first(berthFound), "and what was said")
		})
	}
}

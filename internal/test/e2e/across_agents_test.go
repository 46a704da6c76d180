package e2e

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
)

const (
	stalled  = "The berth roster export stalls: why does the harbour proxy drop its connections?"
	answered = "The berth roster export stalls because the harbour proxy drops connections that are idle for 95 seconds; keepalive = 30 in exporter.toml keeps them open."
)

// sessionLine matches the line that names the session in which that was answered.
var sessionLine = regexp.MustCompile(`, 2 turns: ".+"  memory-remember session (\S+/2)`)

// claude is Claude Code, in print mode.
var claude = otherAgent{
	name: "claude", settings: "claude",
	arguments: append([]string{"-p", chargedTwice}, printMode...),
	turns:     []turn{{Tool: "Bash", Input: in("command", readPayment, "description", "decision")}},
}

// run is a run of the agent with another prompt.
func (a otherAgent) run(t *testing.T, prompt string) clientRun {
	arguments := slices.Clone(a.arguments)
	arguments[slices.Index(arguments, chargedTwice)] = prompt
	switch {
	case a.program == "":
		return clientRun{Args: arguments}
	case strings.HasSuffix(a.program, ".js"):
		return clientRun{Program: client(t, "node"), Args: slices.Concat([]string{agentProgram(t, a.program)}, arguments)}
	}
	return clientRun{Program: agentProgram(t, a.program), Args: arguments}
}

// What one agent answers is named in a session of another one: a prompt leads to pointers, the model reads
// one and answers, and a line that names the session comes with the prompt of the next.
func TestAcrossAgents(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the programs")
	}
	bin := installed(t)
	all := map[string]otherAgent{"claude": claude}
	for _, a := range otherAgents() {
		all[a.name] = a
	}
	// Copilot CLI also runs what a project registers with Claude Code.
	for _, pair := range [][2]string{{"claude", "codex"}, {"codex", "copilot"}, {"copilot", "gemini"}, {"gemini", "opencode"}, {"opencode", "claude"}} {
		if pair[0] != "copilot" && !repotest.Long() {
			continue // one pair shows that sessions cross; TestTurnsOfAgents reads the transcripts of each
		}
		t.Run(pair[0]+" to "+pair[1], func(t *testing.T) {
			first, second := all[pair[0]], all[pair[1]]
			template := t.TempDir()
			env := map[string]string{"WHENCE_HOME": "@WORK@/store", "PATH": bin + ":/usr/local/bin:/usr/bin:/bin"}
			files := texts(t, filepath.Join(repotest.Root(t), "examples", "ferry"))
			home := map[string]any{".profile": "PATH=" + bin + ":$PATH\n"} // for the login shells of Codex
			for _, a := range []otherAgent{first, second} {
				register(t, bin, template, a.settings)
				maps.Copy(env, a.env)
				maps.Copy(home, a.homeFiles)
				maps.Copy(files, a.files)
			}
			maps.Copy(files, texts(t, template))
			p := play(t, scene{
				Name: "across-" + pair[0] + "-" + pair[1], Hooks: []string{}, Files: files, HomeFiles: home, Env: env,
				Runs: []clientRun{
					first.run(t, chargedTwice),
					{Program: client(t, "sh"), Args: []string{"-c", "until memory-remember search keepalive | grep -q 95; do sleep .1; done; touch captured"}},
					second.run(t, stalled),
				},
				Routes: []route{
					{"why does the harbour proxy drop", []turn{{Text: "It is known."}}},
					{"charged twice", []turn{first.turns[0], {Text: answered}}},
				},
			})
			require.Equal(t, 1, p.first(first.asSent(byCommand+toRetry)), "the pointers come with the prompt")
			require.Equal(t, 2, p.first(payment), "the model reads one")
			require.FileExists(t, filepath.Join(p.project, "captured"), "without another event")
			last := p.requests[p.first("why does the harbour proxy drop")-1]
			named := sessionLine.FindStringSubmatch(last)
			require.NotNil(t, named, "the other agent gets the line: %s", last)
			read := exec.Command(filepath.Join(bin, "memory-remember"), "session", named[1])
			read.Dir, read.Env = p.project, append(os.Environ(), "WHENCE_HOME="+p.store)
			out, err := read.CombinedOutput()
			require.NoError(t, err, string(out))
			require.Contains(t, string(out), "keepalive = 30")
		})
	}
}

package e2e

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
)

// Each agent lists the server that install says how to add, and the skills in its user's folder; those that
// try the server connect to it.
func TestAgentsListServerAndSkills(t *testing.T) {
	if testing.Short() {
		t.Skip("starts each agent")
	}
	without := noNetwork(t)
	for _, a := range []struct {
		name, program string
		want          string // of the list of servers
		skills        string // lists the skills
	}{
		{"codex", "codex/node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex", `memory +\S+ +serve .*enabled`, "debug prompt-input hello"},
		{"gemini", "gemini/node_modules/@google/gemini-cli/bundle/gemini.js", `✓ memory: \S+ serve \(stdio\) - Connected`, "skills list"},
		{"copilot", "copilot/node_modules/@github/copilot-linux-x64/copilot", `memory \(local\)`, "skill list"},
		{"opencode", "opencode/node_modules/opencode-linux-x64/bin/opencode", `✓ memory.*connected`, "debug skill"},
		{"claude", "claude/node_modules/@anthropic-ai/claude-code-linux-x64/claude", `memory: \S+ serve - ✔ Connected`, ""},
	} {
		if (a.name == "gemini" || a.name == "copilot") && !repotest.Long() {
			continue // TestGeminiExtension lists a server too
		}
		t.Run(a.name, func(t *testing.T) {
			program := []string{agentProgram(t, a.program)}
			if strings.HasSuffix(a.program, ".js") {
				program = []string{client(t, "node"), program[0]}
			}
			bin := installed(t)
			s := newSandbox(t, bin)
			s.env = append(s.env, "GEMINI_CLI_TRUST_WORKSPACE=true", "COPILOT_AUTO_UPDATE=false", "OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_DEFAULT_PLUGINS=1")
			s.write("project/README.md", "A project.\n")
			s.run("project", "git", "init", "-q", ".")
			if a.name == "opencode" {
				for name, text := range openCodePackages("home/.config/opencode/") {
					s.write(name, text.(string))
				}
			}
			run := func(args ...string) string {
				return s.run("project", without[0], slices.Concat(without[1:], program, args)...)
			}
			mcp := func(args ...string) string { return run(append([]string{"mcp"}, args...)...) }
			out := s.run("project", "memory-hooks", "install", "--yes", "--mcp", "--agent", a.name)
			if line := regexp.MustCompile(`To add the MCP server to [^:]+: ` + a.name + ` mcp (add .*)`).FindStringSubmatch(out); line != nil {
				mcp(strings.Fields(line[1])...)
			} else {
				_, snippet, _ := strings.Cut(out, "in opencode.json, ")
				snippet, _, _ = strings.Cut(snippet, "\n")
				s.write("home/.config/opencode/opencode.json", "{"+snippet+"}")
			}
			require.Regexp(t, a.want, mcp("list"))
			if a.skills != "" { // Claude Code has them by the plugin
				require.Contains(t, run(strings.Fields(a.skills)...), "Prints what the project has decided for a situation")
			}
		})
	}
}

package e2e

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each agent lists the server and the skills that install has written into files of its user, and none
// after uninstall; those that try the server connect to it.
func TestAgentsListServerAndSkills(t *testing.T) {
	if testing.Short() {
		t.Skip("starts each agent twice")
	}
	without := noNetwork(t)
	for _, a := range []struct {
		name, program, file string
		had                 string // of the file
		want                string // of the list
		skills              string // lists the skills
	}{
		{"codex", "codex/node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex",
			".codex/config.toml", "# mine\r\nmodel = \"x\"\r\n[mcp_servers.x]\r\ncommand = \"y\"", `memory +\S+/memory-remember +serve .*enabled`, "debug prompt-input hello"},
		{"gemini", "gemini/node_modules/@google/gemini-cli/bundle/gemini.js",
			".gemini/settings.json", "{} // mine\n", `✓ memory: \S+/memory-remember serve \(stdio\) - Connected`, "skills list"},
		{"copilot", "copilot/node_modules/@github/copilot-linux-x64/copilot",
			".copilot/mcp-config.json", "{\n\t\"mcpServers\": {}\n}", `memory \(local\)`, "skill list"},
		{"opencode", "opencode/node_modules/opencode-linux-x64/bin/opencode",
			".config/opencode/opencode.json", "{\n  \"$schema\": \"https://opencode.ai/config.json\", // mine\n}\n", `✓ memory.*connected`, "debug skill"},
		{"claude", "claude/node_modules/@anthropic-ai/claude-code-linux-x64/claude",
			"", "", `memory: \S+/memory-remember serve - ✔ Connected`, ""},
	} {
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
			if a.file != "" {
				s.write("home/"+a.file, a.had)
			}
			if a.name == "opencode" {
				for name, text := range openCodePackages("home/.config/opencode/") {
					s.write(name, text.(string))
				}
			}
			run := func(args ...string) string {
				return s.run("project", without[0], slices.Concat(without[1:], program, args)...)
			}
			mcp := func(args ...string) string { return run(append([]string{"mcp"}, args...)...) }
			skills := func() string {
				if a.skills == "" {
					return "" // Claude Code has them by the plugin
				}
				return run(strings.Fields(a.skills)...)
			}
			out := s.run("project", "memory-hooks", "install", "--yes", "--mcp", "--skills", "--agent", a.name, "--agent-version", "2.1.329")
			if a.file == "" { // it asks for a command, which the user types
				line := regexp.MustCompile(`type: claude mcp (add .*)`).FindStringSubmatch(out)
				require.NotNil(t, line, out)
				mcp(strings.Fields(line[1])...)
			}
			require.Regexp(t, a.want, mcp("list"))
			if a.skills != "" {
				require.Contains(t, skills(), "Prints what the project has decided for a situation")
			}
			out = s.run("project", "memory-hooks", "uninstall")
			if a.file == "" {
				line := regexp.MustCompile(`to remove it: claude mcp (remove .*)`).FindStringSubmatch(out)
				require.NotNil(t, line, out)
				mcp(strings.Fields(line[1])...)
			} else {
				require.Equal(t, a.had, s.read("home/"+a.file))
			}
			require.NotContains(t, mcp("list"), "memory")
			require.NotContains(t, skills(), "Prints what the project has decided for a situation")
		})
	}
}

package e2e

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
)

// Each agent lists the server that install says how to add, and the skills in its user's folder; those that
// try the server connect to it.
func TestAgentsListServerAndSkills(t *testing.T) {
	for _, c := range []struct {
		realAgent
		want   string // of the list of servers
		skills string // lists the skills
	}{
		{codex, `memory +\S+ +serve .*enabled`, "debug prompt-input hello"},
		{gemini, `✓ memory: \S+ serve \(stdio\) - Connected`, "skills list"},
		{copilot, `memory \(local\)`, "skill list"},
		{openCode, `✓ memory.*connected`, "debug skill"},
		{claudeCode, `memory: \S+ serve - ✔ Connected`, ""},
	} {
		if (c.name == "gemini" || c.name == "copilot") && !repotest.Long() {
			continue // TestGeminiExtension lists a server too
		}
		t.Run(c.name, func(t *testing.T) {
			s := newSandbox(t, installed(t))
			s.offline()
			home := filepath.Join(s.dir, "home")
			for name, value := range c.env {
				s.env = append(s.env, name+"="+strings.ReplaceAll(value, "@HOME@", home))
			}
			for name, text := range c.home {
				s.write("home/"+name, text)
			}
			s.write("project/README.md", "A project.\n")
			s.run("project", "git", "init", "-q", ".")
			run := func(args ...string) string { return s.runAll("project", c.command(t, args...)) }
			out := s.run("project", "memory-hooks", "install", "--yes", "--mcp", "--agent", c.name)
			if line := regexp.MustCompile(`To add the MCP server to [^:]+: ` + c.name + ` (mcp add .*)`).FindStringSubmatch(out); line != nil {
				run(strings.Fields(line[1])...)
			} else {
				_, snippet, _ := strings.Cut(out, "in opencode.json, ")
				snippet, _, _ = strings.Cut(snippet, "\n")
				s.write("home/.config/opencode/opencode.json", "{"+snippet+"}")
			}
			require.Regexp(t, c.want, run("mcp", "list"))
			if c.skills != "" { // Claude Code has them by the plugin
				require.Contains(t, run(strings.Fields(c.skills)...), "Prints what the project has decided for a situation")
			}
		})
	}
}

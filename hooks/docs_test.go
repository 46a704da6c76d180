package hooks_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
	"whence/internal/cli"
)

// docs/hooks.md names the events that are registered and the places of the agents' settings, and its
// commands can be run.
func TestDocuments(t *testing.T) {
	src, err := os.ReadFile("../docs/hooks.md")
	require.NoError(t, err)
	text := string(src)

	dir := t.TempDir()
	exit, out := install(dir, "--scope", "project")
	require.Equal(t, cli.OK, exit, out)
	written, err := os.ReadFile(filepath.Join(dir, ".claude", "settings.json"))
	require.NoError(t, err)
	var settings struct{ Hooks map[string]any }
	require.NoError(t, json.Unmarshal(written, &settings))
	require.NotEmpty(t, settings.Hooks)
	for event := range settings.Hooks {
		require.Regexp(t, "(?m)^\\| [^|]*`"+event+"`", text)
	}

	for _, c := range agent.Clients {
		for _, scope := range agent.Scopes {
			_, name, err := c.SettingsFile(scope, "/home", "/project", func(string) string { return "" })
			if err != nil {
				continue
			}
			if scope == agent.User {
				name = "~/" + name
			}
			require.Regexp(t, `(?m)^\| `+regexp.QuoteMeta(c.Title())+` \|.*`+"`"+regexp.QuoteMeta(name)+"`", text)
		}
	}
	for _, line := range regexp.MustCompile(`(?m)^memory-hooks install.*$`).FindAllString(text, -1) {
		command, _, _ := strings.Cut(line, "#")
		home := t.TempDir()
		require.NoError(t, os.Mkdir(filepath.Join(home, ".codex"), 0o700)) // one of "all"
		exit, out := install(home, strings.Fields(command)[2:]...)
		require.Equal(t, cli.OK, exit, out)
	}
}

// docs/hooks.md shows how each agent gets the server.
func TestServersAsDocumented(t *testing.T) {
	src, err := os.ReadFile("../docs/hooks.md")
	require.NoError(t, err)
	text := string(src)
	for _, c := range agent.Clients {
		_, command, isSnippet := strings.Cut(c.ServerCommand(agent.User, agent.ServerProgram), `"command": `)
		if !isSnippet {
			command = c.ServerCommand(agent.User, agent.ServerProgram)
		}
		require.Contains(t, text, strings.Trim(command, "}"), c)
	}
}

var update = flag.Bool("update", false, "write what the example of docs/hooks.md prints")

// documented tests that the console examples of a document print what the document shows. A last line "…" means
// the rest of the output.
func documented(t *testing.T, name string, run func(command string) string) {
	t.Helper()
	src, err := os.ReadFile(name)
	require.NoError(t, err)
	got := regexp.MustCompile("(?ms)^```console\n(.*?)^```$").ReplaceAllStringFunc(string(src), func(block string) string {
		var out strings.Builder
		out.WriteString("```console\n")
		for line := range strings.Lines(block) {
			if command, isCommand := strings.CutPrefix(line, "$ "); isCommand {
				out.WriteString(line + run(strings.TrimSpace(command)))
			}
		}
		if strings.HasSuffix(block, "\n…\n```") {
			lines := strings.SplitAfter(out.String(), "\n")
			out.Reset()
			for _, line := range lines[:strings.Count(block, "\n")-1] {
				out.WriteString(line)
			}
			out.WriteString("…\n")
		}
		return out.String() + "```"
	})
	if *update {
		require.NoError(t, os.WriteFile(name, []byte(got), 0o644))
		return
	}
	require.Equal(t, string(src), got)
}

package hooks_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/hooks"
	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/repotest"
)

// deployCase is a line of cases/hooks.jsonl about settings: what is in the file, and what
// is expected of an installation, in any language.
type deployCase struct {
	ID    string
	State struct {
		Settings     json.RawMessage
		SettingsText string `json:"settings_text"`
		Flags        []string
	}
	Expect struct {
		Events        []string
		Changed       *bool
		Backup        *bool
		KeptCommands  []string `json:"kept_commands"`
		ExitNonzero   bool     `json:"exit_nonzero"`
		FileUnchanged bool     `json:"file_unchanged"`
	}
}

// refusedDeploys are the cases that are not met, with the reason. One that is met after all
// fails the test.
var refusedDeploys = map[string]string{
	"de-001": "expects PreToolUse and SubagentStart too: the first would stand in the way of every tool, the second is told nothing that could be looked up",
	"de-005": "expects a way to install all but recall: that is a setting, not another installation",
}

func TestDeployCases(t *testing.T) {
	src, err := os.ReadFile(repotest.Shared(t, "cases/hooks.jsonl"))
	require.NoError(t, err)
	ran := 0
	for line := range strings.Lines(string(src)) {
		var kind struct{ Group string }
		require.NoError(t, json.Unmarshal([]byte(line), &kind))
		if kind.Group != "deploy" {
			continue
		}
		var c deployCase
		require.NoError(t, json.Unmarshal([]byte(line), &c))
		ran++
		t.Run(c.ID, func(t *testing.T) {
			problem := deploy(t, c)
			if reason, known := refusedDeploys[c.ID]; known {
				require.NotEmpty(t, problem, "is met, though it is refused: %s", reason)
				t.Logf("refused: %s (%s)", reason, problem)
				return
			}
			require.Empty(t, problem)
		})
	}
	require.GreaterOrEqual(t, ran, 7)
}

// deploy installs into the settings of a case, and says what is not as expected. The
// command of the tool that the cases are about is ours here.
func deploy(t *testing.T, c deployCase) string {
	home := t.TempDir()
	name := filepath.Join(home, ".claude", "settings.json")
	text := c.State.SettingsText
	switch settings := string(c.State.Settings); {
	case settings == `"canonical"`:
		if exit, out := install(home); exit != cli.OK {
			return out
		}
		src, err := os.ReadFile(name)
		require.NoError(t, err)
		text = string(src)
	case settings != "":
		text = strings.ReplaceAll(settings, "wt-hook-memory", "memory-hooks")
	}
	if text != "" {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
	exit, out := install(home, c.State.Flags...)
	if c.Expect.ExitNonzero != (exit != cli.OK) {
		return "exit status differs: " + out
	}
	after, err := os.ReadFile(name)
	if err != nil {
		return err.Error()
	}
	changed := string(after) != text
	if c.Expect.FileUnchanged && changed || c.Expect.Changed != nil && *c.Expect.Changed != changed {
		return "the file is changed, or is not: " + string(after)
	}
	if backups, _ := filepath.Glob(name + "?*"); c.Expect.Backup != nil && *c.Expect.Backup != (len(backups) > 0) {
		return "a copy is left, or is not"
	}
	for _, command := range c.Expect.KeptCommands {
		if !strings.Contains(string(after), `"`+command+`"`) {
			return command + " is gone: " + string(after)
		}
	}
	if c.Expect.Events == nil {
		return ""
	}
	registered, err := agent.Claude.Registered(after)
	require.NoError(t, err)
	for _, event := range c.Expect.Events {
		if !slices.ContainsFunc(registered, func(r agent.Registration) bool { return r.Event == event }) {
			return event + " is not registered"
		}
	}
	if len(registered) != len(c.Expect.Events) {
		return "other events are registered too"
	}
	return ""
}

// install runs the command in a home folder.
func install(home string, flags ...string) (exit int, out string) {
	var printed bytes.Buffer
	exit = hooks.Main(cli.Env{
		Args: append([]string{"/opt/memory-hooks", "install", "--yes", "--agent-version", "2.1.329"}, flags...), Dir: home,
		Getenv: func(name string) string {
			if name == "HOME" {
				return home
			}
			return ""
		},
		Stdin: strings.NewReader(""), Stdout: &printed, Stderr: &printed,
	})
	return exit, printed.String()
}

package hooks_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/hooks"
	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/test/repotest"
)

// unmetDeploys lists the cases that are not met, with the reasons.
var unmetDeploys = map[string]string{
	"de-001": "expects PreToolUse and SubagentStart too: the first would stand in the way of every tool, the second has nothing that could be looked up",
	"de-005": "expects a way to install all but recall: that is a setting, not another installation",
}

// TestDeployCases runs the cases of an installation: what is in the settings file before, and what is expected after.
func TestDeployCases(t *testing.T) {
	repotest.Cases{
		File: "hooks.jsonl", Package: "hooks/deploy", Unmet: unmetDeploys,
		Run: map[string]func(*repotest.Case){"deploy": repotest.Judged(deploy)},
	}.Test(t)
}

// deploy installs into the settings of a case, and returns what is not as expected. It replaces the command of the tool
// that the cases are about with ours.
func deploy(c *repotest.Case) string {
	c.Prose("event")
	state, want := c.Object("state"), c.Expect
	home := c.TempDir()
	name := filepath.Join(home, ".claude", "settings.json")
	text := state.Text("settings_text")
	switch settings := string(state.Raw("settings")); {
	case settings == `"canonical"`:
		if exit, out := install(home); exit != cli.OK {
			return out
		}
		src, err := os.ReadFile(name)
		require.NoError(c, err)
		text = string(src)
	case settings != "":
		text = strings.ReplaceAll(settings, "wt-hook-memory", "memory-hooks")
	}
	if text != "" {
		require.NoError(c, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(c, os.WriteFile(name, []byte(text), 0o644))
	}
	exit, out := install(home, state.Texts("flags")...)
	if want.True("exit_nonzero") != (exit != cli.OK) {
		return "exit status differs: " + out
	}
	after, err := os.ReadFile(name)
	if err != nil {
		return err.Error()
	}
	changed := string(after) != text
	if want.True("file_unchanged") && changed || want.Has("changed") && want.True("changed") != changed {
		return "the file is changed, or is not: " + string(after)
	}
	if backups, _ := filepath.Glob(name + "?*"); want.Has("backup") && want.True("backup") != (len(backups) > 0) {
		return "a copy is left, or is not"
	}
	for _, command := range want.Texts("kept_commands") {
		if !strings.Contains(string(after), `"`+command+`"`) {
			return command + " is gone: " + string(after)
		}
	}
	events := want.Texts("events")
	if events == nil {
		return ""
	}
	registered, err := agent.Claude.Registered(after)
	require.NoError(c, err)
	for _, event := range events {
		if !slices.ContainsFunc(registered, func(r agent.Registration) bool { return r.Event == event }) {
			return event + " is not registered"
		}
	}
	if len(registered) != len(events) {
		return "other events are registered too"
	}
	return ""
}

// install runs the command in a home folder.
func install(home string, flags ...string) (exit int, out string) {
	var printed bytes.Buffer
	exit = hooks.Main(cli.Env{
		Args: append([]string{"/opt/memory-hooks", "install", "--yes"}, flags...), Dir: home,
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

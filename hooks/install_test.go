package hooks_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
	"whence/internal/cli"
)

// An event that is registered twice does not make up for a missing one.
func TestInstallSeesThatAnEventIsMissing(t *testing.T) {
	for name, edit := range map[string]func(text []byte) []byte{
		"with the same command lines": func(text []byte) []byte { return text },
		"with others":                 func(text []byte) []byte { return bytes.ReplaceAll(text, []byte("trap 'exit 0' EXIT; "), nil) },
	} {
		home := t.TempDir()
		exit, out := install(home)
		require.Equal(t, cli.OK, exit, out)
		file := filepath.Join(home, ".claude", "settings.json")
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		settings := struct {
			Hooks map[string][]json.RawMessage `json:"hooks"`
		}{}
		require.NoError(t, json.Unmarshal(text, &settings))
		registered, err := agent.Claude.Registered(text)
		require.NoError(t, err)
		settings.Hooks["PreCompact"] = append(settings.Hooks["PreCompact"], settings.Hooks["PreCompact"]...)
		delete(settings.Hooks, "SubagentStop")
		text, err = json.Marshal(settings)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(file, edit(text), 0o644))

		exit, out = install(home)
		require.Equal(t, cli.OK, exit, out)
		text, err = os.ReadFile(file)
		require.NoError(t, err)
		again, err := agent.Claude.Registered(text)
		require.NoError(t, err)
		events := func(all []agent.Registration) (names []string) {
			for _, r := range all {
				names = append(names, r.Event)
			}
			slices.Sort(names)
			return names
		}
		require.Equal(t, events(registered), events(again), name)
	}
}

// In a home folder that is also the project, the user's settings are those of the project.
func TestInstallNamesOtherSettingsFilesOnly(t *testing.T) {
	home := t.TempDir()
	for _, scope := range []string{"user", "project", "user"} {
		exit, out := install(home, "--scope", scope)
		require.Equal(t, cli.OK, exit, out)
		require.NotContains(t, out, "also registered", scope)
	}
	exit, out := install(home, "--scope", "local")
	require.Equal(t, cli.OK, exit, out)
	require.Contains(t, out, "also registered in "+filepath.Join(home, ".claude", "settings.json"))
}

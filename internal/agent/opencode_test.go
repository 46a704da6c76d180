package agent_test

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
)

// A plugin names the program that it runs, whatever characters the name has.
func TestPluginProgram(t *testing.T) {
	for _, program := range []string{"memory-hooks", "/home/ann lee/bin/memory-hooks", `C:\Users\Ann\go\bin\memory-hooks.exe`, `a"b\c` + "`${x}`\u2028", "größe/😀"} {
		text := agent.Plugin(program)
		for _, src := range [][]byte{text, bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))} {
			got, ours := agent.PluginProgram(src)
			require.True(t, ours)
			require.Equal(t, program, got)
		}
		require.NotContains(t, string(text), "\u2028")
	}
}

// A file of someone else is not ours, nor is one that names no program.
func TestNotOurPlugin(t *testing.T) {
	text := agent.Plugin("memory-hooks")
	header, rest, _ := bytes.Cut(text, []byte("\n"))
	for name, src := range map[string][]byte{
		"empty":      nil,
		"another":    []byte("export const Other = async () => ({})\n"),
		"no header":  rest,
		"header":     header,
		"no program": bytes.Replace(text, []byte(`const program = "memory-hooks"`), []byte("const program = 1"), 1),
		"empty name": bytes.Replace(text, []byte(`const program = "memory-hooks"`), []byte(`const program = ""`), 1),
	} {
		_, ours := agent.PluginProgram(src)
		require.False(t, ours, name)
	}
}

// OpenCode keeps its settings and its sessions in different places.
func TestOpenCodeTranscripts(t *testing.T) {
	home, data := filepath.FromSlash("/home/ann"), t.TempDir()
	for want, variables := range map[string]map[string]string{
		filepath.Join(home, ".local", "share", "opencode", "opencode.db"): {"XDG_CONFIG_HOME": data},
		filepath.Join(data, "opencode", "opencode.db"):                    {"XDG_DATA_HOME": data},
	} {
		got, err := agent.OpenCode.Transcripts(home, func(name string) string { return variables[name] })
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

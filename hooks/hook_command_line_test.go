package hooks

import (
	"os/exec"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
)

func TestCommandLine(t *testing.T) {
	for _, test := range []struct {
		client              agent.Client
		goos, program, want string
	}{
		{agent.Claude, "linux", "/usr/local/bin/memory-hooks", "trap 'exit 0' EXIT; /usr/local/bin/memory-hooks Stop --agent claude"},
		{agent.Claude, "linux", "memory-hooks", "memory-hooks Stop --agent claude; exit 0"},
		{agent.Codex, "darwin", "/Users/a b/memory-hooks", "trap 'exit 0' EXIT; '/Users/a b/memory-hooks' Stop --agent codex"},
		{agent.Claude, "linux", "/home/o'neil/$x/memory-hooks", `trap 'exit 0' EXIT; '/home/o'\''neil/$x/memory-hooks' Stop --agent claude`},
		{agent.Claude, "windows", `C:\Users\a\memory-hooks.exe`, "C:/Users/a/memory-hooks.exe Stop --agent claude; exit 0"},
		{agent.Claude, "windows", `C:\Program Files\memory-hooks.exe`, "'C:/Program Files/memory-hooks.exe' Stop --agent claude; exit 0"},
		{agent.Codex, "windows", `C:\bin\memory-hooks.exe`, `"C:/bin/memory-hooks.exe" Stop --agent codex || exit 0`},
		{agent.Codex, "windows", "memory-hooks", "memory-hooks Stop --agent codex || exit 0"},
		{agent.Codex, "linux", "memory-hooks", "memory-hooks Stop --agent codex || exit 0"},
		{agent.Gemini, "windows", `C:\o'neil\memory-hooks.exe`, "& 'C:/o''neil/memory-hooks.exe' Stop --agent gemini; exit 0"},
		{agent.Copilot, "windows", "memory-hooks", "memory-hooks Stop --agent copilot; exit 0"},
		{agent.Cursor, "linux", "/a b/memory-hooks", `sh -c 'trap '\''exit 0'\'' EXIT; '\''/a b/memory-hooks'\'' Stop --agent cursor'`},
		{agent.Cursor, "linux", "memory-hooks", "memory-hooks Stop --agent cursor"},
		{agent.Cursor, "windows", `C:\Program Files\memory-hooks.exe`, "'C:/Program Files/memory-hooks.exe' Stop --agent cursor"},
	} {
		got := commandLine(test.client, test.goos, test.program, "Stop")
		require.Equal(t, test.want, got)
		require.True(t, isOurs(got), got)
	}
}

func TestIsOurs(t *testing.T) {
	for command, want := range map[string]bool{
		"memory-hooks Stop":                             true,
		"memory-hooks":                                  true,
		`"/a b/memory-hooks" Stop`:                      true,
		`'/o'\''neil/memory-hooks' Stop`:                true,
		`/a\ b/memory-hooks Stop`:                       true,
		`C:\bin\memory-hooks.exe Stop`:                  true,
		`"C:\Program Files\Memory-Hooks.EXE" Stop`:      true,
		"& 'C:/x y/memory-hooks.exe' Stop":              true,
		"WHENCE_HOME=/x memory-hooks Stop":              true,
		`"${CLAUDE_PLUGIN_ROOT}"/bin/memory-hooks Stop`: true,
		"memory-hooks;true":                             true,
		"sh -c 'memory-hooks Stop'":                     true,
		"sh -c 'echo memory-hooks'":                     false,
		"sh -c ":                                        false,
		"echo memory-hooks":                             false,
		"lint && memory-hooks Stop":                     false,
		"memory-hooks-of-mine Stop":                     false,
		"my-memory-hooks":                               false,
		"memory-remember hook SessionStart":             false,
		"/memory-hooks/run":                             false,
		"":                                              false,
		"'":                                             false,
		"A=":                                            false,
	} {
		require.Equal(t, want, isOurs(command), command)
	}
}

// A word quoted for sh is one word to sh.
func TestQuoteForShell(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no sh")
	}
	for _, program := range []string{"/a b/c", "/o'neil", `/"x"`, "/$HOME/`id`", `/a\b`, "/a;b&c|d", "/日本/é", "~/x", "/a*?[b]", "/!x"} {
		out, err := exec.Command("sh", "-c", "printf %s "+quoteProgram(agent.Claude, "linux", program)).Output()
		require.NoError(t, err)
		require.Equal(t, program, string(out))
		require.Equal(t, program+"/memory-hooks", programOf(quoteProgram(agent.Claude, "linux", program+"/memory-hooks")+" Stop"))
	}
}

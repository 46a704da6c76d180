package hooks_test

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"whence/hooks"
	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/test/repotest"
	"whence/internal/test/storetest"
	"whence/migrate"
	"whence/remember"
	"whence/remember/embedding"
	"whence/remember/mcp"
	"whence/validate"
	"whence/when"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"memory-hooks":    func() { os.Exit(hooks.Main(cli.OS().Within(time.Minute))) },
		"memory-validate": func() { os.Exit(validate.Main(cli.OS().Within(time.Minute))) },
		"memory-migrate":  func() { os.Exit(migrate.Main(cli.OS().Within(time.Minute))) },
		"memory-when":     func() { os.Exit(when.Main(cli.OS().Within(time.Minute))) },
		"memory-remember": func() { os.Exit(remembers(cli.OS().Within(time.Minute))) },
	})
}

// remembers runs memory-remember.
func remembers(env cli.Env) int {
	return remember.Main(env, remember.Parts{Serve: mcp.Serve, Embed: embedding.Vectors})
}

// TestScripts runs the program as agents do.
func TestScripts(t *testing.T) { testscript.Run(t, repotest.Scripts(t)) }

// typed runs the program with arguments, in a home and a project of its own.
func typed(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Setenv("PATH", "") // no worker
	t.Helper()
	home, dir := storetest.ConsentingHome(t), t.TempDir()
	var out, errs bytes.Buffer
	status = hooks.Main(cli.Env{
		Args: append([]string{"/bin/memory-hooks"}, args...), Dir: dir, Stdout: &out, Stderr: &errs, Deadline: time.Minute,
		Stdin: strings.NewReader(`{"session_id":"s","source":"startup"}`),
		Getenv: func(variable string) string {
			return map[string]string{"HOME": home, "USERPROFILE": home, "WHENCE_HOME": home}[variable]
		},
	})
	return status, out.String(), errs.String()
}

// withAgent returns the ways to add --agent to a command line.
func withAgent(c agent.Client, words ...string) [][]string {
	name := string(c)
	return [][]string{
		append(words[:len(words):len(words)], "--agent", name), append([]string{"--agent", name}, words...),
		append(words[:len(words):len(words)], "--agent="+name), append([]string{"--agent=" + name}, words...),
		append(words[:len(words):len(words)], "-agent", name),
	}
}

// A command is a command, whichever agent is named and wherever the flag is.
func TestACommandWithAnAgentIsACommand(t *testing.T) {
	for _, c := range agent.Clients {
		for _, command := range []string{"install", "uninstall"} {
			for _, args := range withAgent(c, command, "--dry-run") {
				status, stdout, stderr := typed(t, args...)
				require.Equal(t, cli.OK, status, "%q: %s", args, stderr)
				if command == "install" {
					require.Contains(t, stdout, c.Title()+", user settings, ", "%q", args)
				}
				for _, other := range agent.Clients {
					require.Equal(t, other == c && command == "install", strings.Contains(stdout, other.Title()+", user settings, "), "%q: %s", args, other)
				}
			}
		}
		for _, command := range []string{"doctor", "last", "report"} {
			for _, args := range withAgent(c, strings.Fields(command)...) {
				status, stdout, stderr := typed(t, args...)
				require.Equal(t, cli.Usage, status, "%q", args)
				require.Empty(t, stdout, "%q", args)
				require.Regexp(t, `^memory-hooks: unknown flag --?agent(=\w+)? `, stderr, "%q", args)
			}
		}
	}
}

// Likewise an event is an event. One that no version of an agent has yet is ignored.
func TestAnEventWithAnAgentIsAnEvent(t *testing.T) {
	unknown := []string{"PreToolUse", "BeforeTool", "BeforeModel", "Notification", "SubagentStart", "PermissionRequest", "Setup", "TaskCompleted", "NotYetInvented"}
	for _, c := range agent.Clients {
		events := slices.Clone(unknown)
		for _, hook := range c.Hooks() {
			events = append(events, hook.Event)
		}
		for _, event := range events {
			for _, args := range withAgent(c, event) {
				status, stdout, stderr := typed(t, args...)
				require.Equal(t, cli.OK, status, "%q: %s", args, stderr)
				require.Empty(t, stderr, "%q", args)
				if c.Canonical(event) == agent.SessionStart {
					require.Contains(t, stdout, "memory-remember", "%q", args)
				}
			}
		}
	}
}

// Anything else is an error that names the commands and events.
func TestAWordThatIsNeitherIsAnError(t *testing.T) {
	for _, c := range agent.Clients {
		for _, word := range []string{"instal", "Install", "INSTALL", "Doctor", "sesionStart", "emacs", "hook", "notYetInvented"} {
			for _, args := range withAgent(c, word) {
				status, stdout, stderr := typed(t, args...)
				require.Equal(t, cli.Usage, status, "%q", args)
				require.Empty(t, stdout, "%q", args)
				require.Contains(t, stderr, "unknown command or event \""+word+"\" (commands: init, install, ", "%q", args)
			}
		}
		for _, args := range withAgent(c, "Stop", "now") {
			status, _, stderr := typed(t, args...)
			require.Equal(t, cli.Usage, status, "%q", args)
			require.Equal(t, "memory-hooks: Stop: unexpected argument \"now\"\n", stderr)
		}
		for _, args := range withAgent(c) {
			status, _, stderr := typed(t, args...)
			require.Equal(t, cli.Usage, status, "%q", args)
			require.Contains(t, stderr, "name a command or an event")
		}
	}
	for _, word := range []string{"install", "Stop", "NotYetInvented", "emacs", ""} {
		for _, args := range withAgent("emacs", word) {
			status, stdout, stderr := typed(t, args...)
			require.Equal(t, cli.Usage, status, "%q", args)
			require.Empty(t, stdout)
			require.Contains(t, stderr, `--agent "emacs": use claude, codex, gemini, copilot`, "%q", args)
		}
	}
}

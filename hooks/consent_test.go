package hooks_test

import (
	"bytes"
	"cmp"
	"database/sql"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/hooks"
	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/test/repotest"
)

// consentSteps are sequences of what the user, their agent and a worker do in two folders, a and b, and what of it is
// stored at their ends. What is said is said behind an event of a prompt, but for a step of the agent.
var consentSteps = []struct{ name, steps, stored string }{
	{"never asked", "say a one, stop a, work", ""},
	{"agreed to", "install, say a one, stop a, work", "one"},
	{"agreed to during a session", "say a one, stop a, install, say a two, stop a, work", "two"},
	{"agreed to for one folder", "install a, say a one, say b two, stop a, work", "one"},
	{"by an agent, in its shell", "shell install, say a one, stop a, work", ""},
	{"withdrawn in a running session", "install, say a one, stop a, work, uninstall, say a two, stop a, work", "one"},
	{"withdrawn by an agent", "install, say a one, stop a, work, shell uninstall, say a two, stop a, work", "one"},
	{"withdrawn, and given again", "install, say a one, stop a, uninstall, say a two, stop a, install, say a three, stop a, work", "one three"},
	{"withdrawn without any event", "install, say a one, stop a, uninstall, step a two, install, say a three, stop a, work", "one three"},
	{"a session without consent, resumed", "install, say a one, stop a, uninstall, new, step a two, install, start a, say a three, stop a, work", "one three"},
	{"off", "install, off a, say a one, stop a, work", ""},
	{"off, and the worker never came", "install, off a, say a one, stop a, on a, say a two, stop a, work", "two"},
	{"off, and resumed", "install, off a, start a, say a one, stop a, on a, start a, say a two, stop a, work", "two"},
	{"off during a turn", "install, say a one, stop a, say a two, off a, step a three, stop a, on a, say a four, stop a, work", "one four"},
	{"on during a turn", "install, off a, say a one, on a, step a two, stop a, say a three, stop a, work", "three"},
	{"off before the worker came", "install, say a one, stop a, off a, work, on a, say a two, stop a, work", "one two"},
	{"in doubt", "install, doubt a, say a one, stop a, work, on a, say a two, stop a, work", "two"},
	{"off in one folder of two", "install, off a, say a one, say b two, stop b, work", "two"},
	{"off where the event did not come from", "install, off a, step a one, stop b, work", ""},
	{"off, and a fork", "install, off a, say a one, stop a, on a, fork, start a, say a two, stop a, work", "two"},
	{"off in a running turn", "install, off a, start a, say a one, sub a, step a two, compact a, step a three, stop a, step a four, on a, stop a, say a five, stop a, work", "five"},
	{"off in a folder whose settings go", "install, off a, say a one, gone a, stop a, say a two, stop a, work", "two"},
	{"off, and the store is busy", "install, off a, busy, say a one, free, on a, stop a, say a two, stop a, work", "two"},
	{"switched off by a variable", "install, disabled, say a one, stop a, enabled, say a two, stop a, work", "two"},
	{"withdrawn beside broken settings", "install, say a one, stop a, work, broken, uninstall, say a two, stop a, work", "one"},
	{"off, and the folder is removed", "install, off a, say a one, removed a, stop b, work", ""},
	{"off by a link that leads elsewhere then", "install, off a, link a, say l one, link b, stop l, work", ""},
	{"off, in records without a folder", "install, off a, bare a one, stop b, bare b two, stop b, work", "two"},
	{"off, and a fork whose original is deleted", "install, off a, start a, say a one, fork, deleted, on a, start a, say a two, stop a, work", "two"},
	{"withdrawn, and a fork that is written later", "install, say a one, stop a, work, uninstall, step a two, pause, install, await, start a, ask a, copy, step a three, stop a, work", "one three"},
	{"another agent than the event says", "install, real a one, stop a, work", "one"},
	{"off without consent", "off a, say a one, stop a, install, on a, say a two, stop a, work", "two"},
}

// Nothing is captured without the user's consent, whatever registers an event, nor while capture is off or in doubt.
func TestNothingIsCapturedWithoutConsent(t *testing.T) {
	withoutWorkers(t)
	for i, client := range agent.Clients {
		steps := consentSteps
		if !client.HasTranscripts() {
			continue // testdata/script/cursor.txtar
		}
		if client != agent.Claude { // each of these in one of the others, which all take the same way
			steps = repotest.Sample(consentSteps, len(agent.Clients)-1, i)
		}
		for _, c := range steps {
			t.Run(string(client)+"/"+c.name, func(t *testing.T) {
				w := &consenting{T: t, client: client, home: repotest.Home(t), user: t.TempDir(), transcript: filepath.Join(t.TempDir(), "s.jsonl")}
				w.folders = map[string]string{"a": t.TempDir(), "b": t.TempDir()}
				for _, step := range strings.Split(c.steps, ", ") {
					w.do(strings.Fields(step))
				}
				var texts []string
				for _, turn := range captured(t, w.home) {
					texts = append(texts, strings.TrimPrefix(turn.Text, said))
				}
				if w.version != "" && client != agent.Claude {
					c.stored = ""
				}
				require.Equal(t, c.stored, strings.Join(texts, " "))
			})
		}
	}
}

// consenting is a user who changes their mind.
type consenting struct {
	*testing.T
	client     agent.Client
	home, user string
	folders    map[string]string
	transcript string
	original   string // of the fork
	version    string // of Claude Code
	records    int
	variables  map[string]string
	fails      bool // the next command
	release    func()
}

// said begins what is said.
const said = "this was said in a folder as number "

func (w *consenting) do(step []string) {
	w.Helper()
	folder := ""
	if len(step) > 1 {
		folder = w.folders[step[1]]
	}
	switch step[0] {
	case "install", "uninstall":
		w.run(folder, "", step[0])
	case "shell":
		w.run("", "CLAUDECODE", step[1])
	case "say":
		w.event(agent.UserPromptSubmit, folder)
		w.say(folder, step[2])
	case "step":
		w.say(folder, step[2])
	case "start":
		w.event(agent.SessionStart, folder)
	case "stop":
		w.event(agent.Stop, folder)
	case "sub":
		w.event(agent.SubagentStop, folder)
	case "compact":
		w.event(agent.PreCompact, folder)
	case "disabled", "enabled":
		w.variables = map[string]string{"WHENCE_DISABLE": map[string]string{"disabled": "1"}[step[0]]}
	case "broken":
		name := filepath.Join(w.user, ".gemini", "settings.json")
		require.NoError(w, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(w, os.WriteFile(name, []byte("{broken"), 0o600))
		w.fails = true
	case "busy":
		db, err := sql.Open("sqlite", filepath.Join(w.home, "memory.db"))
		require.NoError(w, err)
		conn, err := db.Conn(w.Context())
		require.NoError(w, err)
		_, err = conn.ExecContext(w.Context(), `BEGIN IMMEDIATE`)
		require.NoError(w, err)
		w.release = func() { require.NoError(w, errors.Join(conn.Close(), db.Close())) }
	case "free":
		w.release()
	case "gone":
		require.NoError(w, os.Remove(filepath.Join(folder, ".whence.yaml")))
	case "off", "on", "doubt":
		text := map[string]string{"off": "memory_turn_capture: false\n", "on": "", "doubt": "turn_capture: [no\n"}[step[0]]
		require.NoError(w, os.WriteFile(filepath.Join(folder, ".whence.yaml"), []byte(text), 0o600))
	case "removed":
		require.NoError(w, os.RemoveAll(folder))
	case "link":
		w.folders["l"] = filepath.Join(w.user, "link")
		_ = os.Remove(w.folders["l"])
		if err := os.Symlink(folder, w.folders["l"]); err != nil {
			w.Skip("no symbolic links here: ", err)
		}
	case "bare":
		w.event(agent.UserPromptSubmit, folder)
		w.say("", step[2])
	case "pause":
		second := time.Now().Unix() // times are stored in whole seconds
		require.Eventually(w, func() bool { return time.Now().Unix() > second }, time.Minute, 10*time.Millisecond)
	case "ask":
		w.event(agent.UserPromptSubmit, folder)
	case "await":
		w.original, w.transcript = w.transcript, filepath.Join(w.TempDir(), "fork.jsonl")
	case "copy":
		src, err := os.ReadFile(w.original)
		require.NoError(w, err)
		require.NoError(w, os.WriteFile(w.transcript, src, 0o600))
	case "real":
		w.event(agent.UserPromptSubmit, folder)
		w.version = "2.1.329"
		w.say(folder, step[2])
	case "deleted":
		require.NoError(w, os.Remove(w.original))
	case "new":
		w.transcript = filepath.Join(w.TempDir(), "new.jsonl")
	case "fork":
		src, err := os.ReadFile(w.transcript)
		require.NoError(w, err)
		w.original = w.transcript
		w.transcript = filepath.Join(w.TempDir(), "fork.jsonl")
		require.NoError(w, os.WriteFile(w.transcript, src, 0o600))
	case "work":
		readOn(w, w.home)
	default:
		w.Fatal(step)
	}
}

// run runs a command, in one folder or for all, as the user or, with the variable of its shell, as an agent.
func (w *consenting) run(folder, variable, command string) {
	w.Helper()
	args := []string{"/bin/memory-hooks", command, "--agent", string(w.client)}
	if w.fails {
		args = args[:2] // for all agents
	}
	if command == "install" {
		args = append(args, "--yes")
	}
	dir := w.user
	if folder != "" {
		dir, args = folder, append(args, "--scope", "project")
	}
	var errs bytes.Buffer
	status := hooks.Main(cli.Env{
		Args: args, Dir: dir, Stdin: strings.NewReader(""), Stdout: &bytes.Buffer{}, Stderr: &errs,
		Getenv: func(name string) string {
			return map[string]string{"HOME": w.user, "USERPROFILE": w.user, "WHENCE_HOME": w.home, variable: "1"}[name]
		},
	})
	require.Equal(w, w.fails, status != 0, errs.String())
}

func (w *consenting) event(name, folder string) {
	w.Helper()
	input, err := json.Marshal(map[string]string{"session_id": "s", "cwd": folder, "transcript_path": w.transcript, "source": "resume", "prompt": "x"})
	require.NoError(w, err)
	var errs bytes.Buffer
	hooks.Main(cli.Env{
		Args: []string{"memory-hooks", w.client.NativeEvent(name), "--agent", string(w.client)}, Dir: folder, Stdin: bytes.NewReader(input), Stdout: &bytes.Buffer{}, Stderr: &errs,
		Getenv: func(variable string) string {
			return cmp.Or(w.variables[variable], map[string]string{"WHENCE_HOME": w.home}[variable])
		},
	})
	require.Empty(w, errs.String())
}

// say adds a record to the transcript.
func (w *consenting) say(folder, text string) {
	w.Helper()
	w.records++
	line, err := json.Marshal(map[string]any{
		"version": w.version, "type": "user", "uuid": string(rune('a' + w.records)), "sessionId": "s", "cwd": folder, "timestamp": time.Now().UTC().Format(time.RFC3339Nano), "message": map[string]string{"content": said + text},
	})
	require.NoError(w, err)
	file, err := os.OpenFile(w.transcript, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	require.NoError(w, err)
	_, err = file.Write(append(line, '\n'))
	require.NoError(w, err)
	require.NoError(w, file.Close())
}

package hooks_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"whence/hooks"
	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/dispatch"
	"whence/internal/test/storetest"
)

const payments = `"prompt":"a retry of a payment was charged twice, how do we retry payments?"`

// ferry returns a copy of the example and an empty store.
func ferry(t *testing.T) (dir, home string) {
	dir, home = filepath.Join(t.TempDir(), "ferry"), storetest.ConsentingHome(t) // no other folder of the test lies beside it
	require.NoError(t, os.CopyFS(dir, os.DirFS("../examples/ferry")))
	return dir, home
}

// An event that never ends gets no reply, and the program ends in time. The log says which agent sent it.
func TestDeadline(t *testing.T) {
	for event, limit := range map[string]time.Duration{"UserPromptSubmit": dispatch.Deadline, "Stop": dispatch.Deadline} {
		t.Run(event, func(t *testing.T) {
			dir, home := ferry(t)
			synctest.Test(t, func(t *testing.T) {
				never, end := io.Pipe()
				defer end.Close()
				start := time.Now()
				var out, errs bytes.Buffer
				require.Zero(t, hooks.Main(cli.Env{
					Args: []string{"memory-hooks", event, "--agent", "codex"}, Dir: dir, Stdin: never, Stdout: &out, Stderr: &errs,
					Getenv: func(variable string) string { return map[string]string{"WHENCE_HOME": home}[variable] },
				}))
				require.Equal(t, limit, time.Since(start), "on a clock that goes on while all wait")
				require.Empty(t, out.String()+errs.String())
				log, err := os.ReadFile(filepath.Join(home, "hooks.log"))
				require.NoError(t, err)
				require.Contains(t, string(log), "codex "+event)
				require.Contains(t, string(log), "no reply in time: within "+limit.String())
			})
		})
	}
}

// A reply that misses the deadline does not count as shown, and one that is shown is recorded: of several replies close
// to the deadline, the first that arrives is the last.
func TestNothingIsLostAtTheDeadline(t *testing.T) {
	dir, home := ferry(t)
	input := []byte(`{"session_id":"s",` + payments + `}`)
	begin := time.Now()
	require.NotEmpty(t, ask(t, dir, t.TempDir(), "UserPromptSubmit", input))
	usual := time.Since(begin)
	for i := range 40 {
		session := fmt.Sprintf(`{"session_id":"s%d",`+payments+`}`, i)
		first := askWithin(t, usual*time.Duration(i)/20, dir, home, "UserPromptSubmit", []byte(session))
		second := ask(t, dir, home, "UserPromptSubmit", []byte(session))
		require.NotEqual(t, first == "", second == "", "shown once: %q, %q", first, second)
	}
}

// Sessions without an id share nothing, unless the agent has the id elsewhere.
func TestNoSession(t *testing.T) {
	dir, home := ferry(t)
	input := []byte(`{` + payments + `}`)
	require.NotEmpty(t, ask(t, dir, home, "UserPromptSubmit", input))
	require.NotEmpty(t, ask(t, dir, home, "UserPromptSubmit", input))
	require.NoDirExists(t, filepath.Join(home, "sessions"))
	for i := range 2 {
		var out bytes.Buffer
		require.Zero(t, hooks.Main(cli.Env{
			Args: []string{"memory-hooks", "UserPromptSubmit"}, Dir: dir, Stdin: bytes.NewReader(input), Stdout: &out, Stderr: io.Discard, Deadline: time.Minute,
			Getenv: func(variable string) string {
				return map[string]string{"WHENCE_HOME": home, "CLAUDE_CODE_SESSION_ID": "s"}[variable]
			},
		}))
		require.Equal(t, i == 0, out.Len() > 0)
	}
}

// If no state can be written, what applies is still shown.
func TestStateCannotBeWritten(t *testing.T) {
	dir, home := ferry(t)
	require.NoError(t, os.WriteFile(filepath.Join(home, "sessions"), nil, 0o600))
	for _, name := range []string{"UserPromptSubmit", "SessionStart"} {
		require.NotEmpty(t, ask(t, dir, home, name, []byte(`{"session_id":"s","source":"startup",`+payments+`}`)), name)
	}
	log, err := os.ReadFile(filepath.Join(home, "hooks.log"))
	require.NoError(t, err)
	require.Contains(t, string(log), "sessions")
}

// Files in the folder of the states that are not states are kept. Old states are removed, finished or not. Nothing is
// written through a link.
func TestStatesAreOurs(t *testing.T) {
	dir, home := ferry(t)
	input := []byte(`{"session_id":"s","source":"startup",` + payments + `}`)
	ask(t, dir, home, "UserPromptSubmit", input)
	states, err := filepath.Glob(filepath.Join(home, "sessions", "*.json"))
	require.NoError(t, err)
	require.Len(t, states, 1)
	src, err := os.ReadFile(states[0])
	require.NoError(t, err)
	require.NotContains(t, string(src), "payment", "it tells nobody what was shown")

	note := filepath.Join(home, "sessions", "notes.json")
	other := filepath.Join(home, "sessions", strings.Repeat("a", 24)+".json")
	unfinished := func(name string) string {
		return filepath.Join(filepath.Dir(name), "."+filepath.Base(name)+".whence-new")
	}
	for _, name := range []string{note, other, unfinished(other)} {
		require.NoError(t, os.WriteFile(name, nil, 0o600))
		require.NoError(t, os.Chtimes(name, time.Time{}, time.Now().AddDate(0, -1, 0)))
	}
	outside := filepath.Join(home, "outside")
	require.NoError(t, os.WriteFile(outside, []byte("mine"), 0o600))
	if err := os.Symlink(outside, unfinished(states[0])); err != nil {
		t.Log("no symbolic links here: ", err)
	}
	ask(t, dir, home, "SessionStart", input)
	require.FileExists(t, note)
	require.NoFileExists(t, other)
	require.NoFileExists(t, unfinished(other))
	src, err = os.ReadFile(outside)
	require.NoError(t, err)
	require.Equal(t, "mine", string(src))
}

// The size of a state is bounded, and a damaged state is begun anew.
func TestStateIsBounded(t *testing.T) {
	dir, home := ferry(t)
	input := []byte(`{"session_id":"s",` + payments + `}`)
	ask(t, dir, home, "UserPromptSubmit", input)
	states, err := filepath.Glob(filepath.Join(home, "sessions", "*.json"))
	require.NoError(t, err)
	for _, spoilt := range []string{"", "{", `{"shown":"x"}`, `{"shown":["` + strings.Repeat("x", 1<<20) + `"]}`} {
		require.NoError(t, os.WriteFile(states[0], []byte(spoilt), 0o600))
		require.NotEmpty(t, ask(t, dir, home, "UserPromptSubmit", input))
		require.Empty(t, ask(t, dir, home, "UserPromptSubmit", input))
	}
	many, err := json.Marshal(map[string]any{"shown": strings.Split(strings.Repeat("x,", 5000), ",")})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(states[0], many, 0o600))
	ask(t, dir, home, "UserPromptSubmit", input)
	info, err := os.Stat(states[0])
	require.NoError(t, err)
	require.Less(t, info.Size(), int64(32<<10))
}

// A reply keeps to its budget, whatever the titles. Items without room are shown the next time.
func TestBudget(t *testing.T) {
	dir, home := t.TempDir(), storetest.ConsentingHome(t)
	var index, file strings.Builder
	index.WriteString("# Memory Index\n\n## agents/decisions/crane.md\n\n")
	file.WriteString("# Cranes\n")
	for i := range 3 {
		title := fmt.Sprintf("Harbour crane permit %d %s", i, strings.Repeat("x", 3000*(i%2)))
		fmt.Fprintf(&index, "/when lifting with the harbour crane permit %d | %s | harbour crane permit lift\n", i, title)
		fmt.Fprintf(&file, "\n## %s\n\nThe harbour crane needs a permit for each lift. \x1b[31mred\x1b[0m\a\n\n# no heading\n\n%s\n", title, strings.Repeat("A lift of the crane. ", 200))
	}
	for name, text := range map[string]string{"agents/memory-index.md": index.String(), "agents/decisions/crane.md": file.String()} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
	input := []byte(`{"session_id":"s","prompt":"lifting with the harbour crane permit, does the harbour crane need a permit for a lift?"}`)
	seen := 0
	for range 4 {
		text := told(t, ask(t, dir, home, "UserPromptSubmit", input))
		require.LessOrEqual(t, len([]rune(text)), 2000)
		require.NotContains(t, text, "\x1b")
		require.NotContains(t, text, "\a")
		require.NotContains(t, text, "\n# ")
		seen += strings.Count(text, "Harbour crane permit ")
	}
	require.Equal(t, 3, seen)
}

// A long decision leaves room for what follows.
func TestALongDecisionLeavesRoom(t *testing.T) {
	dir, home := t.TempDir(), storetest.ConsentingHome(t)
	for name, text := range map[string]string{
		"agents/memory-index.md": "# Memory Index\n\n## agents/decisions/crane.md\n\n" +
			"/when asking for a permit | Crane permits | harbour crane permit lift harbourmaster\n" +
			"/when stopping a lift | Stopping | harbour crane, wind, gusts\n",
		"agents/decisions/crane.md": "# Cranes\n\n## Crane permits\n\n<!-- situations:\nthe harbour crane needs a permit before the lift\n-->\n\n" +
			strings.Repeat("A permit for the harbour crane. ", 60) + "\n\n## Stopping\n\n<!-- situations:\nthe harbour crane sways in the wind\n-->\n\nAbove 40 knots, " + strings.Repeat("in any wind, ", 40) + "lower the load.\n",
	} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
	for i, prompt := range []string{
		"the harbour crane needs a permit before the lift; the harbour crane sways in the wind",
		"the harbour crane needs a permit before the lift, and I am stopping a lift",
	} {
		text := told(t, ask(t, dir, home, "UserPromptSubmit", fmt.Appendf(nil, `{"session_id":"s%d","prompt":%q}`, i, prompt)))
		require.LessOrEqual(t, len([]rune(text)), 2000)
		require.Contains(t, text, "Crane permits")
		require.Contains(t, text, "Stopping")
	}
}

// After a file was read or a command was run, its text or output counts in addition to the path or command. The text of
// the memory itself does not.
func TestResultsAreLookedUp(t *testing.T) {
	dir, home := ferry(t)
	content := "-- adds a column to booking.leg, which everybody reads\nALTER TABLE booking.leg ADD COLUMN x int;\n-- canceling statement due to lock timeout\n"
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "x"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "x", "there.sql"), []byte(content), 0o644))
	read := func(path string) string {
		return fmt.Sprintf(`"tool_name":"Read","tool_input":{"file_path":%q},"tool_response":{"type":"text","file":{"content":%%q}}`, filepath.Join(dir, path))
	}
	ran := func(command string) string {
		return fmt.Sprintf(`"tool_name":"Bash","tool_input":{"command":%q},"tool_response":{"stdout":%%q}`, command)
	}
	for i, c := range []struct {
		event, result string
		shown         bool
	}{
		{read("x/0150.sql"), content, true},
		{read("x/0150.sql"), "", false},
		{read("x/there.sql"), "", true},
		{read("x/0150.sql"), "A quiet poem about spring.", false},
		{read("agents/decisions/payments.md"), content, false},
		{read("agents/memory-index.md"), content, false},
		{ran("psql -f x/0150.sql"), content, true},
		{ran("psql -f x/0150.sql"), "", false},
		{ran("cat agents/decisions/payments.md"), content, false},
		{ran("cat agents/decisions/*.md"), content, false},
		{ran("grep -rn timeout ."), "agents/decisions/payments.md:7:" + content, false},
		{ran("memory-when 'x'; psql -f x/0150.sql"), content, false},
	} {
		input := fmt.Appendf(nil, `{"session_id":"s%d",`+c.event+`}`, i, c.result)
		require.Equal(t, c.shown, strings.Contains(ask(t, dir, home, "PostToolUse", input), "lock_timeout"), c.event+c.result)
	}
}

// The settings switch off what nobody has asked for; a query is answered.
func TestSwitchedOff(t *testing.T) {
	dir, home := ferry(t)
	settings := []byte("memory_injection_enabled: false\n")
	require.NoError(t, os.WriteFile(filepath.Join(dir, config.ProjectFile), settings, 0o644))
	require.Empty(t, ask(t, dir, home, "UserPromptSubmit", []byte(`{"session_id":"s",`+payments+`}`)))
	require.NotContains(t, ask(t, dir, home, "SessionStart", []byte(`{"session_id":"s","source":"startup"}`)), "/remember")
}

// Unknown events are ignored.
func TestUnknownEvents(t *testing.T) {
	for _, name := range []string{"PreToolUse", "SubagentStart", "StopFailure", "NotYetInvented"} {
		require.Empty(t, ask(t, t.TempDir(), t.TempDir(), name, []byte(`{"session_id":"s","hook_event_name":"`+name+`"}`)))
	}
}

// Recall works with a read-only store.
func TestStoreForReadingOnly(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may write everywhere")
	}
	s := &stage{dir: t.TempDir(), home: storetest.ConsentingHome(t)}
	require.NoError(t, exec.Command("git", "init", "-q", s.dir).Run())
	s.learn(t, "the harbour crane needs a fresh permit before every lift")
	require.NoError(t, os.Chmod(filepath.Join(s.home, "memory.db"), 0o400))
	require.NoError(t, os.Chmod(s.home, 0o500))
	defer os.Chmod(s.home, 0o700)
	input := []byte(`{"session_id":"s","source":"startup","prompt":"does the harbour crane need a fresh permit before a lift?"}`)
	require.Contains(t, ask(t, s.dir, s.home, "UserPromptSubmit", input), "fresh permit")
	require.Contains(t, ask(t, s.dir, s.home, "SessionStart", input), "fresh permit")
}

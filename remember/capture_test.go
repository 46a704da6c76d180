package remember_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
	"whence/internal/capture"
	"whence/internal/cli"
	"whence/internal/dispatch"
)

// A worker reports what it has done to the user who started it, or if an event did, what is
// not done every day, and what went wrong, in the log.
func TestCaptureTellsWhatItHasDone(t *testing.T) {
	l := newLearner(t)
	home := l.settings["WHENCE_HOME"]
	log := func() string {
		t.Helper()
		src, err := os.ReadFile(dispatch.FaultLog(home))
		if !os.IsNotExist(err) {
			require.NoError(t, err)
		}
		return string(src)
	}
	said := 0
	transcript := filepath.Join(t.TempDir(), "s.jsonl")
	say := func() {
		t.Helper()
		said++
		line := fmt.Sprintf(`{"type":"user","uuid":"%d","sessionId":"s","message":{"content":"the code name is number %[1]d"}}`+"\n", said)
		require.NoError(t, os.WriteFile(transcript, []byte(line), 0o600))
		e := agent.Event{Session: "s", Cwd: l.dir, Transcript: transcript}
		require.NoError(t, capture.Register(t.Context(), home, e, capture.Rules{Folder: cli.Root(e.Cwd), Project: l.project(), Capture: true, Days: 180}, time.Now().Add(-time.Minute)))
	}
	require.Equal(t, answer{0, "", "memory-remember: 0 turns captured, 0 old turns deleted, 0 learnings embedded\n"}, l.run("capture"))
	require.NoFileExists(t, filepath.Join(home, "capture.lock"), "nothing is made for nothing")

	l.captured("old", "", 200*24*time.Hour, "what was said half a year ago and more")
	say()
	require.Equal(t, answer{0, "", "memory-remember: 1 turn captured, 1 old turn deleted, 0 learnings embedded\n"}, l.run("capture"))
	require.Empty(t, log())

	say()
	require.Equal(t, answer{}, l.run("capture", "--quiet", "--store", home))
	require.Empty(t, log())

	secret := "ghp_" + strings.Repeat("a1B2", 9)
	require.NoError(t, os.WriteFile(filepath.Join(home, "memory.db"), []byte(strings.Repeat("no database "+secret, 100)), 0o600))
	for _, name := range []string{"memory.db-wal", "memory.db-shm"} {
		_ = os.Remove(filepath.Join(home, name))
	}
	require.Equal(t, 4, l.run("capture", "--quiet", "--store", home).Status)
	require.Contains(t, log(), "it is not a database, or damaged: move it away, or put back a copy\n")
	require.NotContains(t, log(), secret)
	require.Equal(t, 3, l.run("capture", "now").Status)
}

// While it is unclear from the settings whether a session is captured, it is not, and what was said then never is.
// Other mistakes do not matter.
func TestAnEventInDoubtIsNotCaptured(t *testing.T) {
	l := newLearner(t)
	transcript := filepath.Join(t.TempDir(), "s.jsonl")
	require.NoError(t, os.WriteFile(transcript, []byte(`{"type":"user","uuid":"1","sessionId":"s","message":{"content":"the code name is ferry"}}`+"\n"), 0o600))
	event := fmt.Sprintf(`{"session_id":"s","hook_event_name":"PreCompact","cwd":%q,"transcript_path":%q}`, l.dir, transcript)
	l.sets("memory_turn_capture: perhaps")
	require.Zero(t, l.runWith(event, "hook", "PreCompact").Status)
	require.Zero(t, l.run("capture").Status)
	l.sets("memory_injection_limit: many")
	require.Zero(t, l.runWith(strings.ReplaceAll(event, "PreCompact", "UserPromptSubmit"), "hook", "UserPromptSubmit").Status)
	file, err := os.OpenFile(transcript, os.O_APPEND|os.O_WRONLY, 0o600)
	require.NoError(t, err)
	_, err = file.WriteString(`{"type":"user","uuid":"2","sessionId":"s","message":{"content":"the code name is bluebird"}}` + "\n")
	require.NoError(t, errors.Join(err, file.Close()))
	require.Zero(t, l.runWith(event, "hook", "PreCompact").Status)
	require.Zero(t, l.run("capture").Status)
	var all string
	l.query(`SELECT group_concat(text) FROM turns`, &all)
	require.Equal(t, "the code name is bluebird", all)
}

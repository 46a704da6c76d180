package capture_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
	"whence/internal/agent/transcript"
	"whence/internal/capture"
	"whence/internal/test/repotest"
	"whence/internal/test/transcripttest"
)

// recordsOf are the redacted records of a session.
func recordsOf(t testing.TB, name string) (all []transcript.Record) {
	t.Helper()
	source, err := capture.OpenTranscript(t.Context(), name)
	require.NoError(t, err)
	defer source.Close()
	_, _, err = source.Read(transcript.Cursor{}, func(r transcript.Record) error {
		all = append(all, r.Map(clean))
		return nil
	})
	require.NoError(t, err)
	return all
}

// The same session gives the same turns, whichever agent it was of.
func TestTurnsOfAgents(t *testing.T) {
	for _, name := range transcripttest.Names(t, "*") {
		if !strings.HasSuffix(name, "/resumed") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			path := transcripttest.Path(t, name)
			if strings.HasPrefix(name, transcripttest.OpenCode) {
				rows := transcripttest.Rows(t, name)
				path = filepath.Join(t.TempDir(), "opencode.db")
				transcripttest.Write(t, path, rows...)
				path = capture.TranscriptName(path, rows[0].Session.ID)
			}
			var got []string
			asIsThere := strings.NewReplacer("/home/ann/shop/", "", `"`, "") // paths, and what "opencode run" puts around a prompt
			for _, turn := range storedOf(&capture.Filter{}, recordsOf(t, path)) {
				got = append(got, string(turn.Kind)+": "+asIsThere.Replace(turn.Text))
			}
			require.Equal(t, []string{
				"prompt: Why does check.sh fail, and what has to be done about it?",
				"error: [Error] sh check.sh\nExit code 4\nseats: state is not ready",
				"fix: [Fix] sh check.sh\nfailed: Exit code 4\nseats: state is not ready\nthen: Edit state.txt\npasses now",
				"bash: [Bash] sh check.sh",
				"answer: The check fails because state.txt says pending; the crane writes ready only after the manifest is signed, so sign it first.",
				"prompt: Thank you. Which number of seats did we agree on for the small ferry?",
				"answer: The small ferry has 48 seats: the two rows behind the wheelhouse are kept free for the crew, as agreed in the spring.",
			}, got)
		})
	}
}

// What subagents of Gemini CLI say is captured with the session, though it has no event for them.
func TestSubagentsOfGemini(t *testing.T) {
	home, chats := repotest.Home(t), filepath.Join(t.TempDir(), "chats")
	put := func(from, to string) {
		src, err := os.ReadFile(transcripttest.Path(t, from))
		require.NoError(t, err)
		require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o755))
		require.NoError(t, os.WriteFile(to, src, 0o600))
	}
	session := filepath.Join(chats, "session-a.jsonl")
	put("gemini-cli-0.61.0/delegated", session)
	put("gemini-cli-0.61.0/subagent", filepath.Join(chats, "6c1f", "b.jsonl"))
	e := agent.Event{Session: "6c1f", Cwd: t.TempDir(), Transcript: session}
	require.NoError(t, capture.Register(t.Context(), home, e, capture.Rules{Capture: true}, time.Now().Add(-time.Minute)))
	work(t, home)
	var texts []string
	for _, r := range stored(t, home) {
		require.Equal(t, r.Text == "There are 48 seats in seats.txt, in twelve rows of four each, and none of them is reserved.", r.Session == "6c1f", "it is the parent's")
		texts = append(texts, r.Text)
	}
	require.ElementsMatch(t, []string{
		"Have somebody else count the seats of the ferry, and say how many there are.",
		"The ferry has 48 seats: the count was made by another agent, in twelve rows of four seats.",
		"There are 48 seats in seats.txt, in twelve rows of four each, and none of them is reserved.",
	}, texts)
}

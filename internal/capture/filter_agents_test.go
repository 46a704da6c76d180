package capture_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent/transcript"
	"whence/internal/capture"
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

// The same session gives the same turns with each agent.
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
			got = slices.DeleteFunc(got, func(turn string) bool { return turn == "bash: [Bash] cat state.txt" }) // others have a tool for it
			require.Equal(t, []string{
				"prompt: Why does check.sh fail, and what has to be done about it?",
				"error: [Error] sh check.sh\nExit code 4\nseats: state is not ready",
				"fix: [Fix] sh check.sh\nfailed: Exit code 4\nseats: state is not ready\nthen: Edit state.txt\npasses now",
				"bash: [Bash] sh check.sh",
				"bash: [Bash] ls",
				"answer: The check fails because state.txt says pending; the crane writes ready only after the manifest is signed, so sign it first.",
				"prompt: Thank you. Which number of seats did we agree on for the small ferry?",
				"answer: The small ferry has 48 seats: the two rows behind the wheelhouse are kept free for the crew, as agreed in the spring.",
			}, got)
		})
	}
}

package turns_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/turns"
)

// Turns go when they are older than their project keeps them, without anybody's calling for
// it.
func TestOldTurnsAreDeleted(t *testing.T) {
	for settings, want := range map[string][]string{
		"":                              {"it was said a week ago", "it was said just now"},
		"memory_turn_days: 3\n":         {"it was said just now"},
		"memory_turn_days: 0\n":         {"it was said a year ago", "it was said a week ago", "it was said just now"},
		"memory_turn_days: a few\n":     {"it was said a year ago", "it was said a week ago", "it was said just now"},
		"memory_injection_limit: 3\n":   {"it was said a week ago", "it was said just now"},
		"memory_turn_capture: false\n":  {"it was said a week ago", "it was said just now"},
		"memory_turn_days: 100000000\n": {"it was said a year ago", "it was said a week ago", "it was said just now"},
	} {
		t.Run(settings, func(t *testing.T) {
			src := ""
			for days, when := range map[int]string{365: "a year ago", 7: "a week ago"} {
				src += fmt.Sprintf(`{"type":"user","uuid":%q,"sessionId":"s","timestamp":%q,"message":{"content":"it was said %s"}}`, when, time.Now().AddDate(0, 0, -days).UTC().Format(time.RFC3339), when) + "\n"
			}
			home, name := waiting(t, src+say("c", "it was said just now")) // which has no time of its own
			if settings != "" {
				require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(name), config.ProjectFile), []byte(settings), 0o600))
			}
			done := work(t, home)
			require.Equal(t, turns.Done{Jobs: 1, Pruned: 3 - len(want)}, done)
			rows, known := stored(t, home)
			require.Len(t, known, 3)
			var texts []string
			for _, r := range rows {
				texts = append(texts, r.Text)
			}
			require.ElementsMatch(t, want, texts)

			require.NoError(t, os.Chtimes(name, time.Time{}, time.Now()))
			require.NoError(t, turns.AddJob(home, job(name)))
			require.Zero(t, work(t, home).Pruned, "once a day")
		})
	}
}

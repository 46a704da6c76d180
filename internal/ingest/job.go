package ingest

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"time"

	"whence/internal/redact"
	"whence/internal/spool"
)

// Job is what an event leaves to be done.
type Job struct {
	Session       string    `json:"session"`
	Cwd           string    `json:"cwd"`                      // of the agent, absolute
	Transcript    string    `json:"transcript,omitempty"`     // of the session
	SubTranscript string    `json:"sub_transcript,omitempty"` // of a subagent that has stopped
	Answer        string    `json:"answer,omitempty"`         // that was given last, by the subagent if one has stopped
	At            time.Time `json:"at"`
}

// longestAnswer is how many bytes of an answer are kept: more than a turn has.
const longestAnswer = 64 << 10

// Dir is the spool in a folder of package home.
func Dir(home string) string { return filepath.Join(home, "spool") }

// Add puts a job into the spool. Secrets are taken out first.
func Add(home string, j Job) error {
	j.Answer, _ = redact.Text(j.Answer[:min(len(j.Answer), longestAnswer)])
	text, err := json.Marshal(j)
	if err != nil {
		return err
	}
	if err := spool.Add(Dir(home), j.Session, text); err != nil {
		return fmt.Errorf("keep what was said: %w", err)
	}
	return nil
}

package ingest

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"whence/internal/redact"
	"whence/internal/spool"
)

// Job is what an event leaves to be done.
type Job struct {
	Session       string    `json:"session"`
	Cwd           string    `json:"cwd"`                      // of the agent, absolute
	Project       string    `json:"project,omitempty"`        // what is said there belongs to, see knowledge.Talk; "" is to be found out
	Skip          bool      `json:"skip,omitempty"`           // nothing of it is kept, now or later
	Transcript    string    `json:"transcript,omitempty"`     // of the session
	SubTranscript string    `json:"sub_transcript,omitempty"` // of a subagent that has stopped
	Answer        string    `json:"answer,omitempty"`         // that was given last, by the subagent if one has stopped
	At            time.Time `json:"at"`

	Store    string `json:"store,omitempty"`     // the URL of the team's store that it is for; "": the user's own
	StoreSet bool   `json:"store_set,omitempty"` // the user has said so of the whole session, whichever repository it goes to
	Shared   bool   `json:"shared,omitempty"`    // others of the team may find what was said
	Refresh  bool   `json:"refresh,omitempty"`   // nothing was said: the copy of the store is to be refreshed, and to have what Project has
	Only     bool   `json:"only,omitempty"`      // of what was said, that alone which belongs to a repository of this store
}

// How many bytes of an answer are looked at for secrets, and how many are kept: more than a
// turn has. What is looked at is longer, so that no half of a secret is kept.
const (
	longestLook   = 1 << 20
	longestAnswer = 64 << 10
)

// errSecretPath is a job that is not kept.
var errSecretPath = errors.New("the path of the working folder or of the transcript holds a secret: name it otherwise")

// Dir is the spool in a folder of package home.
func Dir(home string) string { return filepath.Join(home, "spool") }

// Add puts a job into the spool. Secrets are taken out first; paths, which would then be
// those of other files, must not hold any.
func Add(home string, j Job) error {
	for _, path := range []string{j.Cwd, j.Transcript, j.SubTranscript} {
		if _, kinds := redact.Text(path); len(kinds) > 0 {
			return fmt.Errorf("keep what was said: %w", errSecretPath)
		}
	}
	j.Session, _ = redact.Text(j.Session)
	j.Answer = withoutHalves(j.Answer)
	text, err := json.Marshal(j)
	if err != nil {
		return err
	}
	if err := spool.Add(Dir(home), j.Session, text); err != nil {
		return fmt.Errorf("keep what was said: %w", err)
	}
	return nil
}

// withoutHalves is the beginning of an answer without secrets, and without a half of one at
// its end.
func withoutHalves(answer string) string {
	looked := answer[:min(len(answer), longestLook)]
	clean, _ := redact.Text(looked)
	if len(looked) < len(answer) && len(clean) <= longestAnswer { // nearly all of it was taken out
		clean = clean[:len(clean)/2]
	}
	return strings.ToValidUTF8(clean[:min(len(clean), longestAnswer)], "")
}

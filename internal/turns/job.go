package turns

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"whence/internal/agent"
	"whence/internal/config"
	"whence/internal/redact"
	"whence/internal/spool"
	"whence/internal/team"
	"whence/internal/transcripts"
)

// jobVersion is the version of Job. It changes with what the worker must know to do a job; jobs then
// name it, see [spool.CheckVersion].
const jobVersion = 1

// Job is the work that an event leaves to a worker.
type Job struct {
	Session       string    `json:"session"`
	Cwd           string    `json:"cwd"`                      // of the agent, absolute
	Project       string    `json:"project,omitempty"`        // of the turns, see team.TurnScope; "": the worker finds it
	Skip          bool      `json:"skip,omitempty"`           // do not capture it, now or later
	Transcript    string    `json:"transcript,omitempty"`     // of the session: its name, see package transcript
	SubTranscript string    `json:"sub_transcript,omitempty"` // of a subagent that has stopped
	Answer        string    `json:"answer,omitempty"`         // the last one, of the subagent if one has stopped
	At            time.Time `json:"at"`

	Store    string `json:"store,omitempty"`     // URL of the team's store; "": the user's own store
	StoreSet bool   `json:"store_set,omitempty"` // the user chose the store for the whole session, whatever the repository
	Shared   bool   `json:"shared,omitempty"`    // others of the team may find the turns
	Refresh  bool   `json:"refresh,omitempty"`   // capture nothing: refresh the replica of the store, and add Project to it
	Only     bool   `json:"only,omitempty"`      // capture only turns of repositories of this store

	// Raw means that the settings were not read yet. The worker reads them, with EnvStore for
	// the store that the environment names, and sets Project, Skip, Store, StoreSet and Shared.
	Raw      bool   `json:"raw,omitempty"`
	EnvStore string `json:"env_store,omitempty"`

	// Late means that the agent may write the end of what was said after the event: the transcript is
	// read again after maxLag.
	Late bool `json:"late,omitempty"`

	// CatchUp means that a session has begun: the worker reads the other transcripts of the
	// project, whose last events may be lost.
	CatchUp bool `json:"look,omitempty"`
}

// NewJob returns the raw job of an event.
func NewJob(e agent.Event, getenv func(string) string, at time.Time) Job {
	store := ""
	if getenv(config.StoreVariable) == config.LocalStore {
		store = config.LocalStore
	}
	return Job{
		Session: e.Session, Cwd: e.Cwd, Transcript: transcripts.Name(e.Transcript, e.Session), SubTranscript: transcripts.Name(e.SubTranscript, e.Subagent), Answer: e.Answer, At: at,
		Late: e.Agent == agent.Copilot, Raw: true, EnvStore: store,
	}
}

// WithSettings returns a raw job with the settings of its folder applied.
func (j Job) WithSettings(c config.Config, s team.Scope) Job {
	j.Raw, j.EnvStore = false, ""
	j.Project, j.StoreSet = s.Turns, c.StoreByUser
	if s.Replica != nil {
		j.Store, j.Shared = s.Replica.URL, c.TurnsShared
	}
	if !c.TurnCapture { // nor captured when that is on again
		j.Answer, j.Skip = "", true
	}
	return j
}

// Bounds of an answer: the part that is scanned for secrets is longer than the part that is
// stored, so that half a secret is not stored.
const (
	maxScannedBytes = 1 << 20
	maxAnswerBytes  = 64 << 10
)

// errSecretPath is returned for a job that cannot be stored.
var errSecretPath = errors.New("the path of the working folder or of the transcript contains a secret: rename it")

// SpoolDir returns the folder of the spool in a folder of package home.
func SpoolDir(home string) string { return filepath.Join(home, "spool") }

// AddJob puts a job into the spool. Secrets are removed first; paths must not contain any. Once
// it returns, only a power failure can lose the job; then the next session that begins reads
// its transcript.
func AddJob(home string, j Job) error {
	_, err := AddReplaceableJob(home, j)
	return err
}

// AddReplaceableJob is AddJob, and returns an id for ReplaceJob.
func AddReplaceableJob(home string, j Job) (id string, err error) {
	text, err := j.text()
	if err == nil {
		id, err = spool.AddReplaceable(SpoolDir(home), j.Session, text)
	}
	if err != nil {
		return "", fmt.Errorf("store a capture job: %w", err)
	}
	return id, nil
}

// ReplaceJob replaces a job that no worker has begun.
func ReplaceJob(home, id string, j Job) error {
	text, err := j.text()
	if err == nil {
		err = spool.Replace(SpoolDir(home), id, text)
	}
	if err != nil {
		return fmt.Errorf("store a capture job: %w", err)
	}
	return nil
}

// text returns a job as it is stored, without secrets.
func (j *Job) text() ([]byte, error) {
	for _, path := range []string{j.Cwd, j.Transcript, j.SubTranscript} {
		if _, kinds := redact.Text(path); len(kinds) > 0 {
			return nil, errSecretPath
		}
	}
	j.Session, _ = redact.Text(j.Session)
	j.Answer = redactAnswer(j.Answer)
	return json.Marshal(j)
}

// redactAnswer returns the beginning of an answer without secrets, and without half of one at
// its end.
func redactAnswer(answer string) string {
	looked := answer[:min(len(answer), maxScannedBytes)]
	clean, _ := redact.Text(looked)
	if len(looked) < len(answer) && len(clean) <= maxAnswerBytes { // nearly all of it was removed
		clean = clean[:len(clean)/2]
	}
	return strings.ToValidUTF8(clean[:min(len(clean), maxAnswerBytes)], "")
}

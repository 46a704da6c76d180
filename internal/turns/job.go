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
)

// Job is what an event leaves to be done.
type Job struct {
	Session       string    `json:"session"`
	Cwd           string    `json:"cwd"`                      // of the agent, absolute
	Project       string    `json:"project,omitempty"`        // what is said there belongs to, see team.TurnScope; "" is to be found out
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

	// Raw means that the job is as the agent sent it: the settings were not read yet. The worker
	// reads them, with EnvStore for WHENCE_STORE, and works out Project, Skip, Store, StoreSet
	// and Shared.
	Raw      bool   `json:"raw,omitempty"`
	EnvStore string `json:"env_store,omitempty"`

	// Look means that a session has begun: the worker reads on in the transcripts beside that
	// one whose last events were lost.
	Look bool `json:"look,omitempty"`
}

// NewJob returns the job of an event, raw.
func NewJob(e agent.Event, getenv func(string) string, at time.Time) Job {
	return Job{
		Session: e.Session, Cwd: e.Cwd, Transcript: e.Transcript, SubTranscript: e.SubTranscript, Answer: e.Answer, At: at,
		Raw: true, EnvStore: withoutSecrets(getenv("WHENCE_STORE")),
	}
}

// Settled returns a raw job as the settings that hold in its folder want it.
func (j Job) Settled(c config.Config, s team.Scope) Job {
	j.Raw, j.EnvStore = false, ""
	j.Project, j.StoreSet = s.Turns, c.StoreByUser
	if s.Replica != nil {
		j.Store, j.Shared = s.Replica.URL, c.TurnsShared
	}
	if !c.TurnCapture { // what is said now is not kept when that is switched on again
		j.Answer, j.Skip = "", true
	}
	return j
}

// How many bytes of an answer are looked at for secrets, and how many are kept: more than a
// turn has. What is looked at is longer, so that no half of a secret is kept.
const (
	longestLook   = 1 << 20
	longestAnswer = 64 << 10
)

// errSecretPath is a job that is not kept.
var errSecretPath = errors.New("the path of the working folder or of the transcript holds a secret: name it otherwise")

// SpoolDir is the spool in a folder of package home.
func SpoolDir(home string) string { return filepath.Join(home, "spool") }

// AddJob puts a job into the spool. Secrets are removed first; paths, which would then be those
// of other files, must not hold any. If Add returns no error, no process that ends can lose
// the job. A loss of power may take the last ones: what their transcripts hold is found when
// a session begins.
func AddJob(home string, j Job) error {
	_, err := PutJob(home, j)
	return err
}

// PutJob is Add. The id it returns is for Replace.
func PutJob(home string, j Job) (id string, err error) {
	text, err := j.text()
	if err == nil {
		id, err = spool.Put(SpoolDir(home), j.Session, text)
	}
	if err != nil {
		return "", fmt.Errorf("keep what was said: %w", err)
	}
	return id, nil
}

// ReplaceJob puts another job in the place of one that no worker has begun.
func ReplaceJob(home, id string, j Job) error {
	text, err := j.text()
	if err == nil {
		err = spool.Replace(SpoolDir(home), id, text)
	}
	if err != nil {
		return fmt.Errorf("keep what was said: %w", err)
	}
	return nil
}

// text is a job as it lies in the spool, without secrets.
func (j *Job) text() ([]byte, error) {
	for _, path := range []string{j.Cwd, j.Transcript, j.SubTranscript} {
		if _, kinds := redact.Text(path); len(kinds) > 0 {
			return nil, errSecretPath
		}
	}
	j.Session, _ = redact.Text(j.Session)
	j.Answer = withoutHalves(j.Answer)
	return json.Marshal(j)
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

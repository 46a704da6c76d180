package ingest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"whence/internal/capture"
	"whence/internal/cli"
	"whence/internal/knowledge"
	"whence/internal/redact"
	"whence/internal/spool"
	"whence/internal/store"
	"whence/internal/transcript"
)

// TimeLimit is how long a worker works at most.
const TimeLimit = 10 * time.Minute

// Done is what a worker has done.
type Done struct {
	Jobs     int
	Imported int      // learnings that an earlier tool had staged
	Pruned   int      // turns that were too old
	Remarks  []string // on what a user may want to know, a line each
}

// Work does the jobs of the spool. If another process is at it, there is nothing to do.
//
// Where the store cannot be used, whatever the job, all jobs stay as they are for the next
// worker. Errors and remarks hold no secrets.
func Work(ctx context.Context, home string, getenv func(string) string) (Done, error) {
	w := worker{ctx: ctx, home: home, getenv: getenv, days: map[string]int{}, projects: map[string]string{}}
	jobs, err := spool.Drain(ctx, Dir(home), func(_ string, text []byte) error { return withoutSecretsIn(w.do(text)) })
	if errors.Is(err, spool.ErrStuck) { // the job goes on, and with it the store
		return Done{Jobs: jobs}, err
	}
	w.done.Jobs = jobs
	if errors.Is(err, spool.ErrBusy) {
		err = nil
	}
	if w.store != nil {
		if !errors.Is(err, spool.ErrNotNow) && ctx.Err() == nil {
			err = errors.Join(err, withoutSecretsIn(w.expire()))
		}
		err = errors.Join(err, w.store.Close())
	}
	return w.done, err
}

// worker is one call of Work.
type worker struct {
	ctx    context.Context
	home   string
	getenv func(string) string
	store  *store.Store   // nil until there is a job
	days   map[string]int // by project: how long turns of it are kept
	done   Done

	projects map[string]string // by folder
}

// inHome is the environment, in which the folder of the store is the worker's.
func (w *worker) inHome(name string) string {
	if name == "WHENCE_HOME" {
		return w.home
	}
	return w.getenv(name)
}

// remark notes what a user may want to know.
func (w *worker) remark(format string, arguments ...any) {
	w.done.Remarks = append(w.done.Remarks, withoutSecrets(fmt.Sprintf(format, arguments...)))
}

// do does a job.
func (w *worker) do(text []byte) error {
	var j Job
	if err := json.Unmarshal(text, &j); err != nil {
		return fmt.Errorf("read a job: %w", err)
	}
	if w.store == nil {
		opened, err := store.Open(w.ctx, w.home)
		if err != nil {
			return fmt.Errorf("%w: %w", spool.ErrNotNow, err)
		}
		w.store = opened
	}
	if j.Project == "" {
		j.Project = knowledge.Talk(j.Cwd, w.ofNoRepository)
	}
	if err := w.capture(j); err != nil || j.Skip {
		return ofStore(err)
	}
	root := cli.Root(j.Cwd)
	w.settle(root, j.Project)
	b, err := knowledge.Of(j.Cwd, j.Cwd, w.inHome, j.Session, j.At)
	if err != nil || b.Project == "" { // what was staged outside of any repository would hold everywhere
		return nil
	}
	return ofStore(w.importStaged(root, b))
}

// capture reads on in the transcripts of a job.
func (w *worker) capture(j Job) error {
	whole, last := []string{j.Transcript}, j.Transcript
	if j.SubTranscript != "" {
		whole, last = append(whole, j.SubTranscript), j.SubTranscript
	}
	for _, name := range whole {
		r := Reading{Transcript: name, Session: j.Session, Project: j.Project, ProjectOf: w.projectOf, Skip: j.Skip}
		if name == last && !j.Skip {
			r.Answer = answer(j)
		}
		if err := Read(w.ctx, w.store, r); err != nil {
			return err
		}
	}
	return nil
}

// ofNoRepository is the environment without what git was told about one repository: that
// is of the agent that has started the worker, and jobs are of others too.
func (w *worker) ofNoRepository(name string) string {
	if strings.HasPrefix(name, "GIT_") {
		return ""
	}
	return w.getenv(name)
}

// projectOf is the repository that a folder is in now; "" if it is in none, or not there.
func (w *worker) projectOf(cwd string) string {
	project, known := w.projects[cwd]
	if !known {
		project = knowledge.Project(cwd, w.ofNoRepository)
		w.projects[cwd] = project
	}
	return project
}

// ofStore tells an error of the store itself from that of a job.
func ofStore(err error) error {
	if store.Unusable(err) {
		return fmt.Errorf("%w: %w", spool.ErrNotNow, err)
	}
	return err
}

// answer is the turn of an answer that an event has told; nil if it says nothing.
func answer(j Job) *store.Turn {
	var f capture.Filter
	turns := f.Add(transcript.Record{
		UUID: "told", Session: j.Session, Type: transcript.Assistant, At: j.At,
		Blocks: []transcript.Block{{Kind: transcript.Text, Text: j.Answer}},
	})
	for _, t := range turns {
		stored := storedTurn(t)
		stored.UUID = ""
		return &stored
	}
	return nil
}

func withoutSecrets(text string) string {
	clean, _ := redact.Text(text)
	return clean
}

// withoutSecretsIn is an error that says what it says without secrets: it names files.
func withoutSecretsIn(err error) error {
	if err == nil {
		return nil
	}
	return &cleanError{err}
}

type cleanError struct{ err error }

func (e *cleanError) Error() string { return withoutSecrets(e.err.Error()) }
func (e *cleanError) Unwrap() error { return e.err }

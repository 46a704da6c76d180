package turns

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"whence/internal/agent/transcript"
	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/redact"
	"whence/internal/spool"
	"whence/internal/store"
	"whence/internal/team"
)

// MaxWorkTime is how long a worker works at most.
const MaxWorkTime = 10 * time.Minute

// Done is what a worker has done.
type Done struct {
	Jobs   int
	Pruned int // turns that were too old
}

// Work does the jobs of the spool. If another process is at it, there is nothing to do.
//
// Where the store cannot be used, whatever the job, all jobs stay as they are for the next
// worker. Errors hold no secrets.
func Work(ctx context.Context, home string, getenv func(string) string) (Done, error) {
	w := worker{ctx: ctx, home: home, getenv: getenv, stores: map[string]*opened{}, places: map[folder]team.Scope{}}
	jobs, err := spool.Drain(ctx, SpoolDir(home), func(_ string, text []byte) error { return withoutSecretsIn(w.do(text)) })
	if errors.Is(err, spool.ErrStuck) { // the job goes on, and with it the store
		return Done{Jobs: jobs}, err
	}
	w.done.Jobs = jobs
	if errors.Is(err, spool.ErrBusy) {
		err = nil
	}
	if !errors.Is(err, spool.ErrNotNow) && ctx.Err() == nil {
		err = errors.Join(err, withoutSecretsIn(w.expire()))
	}
	for _, fault := range w.faults {
		err = errors.Join(err, withoutSecretsIn(fault))
	}
	for _, o := range w.stores {
		err = errors.Join(err, o.store.Close())
	}
	return w.done, err
}

// worker is one call of Work.
type worker struct {
	ctx    context.Context
	home   string
	getenv func(string) string
	stores map[string]*opened // by URL; "" is the user's own
	places map[folder]team.Scope
	done   Done
	faults []error // that have cost no job
}

// folder is one in a session for which the environment names a store, or none.
type folder struct{ cwd, store string }

// opened is a store for which there was a job.
type opened struct {
	store *store.Store
	team  *team.Replica  // whose copy it is; nil: it is the user's own
	days  map[string]int // by project: how long turns of it are kept
}

// open opens the store of a job, once.
func (w *worker) open(j Job) (*opened, error) {
	if o := w.stores[j.Store]; o != nil {
		return o, nil
	}
	dir := w.home
	place, err := team.ReplicaOf(w.home, j.Store) // which was allowed when the job was left
	if err != nil {
		return nil, err
	}
	if place != nil {
		dir = place.Dir()
	}
	s, err := store.Open(w.ctx, dir)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", spool.ErrNotNow, err)
	}
	o := &opened{store: s, team: place, days: map[string]int{}}
	w.stores[j.Store] = o
	return o, nil
}

// inHome is the environment, in which the folder of the stores is the worker's, and the store
// is another: the environment is of the agent that has started the worker, and jobs are of
// others too.
func (w *worker) inHome(store string) func(name string) string {
	return func(name string) string {
		switch name {
		case "WHENCE_HOME":
			return w.home
		case "WHENCE_STORE":
			return store
		}
		return w.getenv(name)
	}
}

// withStore is inHome without what git was told about one repository, for the same reason.
func (w *worker) withStore(store string) func(name string) string {
	inHome := w.inHome(store)
	return func(name string) string {
		if strings.HasPrefix(name, "GIT_") {
			return ""
		}
		return inHome(name)
	}
}

// do does a job.
func (w *worker) do(text []byte) error {
	var j Job
	if err := json.Unmarshal(text, &j); err != nil {
		return fmt.Errorf("read a job: %w", err)
	}
	if j.Raw {
		var err error
		if j, err = w.settled(j); err != nil {
			return err
		}
	}
	o, err := w.open(j)
	if err != nil {
		return err
	}
	if j.Refresh {
		return ofStore(o.see(w.ctx, j.Project))
	}
	named := cmp.Or(j.Store, config.LocalStore)
	getenv := w.inHome(named)
	if j.Project == "" {
		j.Project = team.TurnScope(j.Cwd, w.withStore(named))
	}
	if j.Look {
		return ofStore(w.look(o, j))
	}
	if err := w.capture(o, j); err != nil || j.Skip {
		return ofStore(err)
	}
	root := cli.Root(j.Cwd)
	w.settle(o, getenv, root, j.Project)
	scope, err := team.ScopeOf(j.Cwd, j.Cwd, getenv)
	if err != nil || scope.Project == "" {
		return nil
	}
	return ofStore(o.see(w.ctx, scope.Project))
}

// see has the copy of a team's store follow what a repository learns.
func (o *opened) see(ctx context.Context, project string) error {
	if o.team == nil {
		return nil
	}
	return team.TrackRepository(ctx, o.team, o.store, project)
}

// capture reads on in the transcripts of a job.
func (w *worker) capture(o *opened, j Job) error {
	whole, last := []string{j.Transcript}, j.Transcript
	if j.SubTranscript != "" {
		whole, last = append(whole, j.SubTranscript), j.SubTranscript
	}
	for _, name := range whole {
		r := w.reading(o, j, name)
		if name == last && !j.Skip {
			r.Answer = answer(j)
		}
		if err := ReadTranscript(w.ctx, o.store, r); err != nil {
			return err
		}
	}
	return nil
}

// reading is how a transcript is read on for a job.
func (w *worker) reading(o *opened, j Job, transcript string) Reading {
	return Reading{
		Transcript: transcript, Session: j.Session, Project: j.Project, Skip: j.Skip, Shared: j.Shared, Team: o.team,
		ProjectOf: func(cwd string) string {
			place, _ := w.placeOf(j, cwd) // Elsewhere comes first, and has told an error
			return place.Project
		},
		Elsewhere: w.elsewhere(j, transcript),
	}
}

// elsewhere tells of a folder in which something of a transcript was said whether that is for
// another store than a job's. Then there is a job for that one, before the transcript is known
// to have been read here, so that what was said is lost to neither.
func (w *worker) elsewhere(j Job, transcript string) func(cwd string) (bool, error) {
	left := map[string]bool{}
	return func(cwd string) (bool, error) {
		p, err := w.placeOf(j, cwd)
		if err != nil {
			return false, err
		}
		if p.Project == "" {
			return j.Only, nil
		}
		url := ""
		if p.Replica != nil {
			url = p.Replica.URL
		}
		if url == j.Store || j.Only || left[url] {
			return url != j.Store, nil
		}
		left[url] = true
		return true, AddJob(w.home, Job{Session: j.Session, Cwd: cwd, Project: p.Project, Skip: j.Skip, Transcript: transcript, At: j.At, Store: url, Only: true})
	}
}

// placeOf is where what is said in a folder belongs now, in a session of a job's; the zero
// Place if it is in no repository, or not there. Where the settings cannot be used that is the
// user's own store. An error is that nobody can tell: what was said there is kept in no store,
// and the job is tried again.
func (w *worker) placeOf(j Job, cwd string) (team.Scope, error) {
	if cwd == "" {
		return team.Scope{}, nil
	}
	f := folder{cwd: cwd}
	if j.StoreSet {
		f.store = cmp.Or(j.Store, config.LocalStore)
	}
	place, known := w.places[f]
	if !known {
		var wrong *cli.UsageError
		var err error
		if place, err = team.ScopeOf(cwd, cwd, w.withStore(f.store)); errors.As(err, &wrong) {
			place, err = team.ScopeOf(cwd, cwd, w.withStore(config.LocalStore))
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return team.Scope{}, fmt.Errorf("tell where belongs what was said in %s: %w", cwd, err)
		}
		w.places[f] = place
	}
	return place, nil
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
	var f Filter
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

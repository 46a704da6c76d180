package turns

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"whence/internal/agent/transcript"
	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/home"
	"whence/internal/redact"
	"whence/internal/spool"
	"whence/internal/store"
	"whence/internal/team"
	"whence/internal/transcripts"
)

// MaxWorkTime limits the time of a worker.
const MaxWorkTime = 10 * time.Minute

// maxLag is how long after an event Copilot CLI may write what was said before it: 60 ms were seen.
const maxLag = time.Second

// Done counts the work of a worker.
type Done struct {
	Jobs   int
	Pruned int // turns deleted for their age
}

// Work does the jobs of the spool, unless another process is doing them. If the store cannot be
// used, all jobs stay for the next worker. Errors contain no secrets.
func Work(ctx context.Context, home string, getenv func(string) string) (Done, error) {
	w := worker{ctx: ctx, home: home, getenv: getenv, stores: map[string]*openStore{}, scopes: map[folder]team.Scope{}}
	jobs, err := spool.Drain(ctx, SpoolDir(home), func(_ string, text []byte) error { return redactError(w.do(text)) })
	if errors.Is(err, spool.ErrStuck) { // the job is still running and uses the store
		return Done{Jobs: jobs}, err
	}
	w.done.Jobs = jobs
	if errors.Is(err, spool.ErrBusy) {
		err = nil
	}
	if err == nil {
		err = redactError(w.doLate())
	}
	if !errors.Is(err, spool.ErrNotNow) && ctx.Err() == nil {
		err = errors.Join(err, redactError(w.deleteExpired()))
	}
	for _, fault := range w.faults {
		err = errors.Join(err, redactError(fault))
	}
	for _, o := range w.stores {
		err = errors.Join(err, o.store.Close())
	}
	return w.done, err
}

// worker is the state of one call of Work.
type worker struct {
	ctx    context.Context
	home   string
	getenv func(string) string
	stores map[string]*openStore // by URL; "" is the user's own
	scopes map[folder]team.Scope
	late   []Job // to be done again
	done   Done
	faults []error // that stopped no job
}

// folder is a working folder, with the store that the environment names, if any.
type folder struct{ cwd, store string }

// openStore is an opened store.
type openStore struct {
	store *store.Store
	team  *team.Replica  // whose replica it is; nil: the user's own store
	days  map[string]int // by project: how long its turns are kept
}

// open opens the store of a job, once.
func (w *worker) open(j Job) (*openStore, error) {
	if o := w.stores[j.Store]; o != nil {
		return o, nil
	}
	dir := w.home
	scope, err := team.ReplicaOf(w.home, j.Store) // allowed when the job was added
	if err != nil {
		return nil, err
	}
	if scope != nil {
		dir = scope.Dir()
	}
	s, err := store.Open(w.ctx, dir)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", spool.ErrNotNow, err)
	}
	o := &openStore{store: s, team: scope, days: map[string]int{}}
	w.stores[j.Store] = o
	return o, nil
}

// inHome returns the environment with the worker's home and a given store: the worker was started
// by one agent, but does the jobs of others too.
func (w *worker) inHome(store string) func(name string) string {
	return func(name string) string {
		switch name {
		case "WHENCE_HOME":
			return w.home
		case config.JobVariable:
			return store
		}
		return w.getenv(name)
	}
}

// withStore is inHome without git's variables, which name the repository of one agent.
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
	if err := spool.CheckVersion(text, jobVersion); err != nil {
		return fmt.Errorf("read a job: %w", err)
	}
	var j Job
	if err := json.Unmarshal(text, &j); err != nil {
		return fmt.Errorf("read a job: %w", err)
	}
	err := w.doJob(j)
	if err == nil && j.Late {
		w.late = append(w.late, j)
	}
	return err
}

// doLate does the jobs of agents that write late again. Other workers need not wait for it, and what
// it does not read, a later job does.
func (w *worker) doLate() (err error) {
	for _, j := range w.late {
		select {
		case <-w.ctx.Done():
			return err
		case <-time.After(time.Until(j.At.Add(maxLag))):
		}
		err = errors.Join(err, w.doJob(j))
	}
	return err
}

func (w *worker) doJob(j Job) error {
	if j.Raw {
		var err error
		if j, err = w.withSettings(j); err != nil {
			return err
		}
	}
	o, err := w.open(j)
	if err != nil {
		return err
	}
	if j.Refresh {
		return ofStore(o.team.Track(w.ctx, o.store, j.Project))
	}
	named := cmp.Or(j.Store, config.LocalStore)
	getenv := w.inHome(named)
	if j.Project == "" {
		j.Project = team.TurnScope(j.Cwd, w.withStore(named))
	}
	if j.CatchUp {
		return ofStore(w.catchUp(o, j))
	}
	if err := w.capture(o, j); err != nil || j.Skip {
		return ofStore(err)
	}
	root := cli.Root(j.Cwd)
	w.loadRetention(o, getenv, root, j.Project)
	scope, err := team.ScopeOf(j.Cwd, j.Cwd, getenv)
	if err != nil || scope.Project == "" {
		return nil
	}
	return ofStore(o.team.Track(w.ctx, o.store, scope.Project))
}

// capture reads the transcripts of a job.
func (w *worker) capture(o *openStore, j Job) error {
	whole, last := []string{j.Transcript}, j.Transcript
	subagents, err := transcripts.Subagents(j.Transcript, j.Session)
	if err != nil {
		return fmt.Errorf("look for transcripts of subagents: %w", err)
	}
	whole = append(whole, subagents...)
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

// reading returns the Reading of a transcript for a job.
func (w *worker) reading(o *openStore, j Job, transcript string) Reading {
	return Reading{
		Transcript: transcript, Session: j.Session, Project: j.Project, Skip: j.Skip, Shared: j.Shared, Team: o.team,
		Route: w.route(j, transcript),
	}
}

// route returns the Route of a Reading. A transcript in a work tree, where agents can be made to look for
// it, has no turns of other repositories. If the turns of a folder belong to another store, it adds a
// job for that store before the transcript counts as read in this one, so that no turn is lost.
func (w *worker) route(j Job, transcript string) func(cwd string) (project string, elsewhere bool, err error) {
	added := map[string]bool{}
	tree := home.OuterTree(filepath.Dir(transcript))
	return func(cwd string) (project string, elsewhere bool, err error) {
		if tree != "" && home.OuterTree(cwd) != tree { // a repository has brought it, and speaks for itself alone
			return "", j.Only, nil
		}
		scope, err := w.scopeOf(j, cwd)
		if err != nil || scope.Project == "" {
			return "", j.Only, err
		}
		url := ""
		if scope.Replica != nil {
			url = scope.Replica.URL
		}
		elsewhere = url != j.Store
		if elsewhere && !j.Only && !added[url] {
			added[url] = true
			err = AddJob(w.home, Job{Session: j.Session, Cwd: cwd, Project: scope.Project, Skip: j.Skip, Transcript: transcript, At: j.At, Store: url, Only: true})
		}
		return scope.Project, elsewhere, err
	}
}

// scopeOf returns the scope of a folder, in the session of a job: the zero Scope if it is in no
// repository, or missing. If the settings are invalid, turns go to the user's own store. An error
// means that the scope is unknown for now: no turn is stored, and the job is tried again.
func (w *worker) scopeOf(j Job, cwd string) (team.Scope, error) {
	if cwd == "" {
		return team.Scope{}, nil
	}
	f := folder{cwd: cwd}
	if j.StoreSet {
		f.store = cmp.Or(j.Store, config.LocalStore)
	}
	scope, known := w.scopes[f]
	if !known {
		var wrong *cli.UsageError
		var err error
		if scope, err = team.ScopeOf(cwd, cwd, w.withStore(f.store)); errors.As(err, &wrong) {
			scope, err = team.ScopeOf(cwd, cwd, w.withStore(config.LocalStore))
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return team.Scope{}, fmt.Errorf("find the store for turns of %s: %w", cwd, err)
		}
		w.scopes[f] = scope
	}
	return scope, nil
}

// ofStore marks an error of the store itself, which stops all jobs.
func ofStore(err error) error {
	if store.Unusable(err) {
		return fmt.Errorf("%w: %w", spool.ErrNotNow, err)
	}
	return err
}

// answer returns the turn of the answer in an event; nil if it makes none.
func answer(j Job) *store.Turn {
	var f Filter
	turns := f.Add(transcript.Record{
		UUID: "event", Session: j.Session, Type: transcript.Assistant, At: j.At,
		Blocks: []transcript.Block{{Kind: transcript.Text, Text: j.Answer}},
	})
	for _, t := range turns {
		stored := storedTurn(t)
		stored.UUID = ""
		return &stored
	}
	return nil
}

func redactText(text string) string {
	clean, _ := redact.Text(text)
	return clean
}

// redactError returns an error whose message has no secrets, as file names may.
func redactError(err error) error {
	if err == nil {
		return nil
	}
	return &cleanError{err}
}

type cleanError struct{ err error }

func (e *cleanError) Error() string { return redactText(e.err.Error()) }
func (e *cleanError) Unwrap() error { return e.err }

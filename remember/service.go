package remember

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/home"
	"whence/internal/store"
)

// Service stores, searches and changes learnings for one repository in one agent session. The
// command line and the MCP server share it, with its checks and messages. Messages that agents
// read, such as "Stored: …", do not change.
type Service struct {
	cli.Scope
	Dir     string       // of the store
	Session string       // of the agent; never "", see SessionOf
	Policy  store.Policy // what the agent may store without asking
	Now     func() time.Time

	// OnStored is called after each learning that was stored or changed, unless it is nil. It must return
	// quickly.
	OnStored func()
	// EmbedQuery returns the vector of a query, unless it is nil. If it fails or takes too long,
	// the search uses words only.
	EmbedQuery func(ctx context.Context, text string) (model string, vector []float32, err error)
}

// Open returns the service of the repository that contains a folder. An empty session means the one in
// the environment. Cwd is the folder in which the program was started, as for repo.Open. The service has
// no policy, so it stores nothing for an agent without asking.
func Open(dir, cwd string, getenv func(string) string, session string, now time.Time) (*Service, error) {
	at, err := home.Dir(getenv)
	if err != nil {
		return nil, err
	}
	scope, err := cli.ScopeOf(dir, cwd)
	if err != nil {
		return nil, err
	}
	if session == "" {
		session = SessionOf(getenv, scope.Project, now)
	}
	return &Service{Scope: scope, Dir: at, Session: session, Now: time.Now}, nil
}

// SessionOf returns the id of the agent session of a process, from the variables that agents set. Without one, it
// returns an id for the day and the repository, so that a budget per session becomes one per day.
func SessionOf(getenv func(string) string, project string, now time.Time) string {
	return cmp.Or(getenv("WHENCE_SESSION"), agent.SessionIn(getenv), strings.TrimSpace("day "+now.UTC().Format(time.DateOnly)+" "+project))
}

// scope returns the scope of the learnings that this repository sees.
func (svc *Service) scope() store.Scope { return store.Scope{Project: svc.Project} }

// Read runs a function on the store, for reading. The error is store.ErrNone if there is none.
func (svc *Service) Read(ctx context.Context, run func(*store.Store) error) error {
	return svc.with(ctx, store.OpenReadOnly, run)
}

// write runs a function on the store, which it creates if it is missing.
func (svc *Service) write(ctx context.Context, run func(*store.Store) error) error {
	return svc.with(ctx, store.Open, run)
}

// change runs a function on the store. The error is store.ErrNone if there is none.
func (svc *Service) change(ctx context.Context, run func(*store.Store) error) error {
	return svc.with(ctx, store.OpenExisting, run)
}

func (svc *Service) with(ctx context.Context, open func(ctx context.Context, dir string) (*store.Store, error), run func(*store.Store) error) error {
	s, err := open(ctx, svc.Dir)
	if err != nil {
		return err
	}
	return errors.Join(run(s), s.Close())
}

// exceptNone returns nil for store.ErrNone, as a missing store is like an empty one, and any other error unchanged.
func exceptNone(err error) error {
	if errors.Is(err, store.ErrNone) {
		return nil
	}
	return err
}

func (svc *Service) stored() {
	if svc.OnStored != nil {
		svc.OnStored()
	}
}

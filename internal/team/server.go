package team

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"whence/internal/store"
)

// retryInterval is how long a server that has failed is not asked again by the same process.
const retryInterval = 5 * time.Second

// connectTime is how long a connection to a server may take, whatever is to be done there.
const connectTime = 10 * time.Second

// Server is how a process reaches the servers of its teams. It may be used by several
// goroutines.
type Server struct {
	open store.Dial

	mu          sync.Mutex
	connections map[string]*connection // by folder of the copy
}

// connection is the connection to one server.
type connection struct {
	dialling chan struct{} // holds one token, of who opens it: others wait no longer than they like

	mu     sync.Mutex
	open   *openStore // nil: none is
	err    error      // that it has failed with
	failed time.Time
}

// openStore is a store that is open. It is closed when nobody uses it any more.
type openStore struct {
	store   *store.Store
	users   int
	dropped bool
}

// NewServer is a Server that opens stores by a function; nil if there is none.
func NewServer(dial store.Dial) *Server {
	if dial == nil {
		return nil
	}
	return &Server{open: dial, connections: map[string]*connection{}}
}

// Close closes what is open. Whoever asks later opens it again.
func (s *Server) Close() (err error) {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range s.connections {
		if o := l.current(); o != nil {
			err = errors.Join(err, l.leave(o, true))
		}
	}
	return err
}

// Ask runs something on a team's store, within some time. Where the server cannot be reached,
// or does not answer in time, the error is an [*Away]; what has been done until then is
// unknown, and run may be called twice, so that only under a key of [store.Store.Once] it
// counts once. Where no time is left it is ErrBehind, and nothing is asked. Any other error is
// that of run, or of the context.
func (s *Server) Ask(ctx context.Context, p *Replica, within time.Duration, run func(context.Context, *store.Store) error) error {
	if within <= 0 {
		return ErrBehind
	}
	l := s.connection(p.Dir())
	limited, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	for {
		o, known, err := l.enter(limited, s.open, p.URL)
		if err != nil {
			return l.fail(ctx, limited, p, within, false, err)
		}
		err = run(limited, o.store)
		broken := err != nil && (store.Unusable(err) || limited.Err() != nil)
		_ = l.leave(o, broken) // what was done is done
		if !broken {
			return err
		}
		if !known || limited.Err() != nil {
			return l.fail(ctx, limited, p, within, true, err)
		} // else it was open from before, and may just have been cut off
	}
}

func (s *Server) connection(dir string) *connection {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.connections[dir]
	if l == nil {
		l = &connection{dialling: make(chan struct{}, 1)}
		s.connections[dir] = l
	}
	return l
}

// current is what is open, for one more user.
func (l *connection) current() *openStore {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open != nil {
		l.open.users++
	}
	return l.open
}

// enter is the open store for one more user; known is that it was open before.
func (l *connection) enter(ctx context.Context, dial store.Dial, url string) (o *openStore, known bool, err error) {
	if o := l.current(); o != nil {
		return o, true, nil
	}
	select {
	case l.dialling <- struct{}{}:
		defer func() { <-l.dialling }()
	case <-ctx.Done():
		return nil, false, ctx.Err()
	}
	if o := l.current(); o != nil { // since a moment ago
		return o, false, nil
	}
	if err := l.failing(); err != nil {
		return nil, false, err
	}
	connecting, cancel := context.WithTimeout(ctx, connectTime)
	defer cancel()
	opening, err := dial(connecting, url)
	if err != nil {
		return nil, false, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	o = &openStore{store: opening, users: 1}
	l.open, l.err = o, nil
	return o, false, nil
}

// failing is what the server has failed with a moment ago; nil: nothing.
func (l *connection) failing() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil && time.Since(l.failed) < retryInterval {
		return l.err
	}
	return nil
}

// leave ends the use of a store, and drops it if it is broken.
func (l *connection) leave(o *openStore, broken bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	o.users--
	if broken {
		o.dropped = true
		if l.open == o {
			l.open = nil
		}
	}
	if o.users > 0 || !o.dropped {
		return nil
	}
	return o.store.Close()
}

// fail notes that the server has failed, and returns that, unless the caller has gone. Open
// reports whether the server had been reached.
func (l *connection) fail(ctx, limited context.Context, p *Replica, within time.Duration, open bool, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if again := (*UnavailableError)(nil); errors.As(err, &again) {
		return again
	}
	late := limited.Err() != nil
	if late {
		err = fmt.Errorf("no answer within %v", within)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.err, l.failed = &UnavailableError{Name: p.Name(), Err: err, slow: late && open}, time.Now()
	return l.err
}

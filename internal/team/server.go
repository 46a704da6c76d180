package team

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"whence/internal/store"
)

// retryInterval is how long a process waits before it asks a server again that has failed.
const retryInterval = 5 * time.Second

// connectTime bounds the time to connect to a server.
const connectTime = 10 * time.Second

// Server connects a process to the servers of its teams. Goroutines may share it.
type Server struct {
	open store.Dial

	mu          sync.Mutex
	connections map[string]*connection // by folder of the replica
}

// connection is the connection to one server.
type connection struct {
	connecting chan struct{} // holds a token while a goroutine connects: others wait for it, each until its own deadline

	mu     sync.Mutex
	open   *openStore // or nil
	err    error      // of the last failure
	failed time.Time
}

// openStore is an open store. Once it is dropped, its last user closes it.
type openStore struct {
	store   *store.Store
	users   int
	dropped bool
}

// NewServer returns a Server that opens stores with dial; nil if dial is nil.
func NewServer(dial store.Dial) *Server {
	if dial == nil {
		return nil
	}
	return &Server{open: dial, connections: map[string]*connection{}}
}

// Close closes all connections. A later Ask opens new ones.
func (s *Server) Close() (err error) {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.connections {
		if o := c.acquireOpen(); o != nil {
			err = errors.Join(err, c.release(o, true))
		}
	}
	return err
}

// Ask runs a function on a team's store, within a time limit. If the server cannot be reached or does
// not answer in time, the error is an [UnavailableError], and the function may or may not have taken
// effect. Ask may call run twice, so writes need [store.Store.Once]. If no time is left, the error is
// [ErrBehind]. Any other error comes from run or from the context.
func (s *Server) Ask(ctx context.Context, p *Replica, within time.Duration, run func(context.Context, *store.Store) error) error {
	if within <= 0 {
		return ErrBehind
	}
	c := s.connection(p.Dir())
	limited, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	for {
		o, reused, err := c.acquire(limited, s.open, p.URL)
		if err != nil {
			return c.fail(ctx, limited, p, within, false, err)
		}
		err = run(limited, o.store)
		broken := err != nil && (store.Unusable(err) || limited.Err() != nil)
		_ = c.release(o, broken) // does not change what was done
		if !broken {
			return err
		}
		if !reused || limited.Err() != nil {
			return c.fail(ctx, limited, p, within, true, err)
		} // a reused connection may have been cut off: try a new one
	}
}

// identity asks a server which store it is, and which team the login is in.
func (s *Server) identity(ctx context.Context, p *Replica, within time.Duration) (is store.Identity, err error) {
	err = s.Ask(ctx, p, within, func(ctx context.Context, s *store.Store) (err error) {
		is, err = s.Identity(ctx)
		return err
	})
	return is, err
}

func (s *Server) connection(dir string) *connection {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.connections[dir]
	if l == nil {
		l = &connection{connecting: make(chan struct{}, 1)}
		s.connections[dir] = l
	}
	return l
}

// acquireOpen returns the open store to one more user, or nil if none is open.
func (c *connection) acquireOpen() *openStore {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open != nil {
		c.open.users++
	}
	return c.open
}

// acquire returns a store to one more user; reused reports whether it was already open.
func (c *connection) acquire(ctx context.Context, dial store.Dial, url string) (o *openStore, reused bool, err error) {
	if o := c.acquireOpen(); o != nil {
		return o, true, nil
	}
	select {
	case c.connecting <- struct{}{}:
		defer func() { <-c.connecting }()
	case <-ctx.Done():
		return nil, false, ctx.Err()
	}
	if o := c.acquireOpen(); o != nil { // meanwhile
		return o, false, nil
	}
	if err := c.recentFailure(); err != nil {
		return nil, false, err
	}
	connecting, cancel := context.WithTimeout(ctx, connectTime)
	defer cancel()
	opening, err := dial(connecting, url)
	if err != nil {
		return nil, false, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	o = &openStore{store: opening, users: 1}
	c.open, c.err = o, nil
	return o, false, nil
}

// recentFailure returns the last error of the server, for a while after it failed.
func (c *connection) recentFailure() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil && time.Since(c.failed) < retryInterval {
		return c.err
	}
	return nil
}

// release ends one use of a store, and drops it if it is broken.
func (c *connection) release(o *openStore, broken bool) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	o.users--
	if broken {
		o.dropped = true
		if c.open == o {
			c.open = nil
		}
	}
	if o.users > 0 || !o.dropped {
		return nil
	}
	return o.store.Close()
}

// fail notes that the server has failed, and returns the error. If the caller's context has ended, it returns
// that error and notes nothing. Reached reports whether the server had been reached.
func (c *connection) fail(ctx, limited context.Context, p *Replica, within time.Duration, reached bool, err error) error {
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
	c.mu.Lock()
	defer c.mu.Unlock()
	c.err, c.failed = &UnavailableError{Name: p.Name(), Err: err, slow: late && reached}, time.Now()
	return c.err
}

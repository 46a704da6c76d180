package dispatch

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/sourcegraph/conc"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/home"
)

// Deadline is the maximum time that an agent waits for a reply. WHENCE_HOOK_DEADLINE, for example 500ms, can only
// shorten it, because agents let a repository set variables.
const Deadline = time.Second

// maxRecordTime limits the time for reading and recording an event, before the deadline for the reply begins. It
// leaves time for a reply before agents kill the hook, after 5 s.
const maxRecordTime = 4 * time.Second

// deadlineOf returns the deadline that holds in an environment.
func deadlineOf(env cli.Env) time.Duration {
	limit := cmp.Or(env.Deadline, Deadline)
	if d, err := time.ParseDuration(env.Getenv("WHENCE_HOOK_DEADLINE")); err == nil && d > 0 {
		return min(d, limit)
	}
	return limit
}

// IsDisabled reports whether the environment switches all hooks off.
func IsDisabled(getenv func(string) string) bool { return getenv("WHENCE_DISABLE") == "1" }

// Run answers an event of an agent: it reads the event from standard input, and writes the reply to
// standard output. A fault is logged, and returned for the caller to print; it never blocks the
// agent. With WHENCE_DISABLE=1, Run writes no reply.
func Run(env cli.Env, client agent.Client, name string, handlers Handlers) error {
	if IsDisabled(env.Getenv) {
		return runDisabled(env, client, name, handlers)
	}
	env = env.ForAgent()
	registered := client
	client = client.RunningIn(env.Getenv)
	began, limit := time.Now(), deadlineOf(env)
	r := &Request{Event: agent.Event{Name: name, Agent: client}}
	records := slices.ContainsFunc(handlers[client.Canonical(name)], func(h Handler) bool { return h.Record != nil })
	toRead := limit
	if records {
		toRead = max(limit, Deadline)
	}
	received, err := within(toRead, func() (*Request, error) { return receive(env, client, name, handlers, began) })
	deadline := began.Add(limit)
	if err == nil {
		r = received
	}
	if slices.ContainsFunc(r.handlers, func(h Handler) bool { return h.Record != nil }) {
		_, err = within(max(limit, maxRecordTime-time.Since(began)), func() (any, error) { return nil, r.record() })
		deadline = time.Now().Add(limit)
	}
	var reply agent.Reply
	if len(r.handlers) > 0 && !errors.Is(err, errLate) {
		given, fault := r.answer(deadline, limit)
		reply, err = given, errors.Join(err, fault)
	}
	r.Imported = registered != client
	var out bytes.Buffer
	err = errors.Join(err, reply.Write(&out, r.Event))
	_, _ = env.Stdout.Write(out.Bytes()) // the agent may be gone
	err = errors.Join(err, r.after())
	if err != nil {
		_, _ = within(max(Deadline, limit), func() (any, error) { logEventFault(env, r.Event, err, began); return nil, nil })
	}
	return err
}

// runDisabled records an event under WHENCE_DISABLE=1.
func runDisabled(env cli.Env, client agent.Client, name string, handlers Handlers) error {
	env = env.ForAgent()
	client = client.RunningIn(env.Getenv)
	if !slices.ContainsFunc(handlers[client.Canonical(name)], func(h Handler) bool { return h.Off != nil }) {
		return nil
	}
	_, err := within(maxRecordTime, func() (any, error) {
		r, err := receive(env, client, name, handlers, time.Now())
		if err != nil {
			return nil, err
		}
		var errs []error
		for _, h := range r.handlers {
			if h.Off != nil {
				errs = append(errs, h.Off(r))
			}
		}
		return nil, errors.Join(errs...)
	})
	return err
}

// receive reads the event. The request has no tree and no settings yet, and no handlers if none wants the event.
func receive(env cli.Env, client agent.Client, name string, handlers Handlers, now time.Time) (*Request, error) {
	event, err := agent.Read(env.Stdin, client, name)
	if err != nil {
		return nil, err
	}
	event.Session = cmp.Or(event.Session, env.Getenv(event.Agent.SessionVariable()))
	event.Cwd = cmp.Or(event.Cwd, env.Dir)
	for _, path := range []*string{&event.Cwd, &event.Transcript, &event.SubTranscript} {
		*path = home.Expand(*path, env.Getenv)
	}
	if event.Transcript == "" {
		event.Transcript = event.Agent.Transcript(event.Session, home.UserFolder(env.Getenv), env.Getenv)
	}
	if failure := codexFailure(event); failure != "" {
		event.Fail(failure)
	}
	r := newRequest(env, event, now)
	if client.Uses(event) && (event.Agent == client || !r.isRegistered()) {
		r.handlers = handlers.wanting(event)
	}
	return r, nil
}

// record records what must not be lost of an event: an error does not prevent a reply.
func (r *Request) record() error {
	var errs []error
	for _, h := range r.handlers {
		if h.Record != nil {
			errs = append(errs, h.Record(r))
		}
	}
	return errors.Join(errs...)
}

// after does what follows the reply, each part within Deadline.
func (r *Request) after() error {
	var errs []error
	for _, h := range r.handlers {
		if h.After != nil {
			_, err := within(Deadline, func() (any, error) { return nil, h.After(r) })
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// answer opens the project and computes the reply. At the deadline both are abandoned, unless the reply
// is being recorded as given.
func (r *Request) answer(deadline time.Time, limit time.Duration) (agent.Reply, error) {
	ctx, cancel := context.WithDeadline(context.Background(), deadline)
	defer cancel()
	var c claim
	done := start(func() (agent.Reply, error) {
		if err := r.open(); err != nil {
			return agent.Reply{}, err
		}
		defer r.Close()
		return r.runHandlers(ctx, &c)
	})
	select {
	case answered := <-done:
		return answered.value, answered.err
	case <-ctx.Done():
	}
	if c.take() == nil {
		return agent.Reply{}, lateError(limit)
	}
	answered := <-done
	return answered.value, answered.err
}

// runHandlers runs all handlers concurrently, and composes their reply.
func (r *Request) runHandlers(ctx context.Context, c *claim) (agent.Reply, error) {
	parts := make([]RenderFunc, len(r.handlers))
	errs := make([]error, len(r.handlers))
	var running conc.WaitGroup
	for i, h := range r.handlers {
		if h.Run != nil {
			running.Go(func() { parts[i], errs[i] = h.Run(ctx, r) })
		}
	}
	running.Wait()                    // panics if one did
	if r.Name == agent.SessionStart { // reported once a session
		errs = append(errs, r.SettingsError)
	}
	if r.Begins() && r.Home != "" {
		errs = append(errs, removeOldSessions(r.Home, r.Now))
	}
	parts = slices.DeleteFunc(parts, func(render RenderFunc) bool { return render == nil })
	reply, err := r.compose(ctx, parts, c)
	return reply, errors.Join(once(append(errs, err))...)
}

// once returns the errors without nil and without repeated messages: several handlers may fail to read the same memory.
func once(errs []error) []error {
	said := map[string]bool{}
	return slices.DeleteFunc(errs, func(err error) bool {
		if err == nil {
			return true
		}
		isRepeated := said[err.Error()]
		said[err.Error()] = true
		return isRepeated
	})
}

// compose renders the reply with the session, and saves the changed session. If it cannot be saved, the
// reply is given anyway: rather twice than never. The claim is taken before the reply is recorded as given.
func (r *Request) compose(ctx context.Context, parts []RenderFunc, c *claim) (reply agent.Reply, err error) {
	if len(parts) == 0 && !forgets(r.Event) {
		return reply, nil
	}
	var rendered *Session
	var notice string
	err = r.updateSession(c, func(s *Session) {
		if r.Begins() {
			s.Shown = nil
		} else if forgets(r.Event) {
			s.forget(r.Subagent, r.Now)
		}
		reply, rendered = renderAll(parts, s), s
		notice = r.notice(s)
	})
	if errors.Is(err, errLate) || err != nil && ctx.Err() != nil {
		return agent.Reply{}, err
	}
	if rendered == nil {
		return renderAll(parts, &Session{}), err
	}
	if err != nil {
		return reply, err
	}
	reply = withNotice(reply, notice)
	var errs []error
	for _, run := range rendered.after { // work that hangs must not hold up the reply
		until, _ := ctx.Deadline()
		_, err := within(Deadline+time.Until(until), func() (any, error) { return nil, run(ctx) })
		if errors.Is(err, errLate) {
			err = errHung
		}
		errs = append(errs, err)
	}
	return reply, errors.Join(errs...)
}

// renderAll renders all parts of a reply.
func renderAll(parts []RenderFunc, s *Session) (reply agent.Reply) {
	for _, render := range parts {
		part := render(s)
		if reply.Context != "" && part.Context != "" {
			reply.Context = strings.TrimSuffix(reply.Context, "\n") + "\n\n"
		}
		if reply.Block != "" && part.Block != "" {
			reply.Block += "\n"
		}
		if reply.Notice != "" && part.Notice != "" {
			reply.Notice += "; "
		}
		reply.Notice += part.Notice
		reply.Context += part.Context
		reply.Block += part.Block
	}
	return reply
}

// Begins reports whether a session begins in which the agent was shown nothing yet.
func (r *Request) Begins() bool {
	return r.Name == agent.SessionStart && (r.Source == "startup" || r.Source == "clear")
}

// forgets reports whether an agent no longer has what it was shown: its session begins or is
// cleared, or its conversation is compacted, but not if the session is resumed. Claude Code also
// reports a compaction afterwards, others only before. Gemini CLI reports one before every request,
// whether or not it compacts.
func forgets(e agent.Event) bool {
	switch e.Name {
	case agent.SessionStart:
		return e.Source == "startup" || e.Source == "clear" || e.Source == "compact"
	case agent.PreCompact:
		return e.Agent.RunsAt(agent.PreCompact)
	}
	return false
}

// errLate reports that something was not done in time.
var errLate = errors.New("no reply in time")

func lateError(limit time.Duration) error { return fmt.Errorf("%w: within %v", errLate, limit) }

// errHung reports that work after a reply took too long.
var errHung = errors.New("the reply was given, but changing a file or a lock after it took too long")

// claim is taken once: by the reply, when it is recorded as given, or by the deadline, after which
// no reply is given.
type claim struct{ taken atomic.Bool }

func (c *claim) take() error {
	if !c.taken.CompareAndSwap(false, true) {
		return errLate
	}
	return nil
}

// within calls a function that may hang, for example on a disk that does not answer, and returns its
// result. After the limit it returns errLate; the function may then run until the process ends.
func within[T any](limit time.Duration, run func() (T, error)) (T, error) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case done := <-start(run):
		return done.value, done.err
	case <-timer.C:
		var none T
		return none, lateError(limit)
	}
}

// result holds the value and the error that a function returned.
type result[T any] struct {
	value T
	err   error
}

// start calls a function in the background. A panic is returned as an error.
func start[T any](run func() (T, error)) <-chan result[T] {
	done := make(chan result[T], 1)
	go func() {
		var r result[T]
		defer func() {
			if p := recover(); p != nil {
				r = result[T]{err: recovered(p)}
			}
			done <- r
		}()
		r.value, r.err = run()
	}()
	return done
}

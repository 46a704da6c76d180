package dispatch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/home"
	"whence/internal/parallel"
)

// Deadline is how long an agent waits for a reply, unless WHENCE_HOOK_DEADLINE is set, as in 500ms.
const Deadline = 200 * time.Millisecond

// DeadlineOf returns the deadline that the environment sets.
func DeadlineOf(getenv func(string) string) time.Duration {
	if d, err := time.ParseDuration(getenv("WHENCE_HOOK_DEADLINE")); err == nil && d > 0 {
		return d
	}
	return Deadline
}

// MaxCaptureTime is how long an agent waits until what must not be lost is on disk: longer than for
// a reply, and well below the 3 s that the least patient agent allows an event.
const MaxCaptureTime = 2 * time.Second

// IsDisabled reports whether the environment switches all hooks off.
func IsDisabled(getenv func(string) string) bool { return getenv("WHENCE_DISABLE") == "1" }

// Handler is the part of a program that answers one kind of event.
type Handler struct {
	// Wants reports whether there is anything to do, judging by the event alone: no file has been
	// opened. Nil wants every event. The working folder is set.
	Wants func(agent.Event) bool
	// Capture saves what must not be lost of an event. It is called before the project is opened,
	// has MaxCaptureTime, and must not depend on settings: the Request has no tree and no settings
	// yet. What it returns becomes Request.Captured. Nil captures nothing.
	Capture func(*Request) (kept string, err error)
	// Run computes its part of the reply. A nil RenderFunc has none. A RenderFunc counts even beside
	// an error.
	Run func(context.Context, *Request) (RenderFunc, error)
}

// RenderFunc renders a part of the reply and updates the session. It may be called twice, each time
// with the session as it was before. Session.After registers what is to be done only if the reply is
// given.
type RenderFunc func(*Session) agent.Reply

// Handlers maps the names of events to their handlers.
type Handlers map[string][]Handler

// Join returns the handlers of several programs, in their order.
func Join(all ...Handlers) Handlers {
	joined := Handlers{}
	for _, handlers := range all {
		for name, some := range handlers {
			joined[name] = append(joined[name], some...)
		}
	}
	return joined
}

// to returns the handlers that want an event.
func (h Handlers) to(e agent.Event) (run []Handler) {
	for _, handler := range h[e.Name] {
		if handler.Wants == nil || handler.Wants(e) {
			run = append(run, handler)
		}
	}
	return run
}

// captures reports whether a handler of an event has a Capture.
func (h Handlers) captures(name string) bool {
	return slices.ContainsFunc(h[name], func(handler Handler) bool { return handler.Capture != nil })
}

// errLate reports that a reply was not ready in time.
var errLate = errors.New("no reply in time")

// errHung reports that work after a reply took too long.
var errHung = errors.New("the reply was given, but changing a file or a lock after it took too long")

// claim is taken once: by the reply, when it is recorded as given, or by the deadline, after which
// no reply is given.
type claim struct{ taken atomic.Bool }

func (c *claim) take() bool { return c.taken.CompareAndSwap(false, true) }

// Run answers an event of an agent: the event on standard input, the reply on standard output. A
// fault is logged, and returned for the caller to print; it never blocks the agent. With
// WHENCE_DISABLE=1 Run does nothing.
func Run(env cli.Env, client agent.Client, name string, handlers Handlers) error {
	if IsDisabled(env.Getenv) {
		return nil
	}
	client = client.RunningIn(env.Getenv)
	start := time.Now()
	o := answerEvent(env, client, name, handlers, start)
	var out bytes.Buffer
	o.err = errors.Join(o.err, o.reply.Write(&out, o.event))
	_, _ = env.Stdout.Write(out.Bytes()) // the agent may be gone
	grace := max(Deadline, DeadlineOf(env.Getenv))
	_ = within(grace, func() error {
		if o.err != nil {
			logEventFault(env, o.event, time.Since(start), o.err, start)
		}
		logEvent(env, o, time.Since(start), start)
		return nil
	})
	if o.request != nil {
		_ = within(time.Until(o.deadline)+grace, func() error {
			ctx, cancel := context.WithDeadline(context.Background(), o.deadline)
			defer cancel()
			if err := o.request.Finish(ctx); err != nil {
				logEventFault(env, o.event, time.Since(start), err, start)
			}
			return nil
		})
	}
	return o.err
}

// within calls a function that may hang, as on a disk that does not answer, and returns its error.
// It returns errHung after the limit; the function may then run until the process ends. A panic is
// returned as an error.
func within(limit time.Duration, run func() error) error {
	done := make(chan error, 1)
	go func() {
		var err error
		defer func() {
			if p := recover(); p != nil {
				err = parallel.Recovered(p)
			}
			done <- err
		}()
		err = run()
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case err := <-done:
		return err
	case <-timer.C:
		return errHung
	}
}

// outcome is the result of handling an event.
type outcome struct {
	event    agent.Event
	request  *Request // nil if there was nothing to do, or the project was not opened
	deadline time.Time
	reply    agent.Reply
	items    []string // that are in the reply
	err      error
}

// answerEvent reads an event, has kept what must not be lost, and then has it answered. Each
// of the two has its own deadline; one that is late is not waited for.
func answerEvent(env cli.Env, client agent.Client, name string, handlers Handlers, start time.Time) outcome {
	limit := DeadlineOf(env.Getenv)
	keepLimit, keeps := limit, handlers.captures(client.Canonical(name))
	if keeps {
		keepLimit = max(limit, MaxCaptureTime)
	}
	begun := make(chan received, 1)
	go func() { begun <- receive(env, client, name, handlers, start) }()
	var b received
	select {
	case b = <-begun:
	case <-time.After(keepLimit):
		return outcome{event: agent.Event{Name: name, Agent: client}, err: fmt.Errorf("%w: within %v", errLate, keepLimit)}
	}
	o := outcome{event: b.event, deadline: start.Add(limit), err: b.err}
	if keeps {
		o.deadline = time.Now().Add(limit)
	}
	if len(b.handlers) == 0 {
		return o
	}
	ctx, cancel := context.WithDeadline(context.Background(), o.deadline)
	defer cancel()
	done := make(chan outcome, 1)
	var reply claim
	go func() { done <- handle(ctx, o, b, &reply) }()
	select {
	case answered := <-done:
		return answered
	case <-ctx.Done():
	}
	if !reply.take() { // it is written down as given, which is all that is left to be done
		return <-done
	}
	late := o
	late.err = errors.Join(o.err, fmt.Errorf("%w: within %v", errLate, limit))
	return late
}

// received is an event before its project is opened.
type received struct {
	event    agent.Event
	handlers []Handler // that want the event
	request  *Request  // without tree and settings
	err      error
}

// receive reads the event and captures what must not be lost. An error of a capture does not prevent
// a reply. A panic is returned as an error.
func receive(env cli.Env, client agent.Client, name string, handlers Handlers, now time.Time) (b received) {
	b.event = agent.Event{Name: name, Agent: client}
	defer func() {
		if p := recover(); p != nil {
			b.err = errors.Join(b.err, parallel.Recovered(p))
		}
	}()
	event, err := agent.Read(env.Stdin, client, name)
	if err != nil {
		b.err = err
		return b
	}
	if event.Session == "" {
		event.Session = env.Getenv(client.SessionVariable())
	}
	if event.Cwd == "" {
		event.Cwd = env.Dir
	}
	for _, path := range []*string{&event.Cwd, &event.Transcript, &event.SubTranscript} {
		*path = home.Expand(*path, env.Getenv)
	}
	b.event = event
	run := handlers.to(event)
	if len(run) == 0 {
		return b
	}
	if b.request, b.err = newRequest(env, event, now); b.err != nil {
		return b
	}
	b.handlers = run
	for _, h := range run {
		if h.Capture != nil && !b.request.Trial {
			captured, err := h.Capture(b.request)
			b.request.Captured, b.err = captured, errors.Join(b.err, err)
		}
	}
	return b
}

// handle opens the project and computes the reply. A panic is returned as an error. The claim is
// taken before the reply is recorded as given.
func handle(ctx context.Context, was outcome, b received, reply *claim) (o outcome) {
	o = was
	defer func() {
		if p := recover(); p != nil {
			o.reply, o.err = agent.Reply{}, errors.Join(was.err, parallel.Recovered(p))
		}
	}()
	if err := b.request.open(); err != nil {
		o.err = errors.Join(was.err, err)
		return o
	}
	defer b.request.Close()
	o.request = b.request
	o.reply, o.items, o.err = o.request.runHandlers(ctx, b.handlers, reply)
	o.err = errors.Join(was.err, o.err)
	return o
}

// runHandlers runs all handlers concurrently, and composes their reply.
func (r *Request) runHandlers(ctx context.Context, run []Handler, reply *claim) (agent.Reply, []string, error) {
	parts := make([]RenderFunc, len(run))
	errs := make([]error, len(run), len(run)+2)
	work := make([]func(), len(run))
	for i, h := range run {
		work[i] = func() { parts[i], errs[i] = h.Run(ctx, r) }
	}
	parallel.Do(work...)              // panics if one did
	if r.Name == agent.SessionStart { // reported once a session
		errs = append(errs, r.SettingsError)
	}
	if r.Begins() && !r.Trial {
		errs = append(errs, removeOldSessions(ctx, r.Home, r.Now))
	}
	composed, items, err := r.compose(ctx, parts, reply)
	return composed, items, errors.Join(append(errs, err)...)
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
		return e.Agent != agent.Gemini
	}
	return false
}

// compose renders the reply with the session, and saves what that changes. If the session cannot be
// saved, the reply is given anyway: rather twice than never. It returns the items in the reply.
func (r *Request) compose(ctx context.Context, parts []RenderFunc, reply *claim) (composed agent.Reply, items []string, err error) {
	parts = slices.DeleteFunc(parts, func(render RenderFunc) bool { return render == nil })
	if len(parts) == 0 && !(forgets(r.Event) && r.hasSessionFile()) {
		return agent.Reply{}, nil, nil
	}
	var after []func(context.Context) error
	render := func(s *Session) {
		composed, s.pendingReply = agent.Reply{}, pendingReply{}
		for _, part := range parts {
			next := part(s)
			s.chars += utf8.RuneCountInString(next.Context)
			composed = join(composed, next)
		}
		items, after, s.pendingReply = s.items, s.after, pendingReply{}
	}
	rendered := false
	err = r.updateSession(ctx, reply, func(s *Session) {
		rendered = true
		switch {
		case r.Begins():
			s.Shown = nil
		case forgets(r.Event):
			s.forget(r.Subagent)
			if r.Subagent == "" {
				s.ForgotAt = r.Now
			}
		}
		render(s)
	})
	switch {
	case errors.Is(err, errLate) || ctx.Err() != nil && err != nil:
		return agent.Reply{}, nil, err
	case !rendered:
		render(&Session{})
	}
	if err == nil {
		for _, run := range after { // work that hangs must not hold up the reply
			limit := Deadline
			if until, bounded := ctx.Deadline(); bounded {
				limit += time.Until(until)
			}
			err = errors.Join(err, within(limit, func() error { return run(ctx) }))
		}
	}
	return composed, items, err
}

// join appends one reply to another.
func join(a, b agent.Reply) agent.Reply {
	if a.Block == "" {
		a.Block = b.Block
	} else if b.Block != "" {
		a.Block += "\n" + b.Block
	}
	if a.Context != "" && b.Context != "" {
		a.Context = strings.TrimSuffix(a.Context, "\n") + "\n\n" + b.Context
	} else {
		a.Context += b.Context
	}
	return a
}

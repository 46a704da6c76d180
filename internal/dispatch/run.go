package dispatch

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/home"
	"whence/internal/parallel"
)

// IsDisabled reports whether the environment switches all hooks off.
func IsDisabled(getenv func(string) string) bool { return getenv("WHENCE_DISABLE") == "1" }

// Run answers an event of an agent: the event on standard input, the reply on standard output. A
// fault is logged, and returned for the caller to print; it never blocks the agent. With
// WHENCE_DISABLE=1 Run does nothing.
func Run(env cli.Env, client agent.Client, name string, handlers Handlers) error {
	if IsDisabled(env.Getenv) {
		return nil
	}
	env = env.ForAgent()
	start := time.Now()
	o := answerEvent(env, client.RunningIn(env.Getenv), name, handlers, start)
	var out bytes.Buffer
	o.err = errors.Join(o.err, o.reply.Write(&out, o.event))
	_, _ = env.Stdout.Write(out.Bytes()) // the agent may be gone
	grace := max(Deadline, DeadlineOf(env.Getenv))
	_ = within(grace, func() error {
		if o.err != nil {
			logEventFault(env, o.event, o.err, start)
		}
		return nil
	})
	return o.err
}

// outcome is the result of handling an event.
type outcome struct {
	event    agent.Event
	handlers []Handler // that want the event
	request  *Request  // nil if there was nothing to do, or the project was not opened
	deadline time.Time
	reply    agent.Reply
	err      error
}

// answerEvent receives an event and then handles it. At the deadline both are abandoned.
func answerEvent(env cli.Env, client agent.Client, name string, handlers Handlers, start time.Time) outcome {
	limit := DeadlineOf(env.Getenv)
	toReceive := limit
	if handlers.record(client.Canonical(name)) {
		toReceive = max(limit, maxRecordTime)
	}
	receiving := make(chan outcome, 1)
	go func() { receiving <- receive(env, client, name, handlers, start) }()
	var o outcome
	select {
	case o = <-receiving:
	case <-time.After(toReceive):
		return outcome{event: agent.Event{Name: name, Agent: client}, err: lateError(toReceive)}
	}
	o.deadline = start.Add(limit)
	if toReceive > limit {
		o.deadline = time.Now().Add(limit)
	}
	if len(o.handlers) == 0 {
		return o
	}
	request := o.request
	o.request = nil // from here on it belongs to handle
	ctx, cancel := context.WithDeadline(context.Background(), o.deadline)
	defer cancel()
	done := make(chan outcome, 1)
	var reply claim
	go func() { done <- handle(ctx, o, request, &reply) }()
	select {
	case answered := <-done:
		return answered
	case <-ctx.Done():
	}
	if !reply.take() { // it is recorded as given; only writing it is left
		return <-done
	}
	late := o
	late.err = errors.Join(o.err, lateError(limit))
	return late
}

// receive reads the event, and records what must not be lost. An error of that does not prevent a reply. A panic is returned as an error. The request has no tree and no settings yet.
func receive(env cli.Env, client agent.Client, name string, handlers Handlers, now time.Time) (o outcome) {
	o.event = agent.Event{Name: name, Agent: client}
	defer func() {
		if p := recover(); p != nil {
			o.err = errors.Join(o.err, parallel.Recovered(p))
		}
	}()
	event, err := agent.Read(env.Stdin, client, name)
	if err != nil {
		o.err = err
		return o
	}
	event.Session = cmp.Or(event.Session, env.Getenv(client.SessionVariable()))
	event.Cwd = cmp.Or(event.Cwd, env.Dir)
	for _, path := range []*string{&event.Cwd, &event.Transcript, &event.SubTranscript} {
		*path = home.Expand(*path, env.Getenv)
	}
	if event.Transcript == "" {
		event.Transcript = client.Transcript(event.Session, home.UserFolder(env.Getenv), env.Getenv)
	}
	o.event = event
	wanting := handlers.wanting(event)
	if len(wanting) == 0 {
		return o
	}
	o.request, o.handlers = newRequest(env, event, now), wanting
	for _, h := range wanting {
		if h.Record != nil {
			o.err = errors.Join(o.err, h.Record(o.request))
		}
	}
	return o
}

// handle opens the project and computes the reply. A panic is returned as an error. The claim is
// taken before the reply is recorded as given.
func handle(ctx context.Context, received outcome, r *Request, reply *claim) (o outcome) {
	o = received
	defer func() {
		if p := recover(); p != nil {
			o.reply, o.err = agent.Reply{}, errors.Join(received.err, parallel.Recovered(p))
		}
	}()
	if err := r.open(); err != nil {
		o.err = errors.Join(received.err, err)
		return o
	}
	defer r.Close()
	o.request = r
	o.reply, o.err = r.runHandlers(ctx, o.handlers, reply)
	o.err = errors.Join(received.err, o.err)
	return o
}

// runHandlers runs all handlers concurrently, and composes their reply.
func (r *Request) runHandlers(ctx context.Context, handlers []Handler, reply *claim) (agent.Reply, error) {
	parts := make([]RenderFunc, len(handlers))
	errs := make([]error, len(handlers))
	work := make([]func(), len(handlers))
	for i, h := range handlers {
		work[i] = func() { parts[i], errs[i] = h.Run(ctx, r) }
	}
	parallel.Do(work...)              // panics if one did
	if r.Name == agent.SessionStart { // reported once a session
		errs = append(errs, r.SettingsError)
	}
	if r.Begins() && !r.Homeless {
		errs = append(errs, removeOldSessions(ctx, r.Home, r.Now))
	}
	composed, err := r.compose(ctx, parts, reply)
	return composed, errors.Join(append(errs, err)...)
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
// saved, the reply is given anyway: rather twice than never.
func (r *Request) compose(ctx context.Context, parts []RenderFunc, reply *claim) (composed agent.Reply, err error) {
	parts = slices.DeleteFunc(parts, func(render RenderFunc) bool { return render == nil })
	if len(parts) == 0 && !(forgets(r.Event) && r.hasSessionFile()) {
		return agent.Reply{}, nil
	}
	var after []func(context.Context) error
	rendered := false
	render := func(s *Session) {
		rendered = true
		for _, part := range parts {
			composed = join(composed, part(s))
		}
		after, s.pendingReply = s.after, pendingReply{}
	}
	err = r.updateSession(ctx, reply, func(s *Session) {
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
		return agent.Reply{}, err
	case !rendered:
		render(&Session{})
	}
	if err == nil {
		for _, run := range after { // work that hangs must not hold up the reply
			until, _ := ctx.Deadline()
			err = errors.Join(err, within(Deadline+time.Until(until), func() error { return run(ctx) }))
		}
	}
	return composed, err
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

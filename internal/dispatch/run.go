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

// Deadline is how long an agent waits for a reply at most, unless the environment says
// otherwise in WHENCE_HOOK_DEADLINE, as in 500ms. Stop's check and a session's beginning
// have the same.
const Deadline = 200 * time.Millisecond

// DeadlineOf is the deadline that the environment sets.
func DeadlineOf(getenv func(string) string) time.Duration {
	if d, err := time.ParseDuration(getenv("WHENCE_HOOK_DEADLINE")); err == nil && d > 0 {
		return d
	}
	return Deadline
}

// MaxCaptureTime is how long an agent waits at most until what must not be lost is on the disk, at
// the events where something is kept: longer than for a reply, and well below the 3 s that
// the most impatient agent has for an event.
const MaxCaptureTime = 2 * time.Second

// IsDisabled tells whether the environment switches everything off.
func IsDisabled(getenv func(string) string) bool { return getenv("WHENCE_DISABLE") == "1" }

// Handler is what a program does at an event.
type Handler struct {
	// Wants tells from what the agent says whether there is anything to do, before any file
	// is opened: most events bring nothing. Nil is always. The working folder is set.
	Wants func(agent.Event) bool
	// Capture saves what must not be lost of an event. It is called before the project is
	// opened, has KeepTime, and must not depend on settings. The Moment has no tree
	// and no settings yet; what Keep returns is its Kept from then on. Nil keeps nothing.
	Capture func(*Request) (kept string, err error)
	// Run works out what could be told. A nil Say tells nothing. What it returns beside an
	// error is told all the same.
	Run func(context.Context, *Request) (RenderFunc, error)
}

// RenderFunc tells what there is to be told in a session, and notes in its state what that
// changes. It may be called twice, each time with a state as it was before. What is to be
// done only if the reply is given goes to State.After.
type RenderFunc func(*Session) agent.Reply

// Handlers are what a program does, by the names of events.
type Handlers map[string][]Handler

// Join is what several programs do, each event's answers in their order.
func Join(all ...Handlers) Handlers {
	joined := Handlers{}
	for _, handlers := range all {
		for name, some := range handlers {
			joined[name] = append(joined[name], some...)
		}
	}
	return joined
}

// to are the answers that want an event.
func (a Handlers) to(e agent.Event) (run []Handler) {
	for _, answer := range a[e.Name] {
		if answer.Wants == nil || answer.Wants(e) {
			run = append(run, answer)
		}
	}
	return run
}

// captures reports whether an answer to an event keeps something.
func (a Handlers) captures(name string) bool {
	return slices.ContainsFunc(a[name], func(answer Handler) bool { return answer.Capture != nil })
}

// errLate is what comes of a reply that was not ready in time.
var errLate = errors.New("no reply in time")

// errHung is returned for what follows a reply and takes too long.
var errHung = errors.New("the reply was given, and a file or a lock that was to be changed after it takes too long")

// claim is taken once: by the reply, when it is written down as given, or by the deadline,
// and then nothing is given any more.
type claim struct{ taken atomic.Bool }

func (c *claim) take() bool { return c.taken.CompareAndSwap(false, true) }

// Run answers an event of an agent: the event on standard input, the reply on standard
// output. Nothing that goes wrong stands in the agent's way: it is a line in the log, and is
// returned for whoever wants to see it. WHENCE_DISABLE=1 answers nothing at all.
func Run(env cli.Env, client agent.Client, name string, handlers Handlers) error {
	if IsDisabled(env.Getenv) {
		return nil
	}
	client = client.RunningIn(env.Getenv)
	start := time.Now()
	o := answerEvent(env, client, name, handlers, start)
	var out bytes.Buffer
	o.err = errors.Join(o.err, o.reply.Write(&out, o.event))
	_, _ = env.Stdout.Write(out.Bytes()) // an agent that is gone needs no reply
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

// within calls a function that may hang, as on a disk that does not answer, and returns its
// error. One that takes longer than the limit is errHangs; it may go on until the process ends.
// A panic is an error.
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

// outcome is what became of an event.
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

// received holds what is known of an event before its project is opened.
type received struct {
	event    agent.Event
	handlers []Handler // to the event; none: there is nothing more to do
	request  *Request  // has no tree and no settings
	err      error
}

// receive reads the event and has kept what must not be lost. What cannot be kept is an error,
// and the event is answered all the same. A panic is an error.
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
	for _, answer := range run {
		if answer.Capture != nil && !b.request.Trial {
			kept, err := answer.Capture(b.request)
			b.request.Captured, b.err = kept, errors.Join(b.err, err)
		}
	}
	return b
}

// handle opens the project and works out the reply. A panic is an error. It takes the claim
// before it writes down that the reply is given.
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

// runHandlers has an event answered, all answers side by side.
func (r *Request) runHandlers(ctx context.Context, run []Handler, reply *claim) (agent.Reply, []string, error) {
	said := make([]RenderFunc, len(run))
	errs := make([]error, len(run), len(run)+2)
	work := make([]func(), len(run))
	for i, answer := range run {
		work[i] = func() { said[i], errs[i] = answer.Run(ctx, r) }
	}
	parallel.Do(work...)              // which hands over a panic
	if r.Name == agent.SessionStart { // once is enough
		errs = append(errs, r.SettingsError)
	}
	if r.Begins() && !r.Trial {
		errs = append(errs, removeOldSessions(ctx, r.Home, r.Now))
	}
	told, items, err := r.compose(ctx, said, reply)
	return told, items, errors.Join(append(errs, err)...)
}

// Begins reports whether a session begins, in which no agent was shown anything.
func (r *Request) Begins() bool {
	return r.Name == agent.SessionStart && (r.Source == "startup" || r.Source == "clear")
}

// forgets reports whether an agent no longer has what it was shown: its session begins or is
// cleared, or its conversation is compacted, but not if the session is resumed. Claude Code
// also says so once it has compacted, others only before. Gemini CLI says it before every
// request, whether or not it then does.
func forgets(e agent.Event) bool {
	switch e.Name {
	case agent.SessionStart:
		return e.Source == "startup" || e.Source == "clear" || e.Source == "compact"
	case agent.PreCompact:
		return e.Agent != agent.Gemini
	}
	return false
}

// compose calls what there is to say with the state of the session, and writes down what that
// changes. Where that cannot be written down it is told all the same: rather twice than
// never. The items are those that it holds.
func (r *Request) compose(ctx context.Context, said []RenderFunc, reply *claim) (told agent.Reply, items []string, err error) {
	var after []func(context.Context) error
	speak := func(s *Session) {
		told, s.pendingReply = agent.Reply{}, pendingReply{}
		for _, say := range said {
			if say != nil {
				one := say(s)
				s.chars += utf8.RuneCountInString(one.Context)
				told = join(told, one)
			}
		}
		items, after, s.pendingReply = s.items, s.after, pendingReply{}
	}
	silent := true
	for _, say := range said {
		silent = silent && say == nil
	}
	if silent && !(forgets(r.Event) && r.hasSessionFile()) {
		return agent.Reply{}, nil, nil
	}
	known := false
	err = r.updateSession(ctx, reply, func(s *Session) {
		known = true
		switch {
		case r.Begins():
			s.Shown = nil
		case forgets(r.Event):
			s.forget(r.Subagent)
			if r.Subagent == "" {
				s.ForgotAt = r.Now
			}
		}
		speak(s)
	})
	switch {
	case errors.Is(err, errLate) || ctx.Err() != nil && err != nil:
		return agent.Reply{}, nil, err
	case !known:
		speak(&Session{})
	}
	if err == nil {
		for _, run := range after { // which must not hold up a reply that is written down as given
			limit := Deadline
			if until, bounded := ctx.Deadline(); bounded {
				limit += time.Until(until)
			}
			err = errors.Join(err, within(limit, func() error { return run(ctx) }))
		}
	}
	return told, items, err
}

// join puts two replies into one. A reason to go on counts before what is only told.
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

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

// KeepTime is how long an agent waits at most until what must not be lost is on the disk, at
// the events where something is kept: longer than for a reply, and well below the 3 s that
// the most impatient agent has for an event.
const KeepTime = 2 * time.Second

// IsOff tells whether the environment switches everything off.
func IsOff(getenv func(string) string) bool { return getenv("WHENCE_DISABLE") == "1" }

// Answer is what a program does at an event.
type Answer struct {
	// Wants tells from what the agent says whether there is anything to do, before any file
	// is opened: most events bring nothing. Nil is always. The working folder is set.
	Wants func(agent.Event) bool
	// Keep saves what must not be lost of an event. It is called before the project is
	// opened, has KeepTime, and must not depend on settings. The Moment has no tree
	// and no settings yet; what Keep returns is its Kept from then on. Nil keeps nothing.
	Keep func(*Moment) (kept string, err error)
	// Run works out what could be told. A nil Say tells nothing. What it returns beside an
	// error is told all the same.
	Run func(context.Context, *Moment) (Say, error)
}

// Say tells what there is to be told in a session, and notes in its state what that
// changes. It may be called twice, each time with a state as it was before. What is to be
// done only if the reply is given goes to State.After.
type Say func(*State) agent.Reply

// Answers are what a program does, by the names of events.
type Answers map[string][]Answer

// Join is what several programs do, each event's answers in their order.
func Join(all ...Answers) Answers {
	joined := Answers{}
	for _, answers := range all {
		for name, some := range answers {
			joined[name] = append(joined[name], some...)
		}
	}
	return joined
}

// to are the answers that want an event.
func (a Answers) to(e agent.Event) (run []Answer) {
	for _, answer := range a[e.Name] {
		if answer.Wants == nil || answer.Wants(e) {
			run = append(run, answer)
		}
	}
	return run
}

// keeps reports whether an answer to an event keeps something.
func (a Answers) keeps(name string) bool {
	return slices.ContainsFunc(a[name], func(answer Answer) bool { return answer.Keep != nil })
}

// errLate is what comes of a reply that was not ready in time.
var errLate = errors.New("no reply in time")

// errHangs is returned for what follows a reply and takes too long.
var errHangs = errors.New("the reply was given, and a file or a lock that was to be changed after it takes too long")

// claim is taken once: by the reply, when it is written down as given, or by the deadline,
// and then nothing is given any more.
type claim struct{ taken atomic.Bool }

func (c *claim) take() bool { return c.taken.CompareAndSwap(false, true) }

// Run answers an event of an agent: the event on standard input, the reply on standard
// output. Nothing that goes wrong stands in the agent's way: it is a line in the log, and is
// returned for whoever wants to see it. WHENCE_DISABLE=1 answers nothing at all.
func Run(env cli.Env, client agent.Client, name string, answers Answers) error {
	if IsOff(env.Getenv) {
		return nil
	}
	client = client.Running(env.Getenv)
	start := time.Now()
	o := answerEvent(env, client, name, answers, start)
	var out bytes.Buffer
	o.err = errors.Join(o.err, o.reply.Write(&out, o.event))
	_, _ = env.Stdout.Write(out.Bytes()) // an agent that is gone needs no reply
	grace := max(Deadline, DeadlineOf(env.Getenv))
	_ = within(grace, func() error {
		if o.err != nil {
			logFault(env, o.event, time.Since(start), o.err, start)
		}
		logEvent(env, o, time.Since(start), start)
		return nil
	})
	if o.moment != nil {
		_ = within(time.Until(o.deadline)+grace, func() error {
			ctx, cancel := context.WithDeadline(context.Background(), o.deadline)
			defer cancel()
			if err := o.moment.Finish(ctx); err != nil {
				logFault(env, o.event, time.Since(start), err, start)
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
		return errHangs
	}
}

// outcome is what became of an event.
type outcome struct {
	event    agent.Event
	moment   *Moment // nil if there was nothing to do, or the project was not opened
	deadline time.Time
	reply    agent.Reply
	items    []string // that are in the reply
	err      error
}

// answerEvent reads an event, has kept what must not be lost, and then has it answered. Each
// of the two has its own deadline; one that is late is not waited for.
func answerEvent(env cli.Env, client agent.Client, name string, answers Answers, start time.Time) outcome {
	limit := DeadlineOf(env.Getenv)
	keepLimit, keeps := limit, answers.keeps(client.Canonical(name))
	if keeps {
		keepLimit = max(limit, KeepTime)
	}
	begun := make(chan beginning, 1)
	go func() { begun <- begin(env, client, name, answers, start) }()
	var b beginning
	select {
	case b = <-begun:
	case <-time.After(keepLimit):
		return outcome{event: agent.Event{Name: name, Agent: client}, err: fmt.Errorf("%w: within %v", errLate, keepLimit)}
	}
	o := outcome{event: b.event, deadline: start.Add(limit), err: b.err}
	if keeps {
		o.deadline = time.Now().Add(limit)
	}
	if len(b.run) == 0 {
		return o
	}
	ctx, cancel := context.WithDeadline(context.Background(), o.deadline)
	defer cancel()
	done := make(chan outcome, 1)
	var reply claim
	go func() { done <- work(ctx, o, b, &reply) }()
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

// beginning holds what is known of an event before its project is opened.
type beginning struct {
	event  agent.Event
	run    []Answer // to the event; none: there is nothing more to do
	moment *Moment  // has no tree and no settings
	err    error
}

// begin reads the event and has kept what must not be lost. What cannot be kept is an error,
// and the event is answered all the same. A panic is an error.
func begin(env cli.Env, client agent.Client, name string, answers Answers, now time.Time) (b beginning) {
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
	run := answers.to(event)
	if len(run) == 0 {
		return b
	}
	if b.moment, b.err = unopened(env, event, now); b.err != nil {
		return b
	}
	b.run = run
	for _, answer := range run {
		if answer.Keep != nil && !b.moment.Trial {
			kept, err := answer.Keep(b.moment)
			b.moment.Kept, b.err = kept, errors.Join(b.err, err)
		}
	}
	return b
}

// work opens the project and works out the reply. A panic is an error. It takes the claim
// before it writes down that the reply is given.
func work(ctx context.Context, was outcome, b beginning, reply *claim) (o outcome) {
	o = was
	defer func() {
		if p := recover(); p != nil {
			o.reply, o.err = agent.Reply{}, errors.Join(was.err, parallel.Recovered(p))
		}
	}()
	if err := b.moment.open(); err != nil {
		o.err = errors.Join(was.err, err)
		return o
	}
	defer b.moment.Close()
	o.moment = b.moment
	o.reply, o.items, o.err = o.moment.answer(ctx, b.run, reply)
	o.err = errors.Join(was.err, o.err)
	return o
}

// answer has an event answered, all answers side by side.
func (m *Moment) answer(ctx context.Context, run []Answer, reply *claim) (agent.Reply, []string, error) {
	said := make([]Say, len(run))
	errs := make([]error, len(run), len(run)+2)
	work := make([]func(), len(run))
	for i, answer := range run {
		work[i] = func() { said[i], errs[i] = answer.Run(ctx, m) }
	}
	parallel.Do(work...)              // which hands over a panic
	if m.Name == agent.SessionStart { // once is enough
		errs = append(errs, m.Unset)
	}
	if m.Begins() && !m.Trial {
		errs = append(errs, clean(ctx, m.Home, m.Now))
	}
	told, items, err := m.tell(ctx, said, reply)
	return told, items, errors.Join(append(errs, err)...)
}

// Begins reports whether a session begins, in which no agent was shown anything.
func (m *Moment) Begins() bool {
	return m.Name == agent.SessionStart && (m.Source == "startup" || m.Source == "clear")
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

// tell calls what there is to say with the state of the session, and writes down what that
// changes. Where that cannot be written down it is told all the same: rather twice than
// never. The items are those that it holds.
func (m *Moment) tell(ctx context.Context, said []Say, reply *claim) (told agent.Reply, items []string, err error) {
	var after []func(context.Context) error
	speak := func(s *State) {
		told, s.spoken = agent.Reply{}, spoken{}
		for _, say := range said {
			if say != nil {
				one := say(s)
				s.chars += utf8.RuneCountInString(one.Context)
				told = join(told, one)
			}
		}
		items, after, s.spoken = s.items, s.after, spoken{}
	}
	silent := true
	for _, say := range said {
		silent = silent && say == nil
	}
	if silent && !(forgets(m.Event) && m.hasState()) {
		return agent.Reply{}, nil, nil
	}
	known := false
	err = m.change(ctx, reply, func(s *State) {
		known = true
		switch {
		case m.Begins():
			s.Shown = nil
		case forgets(m.Event):
			s.forget(m.Subagent)
			if m.Subagent == "" {
				s.Forgot = m.Now
			}
		}
		speak(s)
	})
	switch {
	case errors.Is(err, errLate) || ctx.Err() != nil && err != nil:
		return agent.Reply{}, nil, err
	case !known:
		speak(&State{})
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

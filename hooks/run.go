package hooks

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"whence/internal/agent"
	"whence/internal/cli"
)

// Deadline is how long an agent waits for a reply at most, unless the environment says
// otherwise in WHENCE_HOOK_DEADLINE, as in 500ms. Stop's check and a session's beginning
// have the same.
const Deadline = 200 * time.Millisecond

// deadlineOf is the deadline that the environment sets.
func deadlineOf(getenv func(string) string) time.Duration {
	if d, err := time.ParseDuration(getenv("WHENCE_HOOK_DEADLINE")); err == nil && d > 0 {
		return d
	}
	return Deadline
}

// errLate is what comes of a reply that was not ready in time.
var errLate = errors.New("no reply in time")

// claim is taken once: by the reply, when it is written down as given, or by the deadline,
// and then nothing is given any more.
type claim struct{ taken atomic.Bool }

func (c *claim) take() bool { return c.taken.CompareAndSwap(false, true) }

// Event answers an event of an agent: the event on standard input, the reply on standard
// output. Nothing that goes wrong stands in the agent's way: it is a line in the log, and
// there is no reply. WHENCE_DISABLE=1 answers nothing at all.
func Event(env cli.Env, client agent.Client, name string) {
	if env.Getenv("WHENCE_DISABLE") == "1" {
		return
	}
	client = client.Running(env.Getenv)
	start := time.Now()
	deadline := deadlineOf(env.Getenv)
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	defer cancel()
	done := make(chan outcome, 1)
	var reply claim
	go func() { done <- work(ctx, env, client, name, start, reply.take) }()
	var o outcome
	select {
	case o = <-done:
	case <-ctx.Done():
		if reply.take() {
			o = outcome{event: agent.Event{Name: name, Agent: client}, err: fmt.Errorf("%w: within %v", errLate, deadline)}
		} else { // it is written down as given, which is all that is left to be done
			o = <-done
		}
	}
	if o.err != nil {
		logFault(env, o.event, time.Since(start), o.err, start)
	}
	var out bytes.Buffer
	if err := o.reply.Write(&out, o.event); err != nil {
		logFault(env, o.event, time.Since(start), err, start)
		return
	}
	_, _ = env.Stdout.Write(out.Bytes()) // an agent that is gone needs no reply
}

// outcome is what became of an event.
type outcome struct {
	event agent.Event
	reply agent.Reply
	err   error
}

// work reads the event and works out the reply. A fault of the program is an error.
// It takes the claim before it writes down that the reply is given.
func work(ctx context.Context, env cli.Env, client agent.Client, name string, now time.Time, take func() bool) (o outcome) {
	o.event = agent.Event{Name: name, Agent: client}
	defer func() {
		if p := recover(); p != nil {
			o.reply, o.err = agent.Reply{}, fmt.Errorf("a fault in the program: %v", p)
		}
	}()
	event, err := agent.Read(env.Stdin, client, name)
	if err != nil {
		o.err = err
		return o
	}
	if event.Session == "" {
		event.Session = env.Getenv(client.SessionVariable())
	}
	o.event = event
	o.reply, o.err = answer(ctx, env, event, now, take)
	return o
}

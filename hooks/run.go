package hooks

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"whence/internal/agent"
	"whence/internal/cli"
)

// deadline is how long an agent waits for a reply at most. Stop's check and a session's
// beginning have the same.
const deadline = 200 * time.Millisecond

// Event answers an event of an agent: the event on standard input, the reply on standard
// output. Nothing that goes wrong stands in the agent's way: it is a line in the log, and
// there is no reply. WHENCE_DISABLE=1 answers nothing at all.
func Event(env cli.Env, client agent.Client, name string) {
	if env.Getenv("WHENCE_DISABLE") == "1" {
		return
	}
	client = client.Running(env.Getenv)
	start := time.Now()
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	defer cancel()
	done := make(chan outcome, 1)
	go func() { done <- work(ctx, env, client, name, start) }()
	var o outcome
	select {
	case o = <-done:
	case <-ctx.Done():
		o = outcome{event: agent.Event{Name: name}, err: fmt.Errorf("no reply within %v", deadline)}
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
func work(ctx context.Context, env cli.Env, client agent.Client, name string, now time.Time) (o outcome) {
	o.event.Name = name
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
	o.event = event
	o.reply, o.err = answer(ctx, env, event, now)
	return o
}

package remember

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/team"
	"whence/internal/text"
)

// storeOutboxCommand lists the operations that the stores of teams do not have, and sends or discards
// those that were put aside.
func storeOutboxCommand(env cli.Env, server *team.Server) *urfave.Command {
	var o outboxOptions
	return &urfave.Command{
		Name: "outbox", Usage: "list unsent operations; send or discard them",
		Description: "Lists the operations that the team's store does not have: they wait, were refused by the server, or were put aside because your login is now in another team.",
		Flags: []urfave.Flag{
			&urfave.BoolFlag{Name: "send", Usage: "send what was put aside or refused, to the team it was made for", Destination: &o.send},
			&urfave.StringFlag{Name: "store", Usage: "with --send, the `URL` of that team's store: postgres://user@host/database?team=NAME", Destination: &o.store},
			&urfave.BoolFlag{Name: "take-over", Usage: "send what was put aside to the team that your login is in now", Destination: &o.takeOver},
			&urfave.BoolFlag{Name: "discard", Usage: "print what was put aside or refused, and delete it", Destination: &o.discard},
			&urfave.StringFlag{Name: "format", Usage: "print as `FORMAT`: text or json", Value: "text", Destination: &o.format},
		},
		Action: noArguments(func(cmd *urfave.Context) error {
			return o.run(cmd.Context, env, server)
		}),
	}
}

type outboxOptions struct {
	store, format           string
	send, takeOver, discard bool
}

func (o outboxOptions) run(ctx context.Context, env cli.Env, server *team.Server) error {
	if err := cli.Format(o.format, "text", "json"); err != nil {
		return err
	}
	switch {
	case o.send && o.takeOver, o.send && o.discard, o.takeOver && o.discard:
		return cli.Usagef("choose one of --send, --take-over and --discard")
	case o.store != "" && !o.send:
		return cli.Usagef("--store needs --send")
	}
	home, err := env.Home()
	if err != nil {
		return err
	}
	replicas, err := team.Replicas(home)
	if err != nil {
		return err
	}
	if o.send || o.takeOver {
		return o.resend(ctx, env, server, home, replicas)
	}
	all := []pendingAt{}
	for _, p := range replicas {
		read := (*team.Replica).Pending
		if o.discard {
			read = (*team.Replica).Discard
		}
		some, fault := read(p)
		for _, op := range some {
			all = append(all, pendingOf(p, op))
		}
		err = errors.Join(err, fault)
	}
	if o.format == "json" {
		return errors.Join(err, text.WriteJSONLine(env.Stdout, all))
	}
	return errors.Join(err, printPending(env.Stdout, all, o.discard))
}

func (o outboxOptions) resend(ctx context.Context, env cli.Env, server *team.Server, home string, replicas []*team.Replica) (err error) {
	if server == nil {
		return errNoServers
	}
	var to *team.Replica
	if o.store != "" {
		at, err := locate(env, "--store", o.store)
		if err != nil {
			return err
		}
		if at.url == "" {
			return cli.Usagef("--store %s: name the URL of a team's store", at.name)
		}
		if to, err = team.ReplicaOf(home, at.url); err != nil {
			return err
		}
	}
	back, sent := 0, 0
	for _, from := range replicas {
		at := from
		if to != nil {
			at = to
		}
		n, fault := from.Resend(ctx, server, at, o.takeOver)
		if back += n; n > 0 && fault == nil {
			n, fault = at.Send(ctx, server)
			sent += n
		}
		err = errors.Join(err, fault)
	}
	fmt.Fprintf(env.Stdout, "%s put back into the outbox, %d sent\n", cli.Count(back, "operation", "operations"), sent)
	return err
}

// pendingAt is an operation that the store of a team does not have, for people and for JSON.
type pendingAt struct {
	Store  string    `json:"store"`
	State  string    `json:"state"` // waits, refused or aside
	Team   string    `json:"team,omitempty"`
	Kind   string    `json:"kind,omitempty"`
	At     time.Time `json:"at,omitzero"`
	Text   string    `json:"text"`
	Reason string    `json:"reason,omitempty"`
}

func pendingOf(p *team.Replica, op team.Pending) pendingAt {
	at := pendingAt{Store: p.Name(), State: "waits", Team: op.Team, Kind: string(op.Kind), At: op.At, Text: pendingText(op), Reason: op.Reason}
	switch {
	case op.Team != "":
		at.State = "aside"
	case op.Reason != "":
		at.State = "refused"
	}
	return at
}

func pendingText(op team.Pending) string {
	switch {
	case op.Kind == "":
		return string(op.Text)
	case op.Learning != nil:
		return op.Learning.Description
	case op.Edit != nil && op.Edit.Description != nil:
		return op.ID + ": " + *op.Edit.Description
	case op.Turns != nil:
		return fmt.Sprintf("%s of session %s", cli.Count(len(op.Turns.Turns), "turn", "turns"), op.Session)
	case len(op.Learnings) > 0:
		return cli.Count(len(op.Learnings), "learning", "learnings")
	case op.Recalled != nil || op.Found != nil:
		return cli.Count(len(op.Recalled)+len(op.Found), "learning", "learnings")
	}
	return op.ID
}

// printPending prints operations by store and reason.
func printPending(w io.Writer, all []pendingAt, discarded bool) error {
	var b strings.Builder
	switch {
	case len(all) == 0 && discarded:
		b.WriteString("Nothing was put aside.\n")
	case len(all) == 0:
		b.WriteString("Nothing waits, and nothing was put aside.\n")
	}
	undecided := false
	heading := ""
	for _, op := range all {
		undecided = undecided || op.State != "waits"
		state := op.State
		switch {
		case discarded:
			state = "discarded"
		case state == "aside":
			state = "put aside"
		}
		now := op.Store + ": " + state
		if op.Reason != "" {
			now += ", " + op.Reason
		}
		if now != heading {
			heading = now
			fmt.Fprintln(&b, text.Printable(heading))
		}
		fmt.Fprint(&b, "  ")
		if !op.At.IsZero() {
			fmt.Fprint(&b, op.At.Local().Format("2006-01-02 15:04  "))
		}
		fmt.Fprintf(&b, "%-8s  %s\n", op.Kind, text.Printable(op.Text))
	}
	if undecided && !discarded {
		b.WriteString("\nWhat was put aside or refused stays until you decide:\n" +
			"  memory-remember store outbox --send [--store URL]   send it to the team for which it was made\n" +
			"  memory-remember store outbox --take-over            send what was put aside to the team that your login is in now\n" +
			"  memory-remember store outbox --discard              delete it\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

package remember

import (
	"context"
	"fmt"
	"strings"
	"time"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/store"
	"whence/internal/team"
	"whence/internal/text"
)

func storeCheckCommand(env cli.Env, servers store.Servers) *urfave.Command {
	var o learningOptions
	var name string
	return &urfave.Command{
		Name: "check", Usage: "print the store in use, and its faults",
		Flags: []urfave.Flag{
			&urfave.StringFlag{Name: "store", Usage: "check this `STORE`: local, a folder, or postgres://user@host/database", Destination: &name},
			&urfave.StringFlag{Name: "format", Usage: "print as `FORMAT`: text or json", Value: "text", Destination: &o.format},
			o.repoFlag(),
		},
		Action: noArguments(func(cmd *urfave.Context) error {
			if err := cli.Format(o.format, "text", "json"); err != nil {
				return err
			}
			if name == "" {
				svc, err := o.service(env)
				if err != nil {
					return err
				}
				if name = "local"; svc.Replica != nil {
					name = svc.Replica.URL
				}
			}
			at, err := locate(env, "--store", name)
			if err != nil {
				return err
			}
			c := checkup(cmd.Context, at, servers)
			if err := checkOutbox(env, at, &c); err != nil {
				return err
			}
			if o.format == "json" {
				err = text.WriteJSONLine(env.Stdout, c)
			} else {
				_, err = fmt.Fprint(env.Stdout, checkupText(c))
			}
			if err == nil && len(c.Faults) > 0 {
				err = cli.ErrFound
			}
			return err
		}),
	}
}

// checkup checks a store; an error from opening it is a fault.
func checkup(ctx context.Context, at location, servers store.Servers) store.Checkup {
	whole := store.Checkup{Facts: []store.Fact{{Name: "store", Value: at.name}}, Faults: []string{}}
	s, err := at.toRead(ctx, servers)
	if err == nil && at.url == "" {
		// SQLite checks the full-text index only on a writable connection.
		if writer, err := store.OpenExisting(ctx, at.dir); err == nil {
			s.Close() // nothing was written
			s = writer
		}
	}
	if err != nil {
		whole.Faults = append(whole.Faults, err.Error())
		return whole
	}
	defer s.Close()
	c, err := s.Check(ctx, time.Now())
	whole.Facts, whole.Faults = append(whole.Facts, c.Facts...), append(whole.Faults, c.Faults...)
	if err != nil {
		whole.Faults = append(whole.Faults, err.Error())
	}
	return whole
}

// checkOutbox adds the operations that a team's store does not have.
func checkOutbox(env cli.Env, at location, c *store.Checkup) error {
	if at.url == "" {
		return nil
	}
	home, err := env.Home()
	if err != nil {
		return err
	}
	replica, err := team.ReplicaOf(home, at.url)
	if err != nil {
		return err
	}
	all, err := replica.Pending()
	if err != nil {
		return err
	}
	waits, refused := 0, 0
	for _, op := range all {
		switch {
		case op.Team != "": // below
		case op.Reason != "":
			refused++
		default:
			waits++
		}
	}
	c.Facts = append(c.Facts, store.Fact{Name: "outbox", Value: cli.Count(waits, "operation waits", "operations wait")})
	if refused > 0 {
		c.Faults = append(c.Faults, fmt.Sprintf("the store refused %s, kept here: memory-remember store outbox", cli.Count(refused, "operation", "operations")))
	}
	if text := replica.SetAsideText(); text != "" {
		c.Faults = append(c.Faults, text)
	}
	return nil
}

func checkupText(c store.Checkup) string {
	var b strings.Builder
	for _, fact := range c.Facts {
		fmt.Fprintf(&b, "%-19s %s\n", fact.Name, text.Printable(fact.Value))
	}
	for _, fault := range c.Faults {
		fmt.Fprintf(&b, "%-19s %s\n", "wrong", text.Printable(fault))
	}
	if len(c.Faults) == 0 {
		b.WriteString("Nothing is wrong.\n")
	}
	return b.String()
}

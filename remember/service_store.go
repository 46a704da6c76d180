package remember

import (
	"context"
	"errors"
	"fmt"

	"whence/internal/config"
	"whence/internal/store"
	"whence/internal/team"
)

// commit does an operation, now and in this session: on the user's own store, or on that of
// the team. What else is to be read of it is read in the same store. Kept says that it is
// done here and that the team has it later; "" mostly.
func (b *Service) commit(ctx context.Context, op store.Operation, also team.AlsoFunc) (r store.Result, kept string, err error) {
	op.At, op.Session = b.Now(), b.Session
	if b.Replica != nil {
		r, why, err := team.Write(ctx, b.Replica, b.Server, op, also)
		b.tellAside()
		return r, keptText(why), err
	}
	allowed := store.Projects(config.Promotable(b.Dir))
	op.Allowed = &allowed
	err = b.change(ctx, func(s *store.Store) error {
		if r, err = s.Apply(ctx, op); err != nil || also == nil {
			return err
		}
		return also(ctx, s, r)
	})
	return r, "", err
}

// keptText says that the team has something later, and why.
func keptText(why error) string {
	var away *team.UnavailableError
	switch {
	case why == nil:
		return ""
	case errors.As(why, &away):
		return fmt.Sprintf("Kept here until the team's store can be reached again (%s).", away.Reason())
	case errors.Is(why, team.ErrBehind):
		return "Kept here until the team's store has what was done before."
	}
	return "Kept here until a worker brings it to the team's store."
}

// Ask opens the store for reading alone: that of the team where it can be asked, else what
// Read opens, and then that is told. Run may be called twice.
func (b *Service) Ask(ctx context.Context, run func(context.Context, *store.Store) error) error {
	if b.Replica != nil && b.Server != nil {
		err := team.Read(ctx, b.Replica, b.Server, run)
		b.tellAside()
		var away *team.UnavailableError
		if !errors.As(err, &away) && !errors.Is(err, team.ErrBehind) {
			return err
		}
		b.tellCopy(ctx, err)
	}
	return b.Read(ctx, func(s *store.Store) error { return run(ctx, s) })
}

// AskAny is Ask where no store is as good as an empty one: then nothing is run.
func (b *Service) AskAny(ctx context.Context, run func(context.Context, *store.Store) error) error {
	if err := b.Ask(ctx, run); !errors.Is(err, store.ErrNone) {
		return err
	}
	return nil
}

// tellCopy tells once that what is read is the copy, and why.
func (b *Service) tellCopy(ctx context.Context, why error) {
	from := "a copy"
	if st, err := b.Replica.Status(ctx); err == nil {
		from = st.Since(b.Now())
	}
	var away *team.UnavailableError
	if errors.As(why, &away) {
		b.tell(fmt.Sprintf("The team's store %s cannot be reached (%s): this is from %s.", away.Name, away.Reason(), from))
		return
	}
	b.tell(fmt.Sprintf("The team's store %s has not yet what was done here before: this is from %s.", b.Replica.Name(), from))
}

// tellAside tells once that operations were put aside, if a user waits for the answer.
func (b *Service) tellAside() {
	if b.Server == nil || b.toldAside {
		return
	}
	if text := b.Replica.SetAsideText(); text != "" {
		b.toldAside = true
		b.tell(text)
	}
}

// tell tells something of the team's store, once.
func (b *Service) tell(line string) {
	if line == "" || b.Tell == nil || b.told == line {
		return
	}
	b.told = line
	b.Tell(line)
}

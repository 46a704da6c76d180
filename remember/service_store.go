package remember

import (
	"context"
	"errors"
	"fmt"

	"whence/internal/store"
	"whence/internal/team"
)

// commit does an operation, now and in this session: on the user's own store, or on that of
// the team. What else is to be read of it is read in the same store. Kept says that it is
// done here and that the team has it later; "" mostly.
func (b *Service) commit(ctx context.Context, op store.Operation, also team.AlsoFunc) (r store.Result, kept string, err error) {
	op.At, op.Session = b.Now(), b.Session
	r, why, err := b.Scope.Apply(ctx, b.Server, op, also)
	b.tellAside()
	return r, keptText(why), err
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
	stale, err := b.Scope.Read(ctx, b.Server, run)
	b.tellAside()
	if stale != nil {
		b.tellCopy(ctx, stale)
	}
	return err
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

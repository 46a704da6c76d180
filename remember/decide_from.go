package remember

import (
	"context"
	"fmt"
	"strings"
	"time"

	"whence/internal/capture"
	"whence/internal/learning"
	"whence/internal/shell"
	"whence/internal/store"
)

// takeFrom takes the text of a decision from the store: of a turn, quoted, by SESSION/TURN, or of a learning, by its
// name or id.
func (d *decided) takeFrom(ctx context.Context, svc *Service, named string) error {
	id, number := splitReference(named)
	if number > 0 {
		return svc.Read(ctx, func(s *store.Store) (err error) {
			if id, err = sessionID(ctx, s, store.Scope{Project: svc.Turns}, id); err != nil {
				return err
			}
			turns, err := s.Session(ctx, svc.Turns, id)
			if err == nil && number > len(turns) {
				err = fmt.Errorf("session %s has %d turns: memory-remember session %[1]s prints them", id, len(turns))
			}
			if err == nil {
				d.text = quotedTurn(turns[number-1])
			}
			return err
		})
	}
	l, err := svc.Get(ctx, named)
	if err != nil {
		return err
	}
	d.text = l.Description
	if l.Reasoning != "" && l.Reasoning != learning.NoReason {
		d.text += "\n\n" + l.Reasoning
	}
	if len(l.References) > 0 {
		d.text += "\n\nSee " + strings.Join(l.References, ", ") + "."
	}
	d.then = "the repository has it now, for everybody; to remove the learning: memory-remember forget " + shell.Word(l.ID)
	return nil
}

// quotedTurn returns what was said in a turn as a quotation, under a line that says who said it, and when.
func quotedTurn(t store.Turn) string {
	who := "the agent"
	switch t.Role {
	case capture.User:
		who = "the user"
	case capture.Tool:
		who = "a command"
	}
	quoted := "> " + strings.ReplaceAll(strings.TrimSpace(t.Text), "\n", "\n> ")
	return fmt.Sprintf("Said by %s on %s:\n\n%s", who, t.At.Format(time.DateOnly), quoted)
}

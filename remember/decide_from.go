package remember

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"whence/internal/capture"
	"whence/internal/lazyregexp"
	"whence/internal/learning"
	"whence/internal/repo"
	"whence/internal/shell"
	"whence/internal/store"
)

// takeFrom takes the text of a decision from a turn, which it quotes, by SESSION/TURN; from a learning, by its name or
// id; or from a commit, by its hash.
func (d *decided) takeFrom(ctx context.Context, svc *Service, root, named string) error {
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
	if errors.Is(err, store.ErrUnknown) || errors.Is(err, store.ErrNone) {
		if found, commitErr := d.takeFromCommit(ctx, root, named); found || commitErr != nil {
			return commitErr
		}
	}
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

// isHash matches the hash of a commit, or its beginning.
var isHash = lazyregexp.New(`^[0-9a-f]{7,64}$`)

// takeFromCommit takes the text of a decision from the message of a commit, and reports whether named is its hash.
func (d *decided) takeFromCommit(ctx context.Context, root, named string) (found bool, err error) {
	if !isHash().MatchString(named) {
		return false, nil
	}
	git, err := repo.Open(root, root, func(string) string { return "" })
	if errors.Is(err, repo.ErrNoRepository) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	commits, err := git.Messages(ctx, []string{named})
	if err != nil || len(commits) != 1 {
		return false, err
	}
	c := commits[0]
	d.text = fmt.Sprintf("%s\n\nFrom commit %s of %s.", cmp.Or(c.Body, c.Subject), shortHash(c.Hash), c.At.Format(time.DateOnly))
	return true, nil
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

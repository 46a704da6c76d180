package team

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/gofrs/flock"

	"whence/internal/store"
)

// maxPullChanges is the number of changes that are fetched and stored together.
const maxPullChanges = 500

// ErrBusy reports that another process is refreshing the replica.
var ErrBusy = errors.New("another process is refreshing it")

// Refresh brings the replica up to date with the server, and notes when, or why it failed. If it is
// killed, the next refresh continues.
func (p *Replica) Refresh(ctx context.Context, server *Server) error {
	s, err := store.Open(ctx, p.Dir())
	if err != nil {
		return err
	}
	lock := flock.New(filepath.Join(p.Dir(), ".refresh"), flock.SetPermissions(0o600))
	free, err := lock.TryLock()
	if err == nil && !free {
		err = ErrBusy
	}
	if err != nil {
		return errors.Join(err, s.Close())
	}
	begun := time.Now()
	err = noteTried(p)
	if err == nil {
		err = refresh(ctx, p, server, s)
	}
	err = errors.Join(err, updateState(context.WithoutCancel(ctx), s, func(_ *store.Store, st *SyncState) error {
		st.Tried = begun.UTC()
		if st.Error = ""; err != nil {
			st.Error = err.Error()
			return nil
		}
		st.At = begun.UTC()
		return nil
	}))
	if err = errors.Join(err, s.Close(), lock.Close()); err != nil {
		return fmt.Errorf("refresh the replica of the team's store: %w", err)
	}
	return nil
}

// refresh pulls the changes of one repository after the other, also of one that is added meanwhile.
func refresh(ctx context.Context, p *Replica, server *Server, local *store.Store) error {
	if err := checkIdentity(ctx, p, server, local); err != nil {
		return err
	}
	done := map[string]bool{}
	for {
		st, err := stateOf(ctx, local)
		if err != nil {
			return err
		}
		project, after, more := st.next(done)
		if !more {
			return expireOnServer(ctx, p, server, local, st)
		}
		done[project] = true
		if err := pull(ctx, p, server, local, project, after); err != nil {
			return err
		}
	}
}

// checkIdentity makes the replica start over if its revisions mean nothing any more: if the server is
// another store or was restored to an earlier revision, or the login is in another team. It waits until
// the ordered outbox is empty, whose operations may depend on what the replica has.
func checkIdentity(ctx context.Context, p *Replica, server *Server, local *store.Store) error {
	is, err := server.identity(ctx, p, sendTime)
	if err != nil {
		return err
	}
	return updateState(ctx, local, func(tx *store.Store, st *SyncState) error {
		if st.Store == "" {
			st.Store, st.Team = is.Store, is.Team
		}
		if st.Store == is.Store && st.Team == is.Team && st.last() <= is.Revision {
			return nil
		}
		if waiting, err := hasPending(p.Outbox()); err != nil || waiting {
			return err
		}
		all, err := tx.List(ctx, store.Filter{Everywhere: true, Retired: true})
		if err != nil {
			return err
		}
		var none []store.Change
		for _, l := range all {
			none = append(none, store.Deletions(l.ID)...)
		}
		for project := range st.Cursors {
			st.Cursors[project] = 0
		}
		st.Store, st.Team = is.Store, is.Team
		return tx.Replace(ctx, none)
	})
}

// last returns the last revision that the replica has.
func (st SyncState) last() (last int64) {
	for _, revision := range st.Cursors {
		last = max(last, revision)
	}
	return last
}

// next returns a repository that is not done yet. "" is for the global learnings.
func (st SyncState) next(done map[string]bool) (project string, after int64, more bool) {
	all := []string{""}
	for project := range st.Cursors {
		all = append(all, project)
	}
	slices.Sort(all)
	for _, project := range all {
		if !done[project] {
			return project, st.Cursors[project], true
		}
	}
	return "", 0, false
}

// pull fetches the changes of a repository, in parts.
func pull(ctx context.Context, p *Replica, server *Server, local *store.Store, project string, after int64) error {
	for {
		var all []store.Change
		err := server.Ask(ctx, p, sendTime, func(ctx context.Context, s *store.Store) (err error) {
			all, err = s.Changes(ctx, store.Filter{Project: project, Most: maxPullChanges}, after)
			return err
		})
		if err != nil || len(all) == 0 {
			return err
		}
		after = all[len(all)-1].Revision
		err = updateState(ctx, local, func(tx *store.Store, st *SyncState) error {
			st.Cursors[project] = after
			return tx.Replace(ctx, all)
		})
		if err != nil {
			return err
		}
		if len(all) < maxPullChanges {
			return nil
		}
	}
}

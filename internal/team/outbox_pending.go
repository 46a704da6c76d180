package team

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"whence/internal/spool"
	"whence/internal/store"
)

// Pending is an operation that the team's store does not have.
type Pending struct {
	store.Operation
	Text   []byte // the operation, as stored
	Team   string // for which it was made, if that is not the team of the login
	Reason string // why it is not sent; empty if it waits its turn
	file   string
}

// maxPendingBytes bounds the size of an operation.
const maxPendingBytes = spool.MaxJobBytes

// Pending returns the operations that were not sent: the waiting, the refused, and those set aside. One that
// cannot be read has no kind.
func (p *Replica) Pending() (all []Pending, err error) {
	for _, dir := range outboxesIn(p.Outbox()) {
		some, fault := pendingIn(dir)
		all, err = append(all, some...), errors.Join(err, fault)
	}
	for _, dir := range outboxesIn(p.Outbox()) {
		some, fault := pendingIn(failedIn(dir))
		err = errors.Join(err, fault)
		for _, op := range some {
			op.Reason = cmp.Or(op.Reason, "it was refused")
			all = append(all, op)
		}
	}
	aside, fault := setAsideOutboxes(p)
	err = errors.Join(err, fault)
	for _, a := range aside {
		some, fault := a.pending()
		all, err = append(all, some...), errors.Join(err, fault)
	}
	return all, err
}

// pending returns the operations in order.
func (a SetAside) pending() (all []Pending, err error) {
	for _, dir := range outboxesIn(a.dir) {
		for _, dir := range []string{dir, failedIn(dir)} {
			some, fault := pendingIn(dir)
			err = errors.Join(err, fault)
			for _, op := range some {
				op.Team, op.Reason = a.Team, a.Reason()
				all = append(all, op)
			}
		}
	}
	return all, err
}

// failedIn returns the folder of failed jobs in a spool.
func failedIn(dir string) string { return filepath.Join(dir, "failed") }

// reasonSuffix ends the name of the file, beside a failed job, that says why it failed.
const reasonSuffix = ".error"

// pendingIn returns the operations in a folder of a spool, by time.
func pendingIn(dir string) (all []Pending, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, entry := range entries {
		info, fault := entry.Info()
		name := entry.Name()
		if fault != nil || !info.Mode().IsRegular() || name[0] < '0' || name[0] > '9' || strings.HasSuffix(name, reasonSuffix) || info.Size() > maxPendingBytes {
			continue
		}
		op := Pending{file: filepath.Join(dir, name)}
		if op.Text, fault = os.ReadFile(op.file); errors.Is(fault, fs.ErrNotExist) { // just sent
			continue
		}
		err = errors.Join(err, fault)
		if json.Unmarshal(op.Text, &op.Operation) != nil {
			op.Operation = store.Operation{}
		}
		if reason, fault := os.ReadFile(op.file + reasonSuffix); fault == nil {
			op.Reason = strings.TrimSpace(string(reason))
		}
		all = append(all, op)
	}
	return all, err
}

// Resend puts operations that were refused or set aside back into an outbox, and returns how many. Those
// that were set aside go into the outbox of to, which must be the store of their team unless takeOver
// is set. An operation that is sent twice is done once.
func (p *Replica) Resend(ctx context.Context, server *Server, to *Replica, takeOver bool) (n int, err error) {
	if p.Dir() == to.Dir() {
		n, err = p.retry()
	}
	aside, fault := setAsideOutboxes(p)
	if err = errors.Join(err, fault); err != nil || len(aside) == 0 {
		return n, err
	}
	// The replica must follow that team before anything is put into its outbox.
	if _, err := to.Send(ctx, server); err != nil && (errors.Is(err, spool.ErrNotNow) || retryable(err)) {
		return n, err
	}
	if err := to.Refresh(ctx, server); err != nil {
		return n, err
	}
	is, err := server.identity(ctx, to, sendTime)
	if err != nil {
		return n, err
	}
	st, err := to.Status(ctx)
	if err != nil {
		return n, err
	}
	if st.Team != is.Team || st.Store != is.Store {
		return n, fmt.Errorf("the replica of %s still follows the team %s: try again", to.Name(), st.Team)
	}
	for _, a := range aside {
		if wrong := a.Team != is.Team || a.Store != "" && a.Store != is.Store; wrong && !takeOver {
			err = errors.Join(err, fmt.Errorf("%d operations were made for the team %s, and %s is the store of the team %s: name another one by --store (?team=%[2]s in its URL), or --take-over", a.Count, a.Team, to.Name(), is.Team))
			continue
		}
		some, fault := a.moveTo(to)
		n, err = n+some, errors.Join(err, fault)
	}
	return n, err
}

// moveTo puts the operations into the outbox of a replica, in order, and returns how many.
func (a SetAside) moveTo(p *Replica) (n int, err error) {
	all, err := a.pending()
	if err != nil {
		return 0, err
	}
	for _, op := range all {
		if op.Kind == "" {
			return n, fmt.Errorf("%s is not an operation: look at it, and delete it", op.file)
		}
		if err := p.Enqueue(op.Operation); err != nil {
			return n, err
		}
		if err := op.discard(); err != nil {
			return n, err
		}
		n++
	}
	return n, os.RemoveAll(a.dir)
}

// Discard deletes the operations that were refused or set aside, and returns them. It leaves those that wait.
func (p *Replica) Discard() (gone []Pending, err error) {
	all, err := p.Pending()
	for _, op := range all {
		if op.Reason == "" && op.Team == "" {
			continue
		}
		if fault := op.discard(); fault != nil {
			err = errors.Join(err, fault)
			continue
		}
		gone = append(gone, op)
	}
	return gone, err
}

func (op Pending) discard() error {
	err := os.Remove(op.file)
	if fault := os.Remove(op.file + reasonSuffix); !errors.Is(fault, fs.ErrNotExist) {
		err = errors.Join(err, fault)
	}
	return err
}

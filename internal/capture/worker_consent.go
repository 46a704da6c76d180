package capture

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"slices"
	"sync"
	"time"

	"whence/internal/agent"
	"whence/internal/agent/transcript"
	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/store"
	"whence/internal/worktree"
)

// This file decides whether what was said may be stored.

// known holds what the user, the settings and the events say about capture at one time.
type known struct {
	worker      *worker
	consents    []store.Consent
	anyGone     bool                                // some UUIDs must never be stored
	settings    map[string]bool                     // by folder: whether they allow capture
	withdrawals map[string][]store.Withdrawal       // by agent
	watches     func(agent string) ([]watch, error) // those with a range under off
}

func (w *worker) know() (*known, error) {
	consents, err := w.store.Consents(w.ctx)
	if err != nil {
		return nil, err
	}
	anyGone, err := w.store.AnyGone(w.ctx)
	read := sync.OnceValues(w.offWatches)
	return &known{
		worker: w, consents: consents, anyGone: anyGone, settings: map[string]bool{}, withdrawals: map[string][]store.Withdrawal{},
		watches: func(agent string) ([]watch, error) { all, err := read(); return all[agent], err },
	}, err
}

// offWatches returns, by agent, the watches of all transcripts with a part that was said under off.
func (w *worker) offWatches() (map[string][]watch, error) {
	off := map[string][]watch{}
	err := w.store.EachWatch(w.ctx, func(agent string, stored []byte) {
		if !bytes.Contains(stored, []byte(`"off":`)) && json.Valid(stored) { // most have none
			return
		}
		if of := watchOf(stored); len(of.Off) > 0 {
			off[agent] = append(off[agent], of)
		}
	})
	return off, err
}

// gone returns those of the UUIDs that must never be stored.
func (k *known) gone(uuids ...string) ([]string, error) {
	if !k.anyGone {
		return nil, nil
	}
	return k.worker.store.Gone(k.worker.ctx, uuids)
}

func (k *known) withdrawalsOf(agent string) (all []store.Withdrawal, err error) {
	all, isRead := k.withdrawals[agent]
	if !isRead {
		all, err = k.worker.store.Withdrawals(k.worker.ctx, agent)
		k.withdrawals[agent] = all
	}
	return all, err
}

// isOff reports whether a record was said under off, according to the events of this transcript or, if it may be a
// copy, of others. For a record after the last event of its folder, the current settings decide.
func (p *part) isOff(r transcript.Record, rewritten bool) (bool, error) {
	in, known := p.folders[r.Cwd]
	if !known {
		in = p.foldersOf(r.Cwd)
		p.folders[r.Cwd] = in
	}
	isKnown := false
	isCopy := !r.At.IsZero() && (p.watch.Sub || r.At.Before(p.watch.First))
	for _, folder := range append(p.watch.foldersOf(r.Cwd, in.dir), everywhere) {
		if p.watch.covers(folder, r.Place, r.At, rewritten) {
			return true, nil
		}
		if isCopy {
			if off, err := p.saidDuring(folder, r.At); off || err != nil {
				return off, err
			}
		}
		last := p.watch.last(folder)
		isKnown = isKnown || folder != everywhere && last != nil && r.Place < last.Place && !rewritten
	}
	if !isKnown && !p.allows(in) {
		return true, nil
	}
	if len(r.Blocks) == 0 {
		return false, nil
	}
	gone, err := p.gone(r.UUID)
	return len(gone) > 0, err
}

// saidDuring reports whether a time is within a range under off of any transcript of the agent, or within a time
// without consent.
func (p *part) saidDuring(folder string, at time.Time) (bool, error) {
	withdrawals, err := p.withdrawalsOf(p.of.Agent)
	if err != nil {
		return false, err
	}
	isWithdrawn := slices.ContainsFunc(withdrawals, func(w store.Withdrawal) bool {
		return !at.Before(w.Since) && (w.Until.IsZero() || !at.After(w.Until))
	})
	others, err := p.watches(p.of.Agent)
	return isWithdrawn || slices.ContainsFunc(others, func(w watch) bool { return w.saidDuring(folder, at) }), err
}

// isConsented reports whether the user's consents cover a project, for the agent that the event named as well as for
// the writer of the transcript or the record, which may be another agent.
func (p *part) isConsented(project string, writer agent.Client) bool {
	covers := func(agent string) bool {
		return store.AnyCovers(p.consents, agent, project)
	}
	if of := p.from.Agent(); of != agent.Claude { // also the agent of transcripts in no known format
		writer = of
	}
	return covers(p.of.Agent) && (writer == "" || covers(string(writer)))
}

// folders are the folders of a record, with links resolved.
type folders struct {
	dir     string
	root    string // the folder whose settings decide
	isThere bool   // root exists
}

// foldersOf returns the folders of a record. If its own no longer exists and no event came from there, it returns those
// of the last event.
func (p *part) foldersOf(cwd string) (in folders) {
	for _, dir := range []string{cmp.Or(cwd, p.of.Cwd), p.of.Cwd} {
		in = folders{dir: worktree.Resolved(dir), root: worktree.Resolved(cli.Root(dir))}
		_, err := os.Stat(in.root)
		if in.isThere = err == nil; in.isThere || p.watch.holding(in.dir) != "" {
			return in
		}
	}
	return in
}

// allows reports whether the settings allow capture. If their folder no longer exists, the user's own settings decide,
// but only if capture was on at the last event there. Settings that cannot be read do not allow it.
func (p *part) allows(in folders) bool {
	if known, isKnown := p.settings[in.root]; isKnown {
		return known
	}
	var tree *worktree.Tree
	allowed := true
	if in.isThere {
		var err error
		if tree, err = worktree.Open(in.root); err != nil {
			return false
		}
		defer tree.Close()
	} else {
		last := p.watch.last(p.watch.holding(in.dir))
		allowed = last != nil && last.On
	}
	c, _ := config.Load(tree, p.worker.variable) // on an error, capture is off if in doubt
	p.settings[in.root] = allowed && c.TurnCapture
	return p.settings[in.root]
}

package capture

import (
	"cmp"
	"os"
	"slices"
	"time"

	"whence/internal/agent"
	"whence/internal/agent/transcript"
	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/store"
	"whence/internal/worktree"
)

// This file decides whether what was said may be stored.

// isOff reports whether a record was said under off, by what events have found out about this transcript or one of which
// it is a copy. What was said after the last event of its folder is decided by the settings as they are now.
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
	gone, err := p.worker.store.Gone(p.worker.ctx, []string{r.UUID})
	return len(gone) > 0, err
}

// saidDuring reports whether something was said under off by what is known of any transcript of the agent, or after the
// user had withdrawn their consent.
func (p *part) saidDuring(folder string, at time.Time) (bool, error) {
	isWithdrawn := slices.ContainsFunc(p.withdrawals, func(w store.Withdrawal) bool {
		return !at.Before(w.Since) && (w.Until.IsZero() || !at.After(w.Until))
	})
	others, err := p.others()
	return isWithdrawn || slices.ContainsFunc(others, func(w watch) bool { return w.saidDuring(folder, at) }), err
}

func (p *part) watchesOfAgent() (watches []watch, err error) {
	all, err := p.worker.store.Transcripts(p.worker.ctx)
	for _, t := range all {
		if t.Agent == p.of.Agent {
			watches = append(watches, watchOf(t.Watch))
		}
	}
	return watches, err
}

// isConsented reports whether the user's consent covers a project. An event may have named another agent than the writer
// of a record, or of the transcript.
func (p *part) isConsented(project string, writer agent.Client) bool {
	covers := func(agent string) bool {
		return slices.ContainsFunc(p.consents, func(c store.Consent) bool { return c.Covers(agent, project) })
	}
	if of := p.from.Agent(); of != agent.Claude { // which is also the one of no known format
		writer = of
	}
	return covers(p.of.Agent) && (writer == "" || covers(string(writer)))
}

// folders are where something was said, with links resolved.
type folders struct {
	dir     string
	root    string // whose settings decide about it
	isThere bool   // root exists
}

// foldersOf returns the folders of a record. If its own has gone and no event came from there, that of the last event counts.
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

// allows reports whether the settings allow capture; where their folder has gone, the user's own, if capture was on at the
// last event there. Settings that cannot be read do not.
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
	c, _ := config.Load(tree, p.worker.variable) // with an error capture is off if in doubt
	p.settings[in.root] = allowed && c.TurnCapture
	return p.settings[in.root]
}

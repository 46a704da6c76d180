package hooks

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"whence/internal/capture"
	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/finding"
	"whence/internal/home"
	"whence/internal/index"
	"whence/internal/store"
	"whence/internal/team"
	"whence/internal/worktree"
	"whence/validate"
)

// checkStore reports a store that cannot be read or written, and what is in it.
func (d *doctor) checkStore() {
	dir, err := d.env.Home()
	if err != nil {
		remedy := "export WHENCE_HOME=/a/folder/of/yours"
		if unclaimed := (*home.UnclaimedError)(nil); errors.As(err, &unclaimed) {
			remedy = "memory-remember list"
		}
		d.found("store", remedy, "nothing is stored: %v", err)
		return
	}
	d.home = dir
	s, err := store.OpenReadOnly(d.Context, dir)
	if errors.Is(err, store.ErrNone) {
		d.ok("store", "%s is empty", dir)
		return
	}
	if err != nil {
		d.found("store", remedyOf(err, dir), "%v", err)
		return
	}
	counts, err := s.Stats(d.Context, time.Now())
	if err = errors.Join(err, s.Close(), checkWritable(dir)); err != nil {
		d.found("store", "chmod -R u+rwX "+cli.Word(dir), "%s: nothing is stored: %v", dir, err)
		return
	}
	d.ok("store", "%s: %s, %s of %s", dir, cli.Count(counts.Learnings, "learning", "learnings"), cli.Count(counts.Turns, "turn", "turns"), cli.Count(counts.Sessions, "session", "sessions"))
}

// remedyOf returns the command that fixes a store that cannot be opened.
func remedyOf(err error, dir string) string {
	file := cli.Word(filepath.Join(dir, "memory.db"))
	switch {
	case errors.Is(err, store.ErrNewer):
		return "git pull && make install   # in a clone of whence; or install the new version as you did this one"
	case errors.Is(err, store.ErrForeign):
		return "export WHENCE_HOME=\"$HOME/.whence\""
	case errors.Is(err, store.ErrDamaged):
		return fmt.Sprintf("mv %s %[1]s.damaged", file)
	}
	return "ls -l " + file
}

// checkWritable writes into the folder of the store, which changes nothing.
func checkWritable(dir string) error {
	temp, err := os.CreateTemp(dir, ".whence-doctor-*")
	if err != nil {
		return err
	}
	return errors.Join(temp.Close(), os.Remove(temp.Name()))
}

// checkMemory reports a memory index that is not true.
func (d *doctor) checkMemory(tree *worktree.Tree, c config.Config) {
	root := tree.Dir
	show := "memory-validate --repo " + cli.Word(root)
	memory, err := cli.Memory(d.env, tree, c)
	if err != nil {
		d.found("memory", "git -C "+cli.Word(root)+" status   # until it works", "%v", err)
		return
	}
	refusals := memory.Refusals()
	for _, r := range refusals {
		d.found("memory", r.Remedy(), "%s %s", filepath.Join(root, filepath.FromSlash(r.Path)), r.Why())
	}
	m, err := validate.Load(memory, c)
	if errors.Is(err, validate.ErrNoMemory) {
		if len(refusals) == 0 {
			d.note("memory", "%s has no memory: no decisions are recalled, learnings are", root)
		}
		return
	}
	if err != nil {
		d.found("memory", show, "%v", err)
		return
	}
	found, err := validate.CheckFixes(m, c)
	if err != nil {
		d.found("memory", show, "%v", err)
		return
	}
	found = slices.DeleteFunc(found, func(f finding.Finding) bool { return f.Rule == "not-memory" }) // its refusals
	if len(found) > 0 {
		first, remedy := found[0], show+" shows them; edit the files that it names"
		if flags := validate.FixFlags(found); flags != "" {
			remedy = "memory-validate " + flags + " --repo " + cli.Word(root)
		}
		d.found("memory", remedy, "%s, the first in %s:%d: %s [%s]", cli.Count(len(found), "finding", "findings"), filepath.Join(root, filepath.FromSlash(first.Path)), first.Line, first.Message, first.Rule)
		return
	}
	entries := 0
	for _, line := range m.Index.Lines {
		if line.Kind == index.EntryLine {
			entries++
		}
	}
	d.ok("memory", "%s: %s in %s of decisions, no findings", c.Index, cli.Count(entries, "entry", "entries"), cli.Count(len(m.Decisions), "file", "files"))
	if n := validate.CountSituations(m, c); n.AreFew() {
		d.note("memory", "%s: %s", n, validate.SituationsRemedy)
	}
}

// checkCapture reports what is captured, and what keeps turns from being stored.
func (d *doctor) checkCapture(c config.Config, wrong error) {
	notice := captureNotice(d.home, nil, c, wrong)
	if d.home == "" || len(notice) == 1 { // why nothing is
		if d.home != "" {
			d.note("capture", "%s", notice[0])
		}
		return
	}
	if n, since := d.unreadTranscripts(); n > 0 {
		d.found("capture", "memory-remember capture", "%s not captured, the first since %s: no worker has finished it", cli.Count(n, "transcript is", "transcripts are"), since.UTC().Format(time.RFC3339))
	}
	if !d.runs {
		d.note("capture", "nothing is captured, since no agent runs %s", programName)
		return
	}
	for _, line := range notice {
		d.ok("capture", "%s", line)
	}
}

// unreadTranscripts returns how many transcripts no worker has read, and when the first of them had its last
// event. An agent goes on writing into others, so that they always have something unread.
func (d *doctor) unreadTranscripts() (n int, since time.Time) {
	s, err := store.OpenReadOnly(d.Context, d.home)
	if err != nil {
		return 0, since // it was reported
	}
	defer s.Close()
	all, err := s.Transcripts(d.Context)
	if err != nil {
		return 0, since
	}
	for _, t := range all { // those of the last events come first
		if t.State != nil || time.Since(t.Seen) < capture.MaxWorkTime {
			continue
		}
		if unread, err := capture.Unread(d.Context, t); err != nil || unread > 0 {
			n, since = n+1, t.Seen
		}
	}
	return n, since
}

// maxOutage is how long the server of a team may be unavailable before it is a finding.
const maxOutage = 24 * time.Hour

// checkTeam reports the state of the copies of teams' stores, without asking their servers. A repository
// may name another store than it did.
func (d *doctor) checkTeam() {
	if d.home == "" {
		return
	}
	scope, err := team.ScopeOf(d.project, d.env.Dir, d.env.Getenv)
	if err != nil {
		return // a setting that was reported
	}
	if scope.Remark != "" {
		d.note("team", "%s", scope.Remark)
	}
	replicas, err := team.Replicas(d.home)
	if err != nil {
		d.found("team", "ls -l "+cli.Word(d.home), "%v", err)
	}
	if scope.Replica != nil {
		named := scope.Replica.Dir()
		replicas = slices.DeleteFunc(replicas, func(r *team.Replica) bool { return r.Dir() == named })
		replicas = slices.Insert(replicas, 0, scope.Replica)
	}
	for i, r := range replicas {
		d.checkReplica(r, i == 0 && scope.Replica != nil)
	}
}

func (d *doctor) checkReplica(r *team.Replica, isNamed bool) {
	const send = "memory-remember capture"
	st, err := r.Status(d.Context)
	if err != nil {
		d.found("team", "ls -l "+cli.Word(r.Dir()), "%v", err)
		return
	}
	now, before := time.Now(), d.count(stateFinding)
	for _, a := range st.SetAside {
		d.found("team", "memory-remember store outbox", "%s not sent to %s: %s", cli.Count(a.Count, "operation", "operations"), r.Name(), a.Reason())
	}
	if st.Refused > 0 {
		d.found("team", send+" --retry", "%s refused %s, which are kept until you retry, once the reason is gone: %s", r.Name(), cli.Count(st.Refused, "operation", "operations"), st.Reason)
	}
	if st.Waiting > 0 && now.Sub(st.Oldest) > maxOutage {
		d.found("team", send, "%s to be sent to %s since %s", cli.Count(st.Waiting, "operation waits", "operations wait"), r.Name(), st.Oldest.Local().Format("2006-01-02 15:04"))
	}
	if isNamed && st.Error != "" {
		d.found("team", send, "%s: the last attempt failed at %s (try again once the server can be reached): %s", r.Name(), st.Tried.Local().Format("2006-01-02 15:04"), st.Error)
	}
	if isNamed && d.count(stateFinding) == before {
		waits := "nothing waits to be sent"
		if st.Waiting > 0 {
			waits = cli.Count(st.Waiting, "operation waits", "operations wait") + " to be sent"
		}
		d.ok("team", "the team's store is %s: hooks read %s; %s", r.Name(), st.Since(now), waits)
	}
}

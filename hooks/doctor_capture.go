package hooks

import (
	"errors"
	"strings"
	"time"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/spool"
	"whence/internal/store"
	"whence/internal/team"
	"whence/internal/turns"
	"whence/remember"
)

// checkConsent reports what the repository asks for, and in a line what is captured under the
// settings that count.
func (d *doctor) checkConsent(c config.Config, wrong error) {
	if len(c.Asks) > 0 {
		d.note("settings", "this repository asks for %s, which does not count; to see and allow it: %s allow", strings.Join(settingsOf(c.Asks), ", "), programName)
	}
	notice := captureNotice(d.home, d.homeless, c, wrong)
	if len(notice) == 1 { // nothing is captured, and why
		d.note("captures", "%s", notice[0])
		return
	}
	d.note("captures", "prompts, answers, commands, failures and their fixes, without secrets that are recognized; where, how long, how to switch it off: %s status", programName)
}

// checkCapture reports what keeps turns from being stored, and how many are.
func (d *doctor) checkCapture() {
	if remember.Program() == "" {
		d.found("capture", "make install   # in your clone of whence: it installs memory-remember too",
			"memory-remember, which stores what is captured, is neither beside this program nor on the PATH")
	}
	queue := turns.SpoolDir(d.home)
	s, err := spool.StatusOf(queue)
	if err != nil {
		d.found("capture", "ls -l "+cli.Word(queue), "nothing can be captured: %v", err)
		return
	}
	if s.Failed > 0 {
		d.found("capture", "memory-remember capture --retry", "%s could not be stored, the last because: %s", cli.Count(s.Failed, "job", "jobs"), s.Reason)
	}
	switch waits := cli.Count(s.Waiting, "job", "jobs"); {
	case s.Waiting == 0:
	case time.Since(s.Oldest) > turns.MaxWorkTime:
		d.found("capture", "memory-remember capture", "%s waiting to be stored, the first since %s: no worker has finished it", waits, s.Oldest.UTC().Format(time.RFC3339))
	default:
		d.note("capture", "%s waiting to be stored: a worker does it now, or when the next session begins or stops", waits)
	}
	if !d.runs {
		d.note("capture", "nothing is captured, since no agent runs %s", programName)
		return
	}
	dir := d.home
	if scope, err := team.ScopeOf(d.project, d.env.Dir, d.env.Getenv); err == nil {
		dir = scope.Dir
	}
	d.countTurns(dir)
}

// countTurns reports how much is stored.
func (d *doctor) countTurns(dir string) {
	s, err := store.OpenReadOnly(d.Context, dir)
	if errors.Is(err, store.ErrNone) {
		d.ok("capture", "sessions are captured; none has been yet")
		return
	}
	if err != nil {
		return // checkStore has reported it
	}
	st, err := s.Stats(d.Context, time.Now())
	if err = errors.Join(err, s.Close()); err != nil {
		d.found("capture", "run "+programName+" doctor again", "%v", err)
		return
	}
	newest := ""
	if st.NewestTurn != nil {
		newest = ", the last at " + st.NewestTurn.UTC().Format(time.RFC3339)
	}
	d.ok("capture", "sessions are captured: %s of %s%s", cli.Count(st.Turns, "turn", "turns"), cli.Count(st.Sessions, "session", "sessions"), newest)
}

package hooks

import (
	"errors"
	"time"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/home"
	"whence/internal/spool"
	"whence/internal/store"
	"whence/internal/team"
	"whence/internal/turns"
	"whence/remember"
)

// checkCapture reports what keeps turns from being stored, and how many are.
func (d *doctor) checkCapture(c config.Config) {
	if !c.TurnCapture {
		return // checkConsent has reported it
	}
	dir, err := home.Dir(d.env.Getenv)
	if err != nil {
		return // checkStore has reported it
	}
	if remember.Program() == "" {
		d.found("capture", "make install   # in your clone of whence: it installs memory-remember too",
			"memory-remember, which stores what is captured, is neither beside this program nor on the PATH")
	}
	at := turns.SpoolDir(dir)
	s, err := spool.StatusOf(at)
	if err != nil {
		d.found("capture", "ls -l "+quoteProgram("", "", at), "nothing can be captured: %v", err)
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
	if place, err := team.ScopeOf(d.project, d.env.Dir, d.env.Getenv); err == nil {
		dir = place.Dir
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

package hooks

import (
	"errors"
	"time"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/home"
	"whence/internal/ingest"
	"whence/internal/knowledge"
	"whence/internal/spool"
	"whence/internal/store"
	"whence/remember"
)

// checkCapture reports what keeps sessions from being stored, and how much is.
func (d *doctor) checkCapture(c config.Config) {
	if !c.TurnCapture {
		d.note("capture", "what is said in sessions is not captured, see above")
		return
	}
	dir, err := home.Dir(d.env.Getenv)
	if err != nil {
		return // the store has told
	}
	if remember.Program() == "" {
		d.found("capture", "go install ./remember/memory-remember, and put its folder on the PATH",
			"memory-remember, which stores what is said in sessions, is neither beside this program nor on the PATH")
	}
	at := ingest.Dir(dir)
	s, err := spool.Waiting(at)
	if err != nil {
		d.found("capture", "look at "+at, "what is said in sessions is not kept: %v", err)
		return
	}
	if s.Failed > 0 {
		d.found("capture", "memory-remember capture --retry", "%s could not be stored, the last since: %s", cli.Count(s.Failed, "job", "jobs"), s.Reason)
	}
	switch waits := cli.Count(s.Waiting, "job", "jobs"); {
	case s.Waiting == 0:
	case time.Since(s.Oldest) > ingest.TimeLimit:
		d.found("capture", "memory-remember capture", "%s to be stored, the first since %s: no worker has come to an end with it", waits, s.Oldest.UTC().Format(time.RFC3339))
	default:
		d.note("capture", "%s to be stored: a worker is at it, or will be when a session begins or its agent stops", waits)
	}
	if place, err := knowledge.PlaceOf(d.project, d.env.Dir, d.env.Getenv); err == nil {
		dir = place.Dir
	}
	d.countTurns(dir)
}

// countTurns tells how much is stored.
func (d *doctor) countTurns(dir string) {
	s, err := store.OpenReadOnly(d.Context, dir)
	if errors.Is(err, store.ErrNone) {
		d.ok("capture", "what is said in sessions is kept; nothing was said yet")
		return
	}
	if err != nil {
		return // checkStore has told
	}
	st, err := s.Stats(d.Context, time.Now())
	if err = errors.Join(err, s.Close()); err != nil {
		d.found("capture", "run "+programName+" doctor again", "%v", err)
		return
	}
	newest := ""
	if st.NewestTurn != nil {
		newest = ", the last of " + st.NewestTurn.UTC().Format(time.RFC3339)
	}
	d.ok("capture", "what is said in sessions is kept: %s of %s%s", cli.Count(st.Turns, "turn", "turns"), cli.Count(st.Sessions, "session", "sessions"), newest)
}

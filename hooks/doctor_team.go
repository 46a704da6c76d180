package hooks

import (
	"fmt"
	"time"

	"whence/internal/cli"
	"whence/internal/team"
)

// maxOutage is how long the server of a team may be unavailable before it is a finding.
const maxOutage = 24 * time.Hour

// checkTeam reports the state of the copy of a team's store, without asking its server.
func (d *doctor) checkTeam(scope team.Scope) {
	name := scope.Replica.Name()
	st, err := scope.Replica.Status(d.Context)
	if err != nil {
		d.found("team", "ls -l "+cli.Word(scope.Dir), "%v", err)
		return
	}
	now := time.Now()
	waits := "nothing waits to be sent"
	if st.Waiting > 0 {
		waits = fmt.Sprintf("%s to be sent since %s", cli.Count(st.Waiting, "operation waits", "operations wait"), st.Oldest.Local().Format("2006-01-02 15:04"))
	}
	const capture = "memory-remember capture"
	switch text := fmt.Sprintf("the team's store is %s: hooks read %s; %s", name, st.Since(now), waits); {
	case st.Error != "":
		d.found("team", capture, "%s; the last attempt failed at %s (try again once the server can be reached): %s", text, st.Tried.Local().Format("2006-01-02 15:04"), st.Error)
	case st.Waiting > 0 && now.Sub(st.Oldest) > maxOutage:
		d.found("team", capture, "%s, for more than a day", text)
	case st.At.IsZero():
		d.note("team", "%s; it is filled when a session begins", text)
	default:
		d.ok("team", "%s", text)
	}
	for _, a := range st.SetAside {
		d.found("team", "memory-remember store outbox", "%s not sent to %s: %s", cli.Count(a.Count, "operation", "operations"), name, a.Reason())
	}
	if st.Refused > 0 {
		d.found("team", capture+" --retry", "%s refused %s, which are kept until you retry, once the reason is gone: %s", name, cli.Count(st.Refused, "operation", "operations"), st.Reason)
	}
}

// checkOtherTeams reports what was not sent to stores that this repository does not name: its
// URL may have changed.
func (d *doctor) checkOtherTeams(scope team.Scope) {
	replicas, err := team.Replicas(d.home)
	if err != nil {
		d.found("team", "ls -l "+cli.Word(d.home), "%v", err)
	}
	for _, r := range replicas {
		if scope.Replica != nil && scope.Replica.Dir() == r.Dir() {
			continue
		}
		st, err := r.Status(d.Context)
		if err != nil {
			d.found("team", "ls -l "+cli.Word(r.Dir()), "%v", err)
			continue
		}
		left := st.Refused
		for _, a := range st.SetAside {
			left += a.Count
		}
		if st.Waiting > 0 && time.Since(st.Oldest) > maxOutage {
			left += st.Waiting
		}
		if left > 0 {
			d.found("team", "memory-remember store outbox", "%s not sent to the team's store %s, which this repository does not name (another one does, or this one did)", cli.Count(left, "operation", "operations"), r.Name())
		}
	}
}

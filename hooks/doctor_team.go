package hooks

import (
	"fmt"
	"time"

	"whence/internal/cli"
	"whence/internal/team"
)

// maxWait is how long the server of a team may be unavailable before it is a finding.
const maxWait = 24 * time.Hour

// checkTeam reports the state of the copy of a team's store, without asking its server.
func (d *doctor) checkTeam(place team.Scope) {
	name := place.Replica.Name()
	st, err := place.Replica.Status(d.Context)
	if err != nil {
		d.found("team", "ls -l "+quoteProgram("", "", place.Dir), "%v", err)
		return
	}
	now := time.Now()
	waits := "nothing waits to be sent"
	if st.Waiting > 0 {
		waits = fmt.Sprintf("%s to be sent since %s", cli.Count(st.Waiting, "operation waits", "operations wait"), st.Oldest.Local().Format("2006-01-02 15:04"))
	}
	const again = "memory-remember capture"
	switch text := fmt.Sprintf("the team's store is %s: hooks read %s; %s", name, st.Since(now), waits); {
	case st.Error != "":
		d.found("team", again, "%s; the last attempt failed at %s (try again once the server can be reached): %s", text, st.Tried.Local().Format("2006-01-02 15:04"), st.Error)
	case st.Waiting > 0 && now.Sub(st.Oldest) > maxWait:
		d.found("team", again, "%s, for more than a day", text)
	case st.At.IsZero():
		d.note("team", "%s; it is filled when a session begins", text)
	default:
		d.ok("team", "%s", text)
	}
	for _, a := range st.SetAside {
		d.found("team", "memory-remember store outbox", "%s not sent to %s: %s", cli.Count(a.Count, "operation", "operations"), name, a.Reason())
	}
	if st.Refused > 0 {
		d.found("team", again+" --retry", "%s refused %s, which are kept until you retry, once the reason is gone: %s", name, cli.Count(st.Refused, "operation", "operations"), st.Reason)
	}
}

// checkOtherTeams reports what was not sent to stores that this repository does not name: its
// URL may have changed.
func (d *doctor) checkOtherTeams(home string, here team.Scope) {
	places, err := team.Replicas(home)
	if err != nil {
		d.found("team", "ls -l "+quoteProgram("", "", home), "%v", err)
	}
	for _, p := range places {
		if here.Replica != nil && here.Replica.Dir() == p.Dir() {
			continue
		}
		st, err := p.Status(d.Context)
		if err != nil {
			d.found("team", "ls -l "+quoteProgram("", "", p.Dir()), "%v", err)
			continue
		}
		left := st.Refused
		for _, a := range st.SetAside {
			left += a.Count
		}
		if st.Waiting > 0 && time.Since(st.Oldest) > maxWait {
			left += st.Waiting
		}
		if left > 0 {
			d.found("team", "memory-remember store outbox", "%s not sent to the team's store %s, which this repository does not name (another one does, or this one did)", cli.Count(left, "operation", "operations"), p.Name())
		}
	}
}

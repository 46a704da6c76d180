package team

import (
	"fmt"
	"time"

	"whence/internal/store"
	"whence/internal/text"
)

// Describe returns a line on the team of a repository: where, when they exchanged last, what waits.
func Describe(t store.Team, waiting int, now time.Time) string {
	line := fmt.Sprintf("%s on %s, as %s: ", t.Team, serverName(t.URL), t.Scope)
	switch {
	case t.Synced.IsZero():
		line += "not exchanged yet"
	case now.Sub(t.Synced) < time.Minute:
		line += "in sync"
	default:
		line += "in sync " + ago(now.Sub(t.Synced))
	}
	switch waiting {
	case 0:
	case 1:
		line += ", 1 change waits"
	default:
		line += fmt.Sprintf(", %d changes wait", waiting)
	}
	if t.Fault != "" {
		line += "; last time: " + t.Fault
	}
	return text.Printable(line)
}

func ago(d time.Duration) string {
	switch {
	case d < 2*time.Hour:
		return fmt.Sprintf("%d minutes ago", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d hours ago", int(d.Hours()))
	}
	return fmt.Sprintf("%d days ago", int(d.Hours()/24))
}

package store

import (
	"cmp"
	"fmt"
	"net/url"

	"whence/internal/text"
)

// State returns a line on the team of a repository: where, when they exchanged last, what waits.
func (t Team) State(waiting int) string {
	server, last := "the server", "not exchanged yet"
	if u, err := url.Parse(t.URL); err == nil {
		server = cmp.Or(u.Query().Get("host"), u.Host) + u.Path
	}
	if !t.Synced.IsZero() {
		last = "in sync at " + t.Synced.Local().Format("2006-01-02 15:04")
	}
	line := fmt.Sprintf("%s on %s, as %s: %s, waiting changes: %d", t.Team, server, t.Scope, last, waiting)
	if t.Fault != "" {
		line += "; last time: " + t.Fault
	}
	return text.Printable(line)
}

package hooks

import (
	"path/filepath"

	"whence/internal/home"
	"whence/internal/hook"
)

// shownFaults is how many lines of the log are shown.
const shownFaults = 5

// logLines are the lines of the log of faults.
func (d *doctor) logLines() []string {
	dir, err := home.Dir(d.env.Getenv)
	if err != nil {
		return nil
	}
	return hook.Faults(dir)
}

// checkLog reports faults that came up while the programs were tried, and shows earlier
// ones.
func (d *doctor) checkLog(before []string) {
	dir, err := home.Dir(d.env.Getenv)
	if err != nil {
		return
	}
	name := filepath.Join(dir, hook.LogName)
	now := d.logLines()
	switch faults := len(now) - len(before); {
	case faults*2 > d.tries:
		d.found("log", "look at "+name, "%d faults in %d tries, the last: %s", faults, d.tries, now[len(now)-1])
		return
	case faults > 0: // a machine that was busy for a moment
		d.note("log", "%d faults in %d tries, the last: %s", faults, d.tries, now[len(now)-1])
		return
	}
	if len(before) == 0 {
		d.ok("log", "no faults in %s", name)
		return
	}
	for _, line := range before[max(0, len(before)-shownFaults):] {
		d.note("log", "%s", line)
	}
	d.note("log", "these are the last of %d faults in %s", len(before), name)
}

package hooks

import (
	"path/filepath"

	"whence/internal/cli"
	"whence/internal/dispatch"
)

// maxShownFaults bounds the lines of the log that are shown.
const maxShownFaults = 5

// checkLog reports faults that occurred while the programs were tried, and shows earlier ones.
func (d *doctor) checkLog(before []string) {
	name := filepath.Join(d.home, dispatch.FaultLogName)
	now := dispatch.ReadFaults(d.home)
	tries := cli.Count(d.tries, "trial run", "trial runs")
	switch faults := len(now) - len(before); {
	case faults*2 > d.tries:
		d.found("log", "tail "+cli.Word(name), "%s in %s, the last: %s", cli.Count(faults, "fault", "faults"), tries, now[len(now)-1])
		return
	case faults > 0: // a machine that was busy for a moment
		d.note("log", "%s in %s, the last: %s", cli.Count(faults, "fault", "faults"), tries, now[len(now)-1])
		return
	}
	if len(before) == 0 {
		d.ok("log", "no faults in %s", name)
		return
	}
	d.note("log", "%s in %s (you can delete it), the last of them:", cli.Count(len(before), "fault", "faults"), name)
	for _, line := range before[max(0, len(before)-maxShownFaults):] {
		d.note("log", "%s", line)
	}
}

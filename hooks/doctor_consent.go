package hooks

import (
	"strings"

	"whence/internal/config"
)

// checkConsent reports what the repository asks for, and in a line what is captured under the
// settings that count.
func (d *doctor) checkConsent(c config.Config, wrong error) {
	if len(c.Asks) > 0 {
		d.note("settings", "this repository asks for %s, which does not count; to see and allow it: %s allow", strings.Join(settingsOf(c.Asks), ", "), programName)
	}
	notice := captureNotice(d.env, c, wrong)
	if len(notice) == 1 { // nothing is captured, and why
		d.note("captures", "%s", notice[0])
		return
	}
	d.note("captures", "prompts, answers, commands, failures and their fixes, without secrets that are recognized; where, how long, how to switch it off: %s status", programName)
}

package hooks

import (
	"strings"

	"whence/internal/config"
)

// checkConsent reports what the repository asks for, and what is captured under the settings
// that count.
func (d *doctor) checkConsent(c config.Config, wrong error) {
	if len(c.Asks) > 0 {
		d.note("settings", "this repository asks for %s, which does not count: `%s allow` shows and allows it", strings.Join(settingsOf(c.Asks), ", "), programName)
	}
	for _, line := range captureNotice(d.env, c, wrong) {
		d.note("captures", "%s", line)
	}
}

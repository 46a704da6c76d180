package hooks

import (
	"slices"
	"strings"

	"whence/internal/agent"
	"whence/internal/dispatch"
)

// checkSettings reports settings files that cannot be used.
func (d *doctor) checkSettings() {
	for _, f := range d.files {
		if f.err != nil {
			d.found("settings", "correct "+f.path+", then run "+programName+" doctor again", "%v", f.err)
		}
	}
}

// checkRegistered reports events for which no agent, or only some settings, are registered.
func (d *doctor) checkRegistered() {
	for _, f := range d.files {
		if f.plugin != "" {
			d.runs = true
			d.ok("registered", "%s, %s: the plugin %s", f.client.Title(), f.path, f.plugin)
			for _, other := range d.files {
				if other.client == f.client && len(other.ours) > 0 {
					d.found("registered", other.uninstallCommand(), "%s runs it twice at each event: by the plugin %s and by %s", f.client.Title(), f.plugin, other.path)
				}
			}
		}
		if len(f.ours) > 0 && !slices.ContainsFunc(f.programs(), f.isForeign) { // checkPrograms names those
			d.runs = true
			d.checkEvents(f)
		}
	}
	switch {
	case d.runs:
	case len(d.rules) > 0:
		d.note("registered", "no agent runs %s: agents without hooks query the memory themselves", programName)
	default:
		d.found("registered", programName+" install", "no agent runs %s", programName)
	}
}

// checkEvents reports what is wrong with the registrations of a settings file.
func (d *doctor) checkEvents(f *settingsFile) {
	var missing []string
	strange := f.events()
	for _, hook := range f.client.Hooks() {
		if !slices.Contains(strange, hook.Event) && hook.Since == "" {
			missing = append(missing, hook.Event)
		}
		strange = slices.DeleteFunc(strange, func(event string) bool { return event == hook.Event })
	}
	switch {
	case len(missing) > 0:
		d.found("registered", f.installCommand(), "%s: missing events: %s", f.path, strings.Join(missing, ", "))
	case len(strange) > 0:
		d.found("registered", f.installCommand(), "%s: events that it does not use: %s", f.path, strings.Join(strange, ", "))
	case f.stale:
		d.found("registered", f.installCommand(), "%s is of another version of %s", f.path, programName)
	default:
		d.ok("registered", "%s, %s: %s", f.client.Title(), f.path, strings.Join(f.events(), ", "))
	}
	for _, other := range d.files {
		if other.client == f.client && other.scope > f.scope && len(other.ours) > 0 {
			d.found("registered", f.uninstallCommand(), "%s runs it twice at each event: by %s and by %s", f.client.Title(), f.path, other.path)
		}
	}
}

// checkSwitches reports what switches hooks off.
func (d *doctor) checkSwitches() {
	if dispatch.IsDisabled(d.env.Getenv) {
		d.found("switched", "unset WHENCE_DISABLE", "WHENCE_DISABLE=1 switches everything off")
	}
	for _, f := range d.files {
		if f.off != "" {
			d.found("switched", "remove that setting from "+f.path, "%s runs no hooks: %s in %s", f.client.Title(), f.off, f.path)
		}
	}
}

// checkAgents reports agents that are too old for what is registered with them.
func (d *doctor) checkAgents() {
	for _, c := range agent.Clients {
		var events []string
		install := ""
		for _, f := range d.files {
			if f.client == c && len(f.ours) > 0 {
				events, install = append(events, f.events()...), f.installCommand()
			}
		}
		if len(events) == 0 {
			continue
		}
		version := versionOf(d.Context, c, d.project)
		if version == "" {
			d.note("agent", "%s: unknown version (%q is not on the PATH, or does not say)", c.Title(), string(c))
			continue
		}
		before := len(d.results)
		for _, hook := range c.Hooks() {
			if hook.Since == "" {
				continue
			}
			has := slices.Contains(events, hook.Event)
			switch {
			case has && older(version, hook.Since):
				d.found("agent", install,
					"%s %s may not know %s and would then ignore the whole settings file; update it to %s or later, or have install leave that event out", c.Title(), version, hook.Event, hook.Since)
			case !has && !older(version, hook.Since):
				d.found("agent", install, "%s %s knows %s, which is not registered", c.Title(), version, hook.Event)
			}
		}
		if len(d.results) == before {
			d.ok("agent", "%s %s", c.Title(), version)
		}
		if c == agent.Codex {
			d.note("agent", trustCodexHooks)
		}
	}
}

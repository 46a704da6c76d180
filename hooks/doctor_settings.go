package hooks

import (
	"fmt"
	"slices"
	"strings"

	"whence/internal/agent"
	"whence/internal/dispatch"
)

// checkSettings reports settings files that cannot be used.
func (d *doctor) checkSettings() {
	for _, s := range d.surveys {
		if s.err != nil {
			d.found("settings", "correct "+s.path+", then run "+programName+" doctor again", "%v", s.err)
		}
	}
}

// checkRegistered reports events that no agent, or only some settings, are registered for.
func (d *doctor) checkRegistered() {
	registered := 0
	for _, s := range d.surveys {
		if s.plugin != "" {
			registered++
			d.ok("registered", "%s, %s: the plugin %s", s.client.Title(), s.path, s.plugin)
			for _, other := range d.surveys {
				if other.client == s.client && len(other.ours) > 0 {
					d.found("registered", fmt.Sprintf("%s uninstall --scope %s --agent %s", programName, other.scope, other.client),
						"%s runs it twice at each event: by the plugin %s and by %s", s.client.Title(), s.plugin, other.path)
				}
			}
		}
		if len(s.ours) == 0 {
			continue
		}
		registered++
		remedy := s.reinstall()
		var has []string
		for _, r := range s.ours {
			has = append(has, r.Event)
		}
		var missing, strange []string
		for _, hook := range s.client.Hooks() {
			if !slices.Contains(has, hook.Event) && hook.Since == "" {
				missing = append(missing, hook.Event)
			}
		}
		for _, event := range has {
			if !slices.ContainsFunc(s.client.Hooks(), func(h agent.Hook) bool { return h.Event == event }) {
				strange = append(strange, event)
			}
		}
		switch {
		case len(missing) > 0:
			d.found("registered", remedy, "%s: missing events: %s", s.path, strings.Join(missing, ", "))
		case len(strange) > 0:
			d.found("registered", remedy, "%s: events that it does not use: %s", s.path, strings.Join(strange, ", "))
		case s.canBlock():
			d.found("registered", remedy, "%s: its command lines are those of version 0.1.0, with which a crash of the program can block the agent", s.path)
		default:
			d.ok("registered", "%s, %s: %s", s.client.Title(), s.path, strings.Join(has, ", "))
		}
		for _, other := range d.surveys {
			if other.client == s.client && other.scope > s.scope && len(other.ours) > 0 {
				d.found("registered", fmt.Sprintf("%s uninstall --scope %s --agent %s", programName, s.scope, s.client),
					"%s runs it twice at each event: by %s and by %s", s.client.Title(), s.path, other.path)
			}
		}
	}
	d.runs = registered > 0
	if !d.runs {
		d.found("registered", programName+" install", "no agent runs %s", programName)
	}
}

// checkSwitches reports what switches hooks off.
func (d *doctor) checkSwitches() {
	if dispatch.IsDisabled(d.env.Getenv) {
		d.found("switched", "unset WHENCE_DISABLE", "WHENCE_DISABLE=1 switches everything off")
	}
	for _, s := range d.surveys {
		if s.off != "" {
			d.found("switched", "remove that setting from "+s.path, "%s runs no hooks: %s in %s", s.client.Title(), s.off, s.path)
		}
	}
}

// checkAgents reports agents that are too old for what is registered with them.
func (d *doctor) checkAgents() {
	for _, c := range agent.Clients {
		var ours []agent.Registration
		scope := agent.User
		for _, s := range d.surveys {
			if s.client == c && len(s.ours) > 0 {
				ours, scope = append(ours, s.ours...), s.scope
			}
		}
		if len(ours) == 0 {
			continue
		}
		version := versionOf(d.Context, c)
		if version == "" {
			d.note("agent", "%s: unknown version (%q is not on the PATH, or does not say)", c.Title(), string(c))
			continue
		}
		before := len(d.results)
		for _, hook := range c.Hooks() {
			if hook.Since == "" {
				continue
			}
			has := slices.ContainsFunc(ours, func(r agent.Registration) bool { return r.Event == hook.Event })
			install := fmt.Sprintf("%s install --scope %s --agent %s", programName, scope, c)
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
			d.note("agent", "Codex runs a hook only after you have trusted it: type /hooks in Codex")
		}
	}
}

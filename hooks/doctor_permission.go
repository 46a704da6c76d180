package hooks

import (
	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/home"
)

// checkPermissions reports whether the agents that run this program can read what is pointed to, and
// without asking the user.
func (d *doctor) checkPermissions() {
	if !d.runs {
		return
	}
	command := cli.Command(agent.ReadingProgram)
	if command == "" {
		d.found("permission", "make install   # in your clone of whence", "%s, by which agents read decisions, is neither beside this program nor on the PATH", agent.ReadingProgram)
		return
	}
	for _, c := range agent.Clients {
		if f := d.runsIn(c); f != nil {
			d.checkPermission(f, command)
		}
	}
}

// runsIn returns the last settings file by which an agent runs this program; nil if none does.
func (d *doctor) runsIn(c agent.Client) (last *settingsFile) {
	for _, f := range d.files {
		if f.client == c && (len(f.ours) > 0 || f.plugin != "") {
			last = f
		}
	}
	return last
}

// checkPermission reports whether an agent that runs this program by a settings file runs a command
// without asking.
func (d *doctor) checkPermission(f *settingsFile, command string) {
	c, title := f.client, f.client.Title()
	if c.MayRun(command, home.UserFolder(d.env.Getenv), d.project, d.env.Getenv, readAgentFile) {
		d.ok("permission", "%s runs %s without asking you", title, command)
		return
	}
	for _, other := range d.files {
		if found, rule := c.PermissionOf(other.src, command); other.client == c && found == agent.Refused {
			d.found("permission", "remove that rule from "+other.path, "%s does not run %s without asking you: the rule %s", title, command, rule)
			return
		}
	}
	asks := title + " asks you before it runs " + command
	switch {
	case c == agent.Copilot:
		d.note("permission", "%s: when it does, approve it for the folder, or begin sessions with --allow-tool 'shell(%s)'", asks, agent.ReadingProgram)
	case c == agent.Gemini && f.scope != agent.User:
		d.note("permission", "%s: when it does, allow it for all future sessions", asks)
	case len(f.ours) == 0:
		d.note("permission", "%s: to allow it, type /permissions in %s and add the rule Bash(%s:*)", asks, title, command)
	case command != readingCommand(f.scope):
		d.found("permission", "add the folder of that program to the PATH", "%s: rules in these settings name it without its folder", asks)
	default:
		d.found("permission", f.installCommand(), "%s, so it hardly reads the decisions it is pointed to", asks)
	}
}

// readAgentFile returns the text of a file that an agent reads; nil if it cannot be read.
func readAgentFile(folder, name string) []byte {
	f := newAgentFile(folder, name)
	if f.read() != nil {
		return nil
	}
	return f.src
}

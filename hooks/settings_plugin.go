package hooks

import (
	"bytes"
	"fmt"
	"runtime"

	"whence/internal/agent"
)

// inspectPlugin reads from the file of a plugin what it runs. A file that is not ours registers nothing.
func (f *settingsFile) inspectPlugin() {
	if program, ours := f.client.PluginProgram(f.src); ours {
		f.ours = pluginRegistrations(f.client, program)
		f.stale = !isPlugin(f.src, f.client.Plugin(program))
	}
}

// isPlugin reports whether a file holds a plugin, whatever the ends of its lines.
func isPlugin(src, plugin []byte) bool {
	return bytes.Equal(bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n")), plugin)
}

// pluginRegistrations returns what a plugin registers that runs a program.
func pluginRegistrations(c agent.Client, program string) (all []agent.Registration) {
	for _, r := range c.Hooks() {
		r.Command = quoteProgram(c, runtime.GOOS, program) + " " + r.Event + " --agent " + string(c)
		all = append(all, r)
	}
	return all
}

// registerPlugin returns the file of a plugin in its current version. A file of that name that is not
// ours is an error.
func (o *registerOptions) registerPlugin(f *settingsFile) (e edited, err error) {
	if f.exists && len(f.ours) == 0 {
		return e, fmt.Errorf("%s is not a plugin that %s wrote: rename or remove it", f.path, programName)
	}
	e.after = f.client.Plugin(o.program)
	if isPlugin(f.src, e.after) {
		e.after = f.src
	}
	for _, r := range pluginRegistrations(f.client, o.program) {
		outcome := o.outcomeOf(r, f.ours)
		if f.stale {
			outcome = o.done("registered again")
		}
		e.lines = append(e.lines, fmt.Sprintf("%-18s  %s", r.Event, outcome))
	}
	return e, nil
}

// withoutPlugin returns what is left of the file of a plugin: nothing, unless it is not ours.
func (f *settingsFile) withoutPlugin() []byte {
	if len(f.ours) > 0 {
		return nil
	}
	return f.src
}

package hooks

import (
	"bytes"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/home"
)

// settingsFile is a file in which an agent looks for hooks.
type settingsFile struct {
	agentFile
	client agent.Client
	scope  agent.Scope
	ours   []agent.Registration // of this program
	off    string               // the setting that switches all hooks off
	plugin string               // our plugin, which registers hooks too, if it is switched on here
	stale  bool                 // the file is our plugin, of another version
	err    error                // why the file cannot be used
}

// settingsFiles reads the settings files of an agent, of all scopes that it has.
func settingsFiles(env cli.Env, c agent.Client, project string) (all []*settingsFile) {
	for _, scope := range agent.Scopes {
		if f, _ := openSettings(env, c, scope, project); f != nil {
			all = append(all, f)
		}
	}
	return all
}

// openSettings reads a settings file. A missing one is not an error. An agent that has no settings of
// a scope is a usage error, without a file.
func openSettings(env cli.Env, c agent.Client, scope agent.Scope, project string) (*settingsFile, error) {
	folder, name, err := c.SettingsFile(scope, home.UserFolder(env.Getenv), project, env.Getenv)
	if err != nil {
		return nil, cli.Usagef("%v", err)
	}
	f := &settingsFile{agentFile: newAgentFile(folder, name), client: c, scope: scope}
	switch {
	case scope != agent.User:
		f.ownFolders = strings.Count(name, "/")
	case c.HasPlugin():
		f.ownFolders = 2
	case c == agent.Copilot:
		f.ownFolders = 1
	}
	if f.err = f.read(); f.err == nil && f.exists {
		f.err = f.wrap(f.inspect())
	}
	return f, f.err
}

// editSettings reads the settings file of an agent, and edits its text.
func (o *registerOptions) editSettings(c agent.Client, edit func(*settingsFile) (change, error)) (change, error) {
	f, err := openSettings(o.env, c, o.scope, project(o.env, o.dir))
	if err != nil {
		return change{}, err
	}
	e, err := edit(f)
	e.file, e.title = &f.agentFile, fmt.Sprintf("%s, %s settings, %s", c.Title(), o.scope, f.path)
	return e, f.wrap(err)
}

// inspect reads from the text what is registered, and what switches it on or off.
func (f *settingsFile) inspect() error {
	if f.client.HasPlugin() {
		f.inspectPlugin()
		return nil
	}
	all, err := f.client.Registered(f.src)
	if err != nil {
		return err
	}
	f.ours = slices.DeleteFunc(all, func(r agent.Registration) bool { return !isOurs(r.Command) })
	if f.off, err = f.client.DisabledBy(f.src); err != nil {
		return err
	}
	plugins, err := f.client.Plugins(f.src)
	for name, on := range plugins {
		if on && strings.HasPrefix(name, agent.PluginPrefix) {
			f.plugin = name
		}
	}
	return err
}

// events returns the events for which this program is registered.
func (f *settingsFile) events() (events []string) {
	for _, r := range f.ours {
		events = append(events, r.Event)
	}
	return events
}

// programs returns the programs that our registrations run.
func (f *settingsFile) programs() (programs []string) {
	for _, r := range f.ours {
		if path := programOf(r.Command); !slices.Contains(programs, path) {
			programs = append(programs, path)
		}
	}
	return programs
}

// isForeign reports whether a program that the file has an agent run may be the repository's: it may have
// brought the settings, and the program with them.
func (f *settingsFile) isForeign(path string) bool {
	return f.scope != agent.User && path != programName
}

// command returns the command line that installs or uninstalls what this file registers.
func (f *settingsFile) command(verb, repo string) string {
	line := fmt.Sprintf("%s %s --scope %s --agent %s", programName, verb, f.scope, f.client)
	if f.scope != agent.User {
		line += repo
	}
	return line
}

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
func (o *registerOptions) registerPlugin(f *settingsFile) (e change, err error) {
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

// withoutPlugin returns the text of a plugin file without our plugin: none, or all of it if the plugin is not ours.
func (f *settingsFile) withoutPlugin() []byte {
	if len(f.ours) > 0 {
		return nil
	}
	return f.src
}

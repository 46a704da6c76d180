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
	"whence/internal/worktree"
)

// settingsFile is a file in which an agent looks for hooks.
type settingsFile struct {
	agentFile
	client agent.Client
	scope  agent.Scope
	ours   []agent.Registration // the registrations of this program
	off    string               // the setting that switches all hooks off; "": none
	plugin string               // our plugin, which also registers hooks, if this file switches it on; "": none
	stale  bool                 // the file is our plugin in another version
	err    error                // why the file cannot be used
}

// settingsFiles reads the settings files of an agent in all its scopes. A file that two scopes share, as in a user's
// home folder, is returned only for the first one.
func settingsFiles(env cli.Env, c agent.Client, project string) (all []*settingsFile) {
	for _, scope := range agent.Scopes {
		f, _ := openSettings(env, c, scope, project)
		if f != nil && !slices.ContainsFunc(all, func(other *settingsFile) bool { return worktree.Same(other.path, f.path) }) {
			all = append(all, f)
		}
	}
	return all
}

// openSettings reads a settings file. A missing file is not an error. If the agent has no settings for the scope, it
// returns a usage error and no file.
func openSettings(env cli.Env, c agent.Client, scope agent.Scope, project string) (*settingsFile, error) {
	folder, name, err := c.SettingsFile(scope, home.UserFolder(env.Getenv), project, env.Getenv)
	if err != nil {
		return nil, cli.Usagef("%v", err)
	}
	f := &settingsFile{agentFile: newAgentFile(folder, name), client: c, scope: scope}
	if f.err = f.read(); f.err == nil && f.exists {
		f.err = f.wrap(f.inspect())
	}
	return f, f.err
}

// editSettings returns the change that an edit makes to the settings file of an agent. The outcome is the edit's or, if
// the text stays the same, unchanged.
func (o *registerOptions) editSettings(c agent.Client, unchanged string, edit func(*settingsFile) (after []byte, outcome string, err error)) (change, error) {
	f, err := openSettings(o.env, c, o.scope, project(o.env, o.dir))
	if err != nil {
		return change{}, err
	}
	after, outcome, err := edit(f)
	if bytes.Equal(after, f.src) {
		outcome = unchanged
	}
	return change{&f.agentFile, after, fmt.Sprintf("%s, %s settings", c.Title(), o.scope), outcome}, f.wrap(err)
}

// inspect sets the fields that follow from the text.
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

// inspectPlugin sets the fields that follow from the file of a plugin. A file that is not ours registers nothing.
func (f *settingsFile) inspectPlugin() {
	program, isOurs := agent.PluginProgram(f.src)
	if !isOurs {
		return
	}
	for _, r := range f.client.Hooks() {
		r.Command = quoteProgram(f.client, runtime.GOOS, program)
		f.ours = append(f.ours, r)
	}
	f.stale = !isPlugin(f.src, agent.Plugin(program))
}

// isPlugin reports whether a file holds a plugin, whatever its line ends.
func isPlugin(src, plugin []byte) bool {
	return bytes.Equal(bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n")), plugin)
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

// command returns the command line, with the verb install or uninstall, for the agent and scope of this file.
func (f *settingsFile) command(verb, repo string) string {
	line := fmt.Sprintf("%s %s --scope %s --agent %s", programName, verb, f.scope, f.client)
	if f.scope != agent.User {
		line += repo
	}
	return line
}

// with returns the text with registrations for all events of the agent, and with permission to run some commands
// without asking. They replace our earlier registrations with another path or of another version.
func (f *settingsFile) with(program string, reading []string) ([]byte, error) {
	if f.client.HasPlugin() {
		plugin := agent.Plugin(program)
		if f.exists && len(f.ours) == 0 {
			return nil, fmt.Errorf("%s is not a plugin that %s wrote: rename or remove it", f.path, programName)
		}
		if isPlugin(f.src, plugin) {
			return f.src, nil
		}
		return plugin, nil
	}
	if f.isPluginAlone() { // the plugin registers the events
		return permit(f.client, f.src, reading)
	}
	var all []agent.Registration
	for _, r := range f.client.Hooks() {
		r.Command = commandLine(f.client, runtime.GOOS, program, r.Event)
		all = append(all, r)
	}
	isMissing := func(w agent.Registration) bool { return !slices.Contains(f.ours, w) }
	after := f.src
	if len(all) != len(f.ours) || slices.ContainsFunc(all, isMissing) {
		without, err := f.without()
		if err == nil {
			after, err = f.client.Register(without, all)
		}
		if err != nil {
			return nil, err
		}
	}
	return permit(f.client, after, reading)
}

// isPluginAlone reports whether our plugin registers the events, and the settings don't.
func (f *settingsFile) isPluginAlone() bool { return f.plugin != "" && len(f.ours) == 0 }

// added returns a phrase for what with has added.
func (f *settingsFile) added() string {
	if f.isPluginAlone() {
		return "the plugin " + f.plugin + " runs memory-hooks; what your agent may run without asking was added"
	}
	return "registered"
}

// without returns the text without anything of ours, removed in the reverse order of installation. A plugin is entirely
// ours or not at all.
func (f *settingsFile) without() ([]byte, error) {
	if f.client.HasPlugin() {
		if len(f.ours) > 0 {
			return nil, nil
		}
		return f.src, nil
	}
	src, err := f.client.Revoke(f.src)
	if err != nil {
		return nil, err
	}
	return f.client.Unregister(src, isOurs)
}

package hooks

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/dispatch"
	"whence/internal/home"
	"whence/internal/text"
)

// statusCommand lists what is registered where.
func statusCommand(env cli.Env) *urfave.Command {
	var dir string
	return &urfave.Command{
		Name: "status", Usage: "list what is registered, captured and switched off",
		Flags: []urfave.Flag{&urfave.StringFlag{Name: "repo", Usage: "the project is in `DIR`", Destination: &dir}},
		Action: func(ctx *urfave.Context) error {
			if err := noArguments(ctx); err != nil {
				return err
			}
			any := false
			for _, c := range agent.Clients {
				fmt.Fprintf(env.Stdout, "%s\n", c.Title())
				for _, s := range surveys(env, c, project(env, dir)) {
					any = any || len(s.ours) > 0 || s.plugin != ""
					s.print(env)
				}
			}
			if err := printKept(env, cli.Root(project(env, dir)), any); err != nil {
				return err
			}
			if dispatch.IsDisabled(env.Getenv) {
				fmt.Fprintln(env.Stdout, "WHENCE_DISABLE=1 switches everything off; to switch it on: unset WHENCE_DISABLE")
			}
			if !any {
				fmt.Fprintf(env.Stdout, "no agent runs %s; to register it: %[1]s install\n", programName)
				return cli.ErrFound
			}
			return nil
		},
	}
}

// survey holds the registrations and switches of a settings file.
type survey struct {
	*settingsFile
	ours   []agent.Registration
	off    string // the setting that switches all hooks off
	plugin string // our plugin, which registers too, if it is switched on here
	err    error  // it cannot be used
}

// surveys look at the settings files of an agent.
func surveys(env cli.Env, c agent.Client, project string) (all []survey) {
	for _, scope := range agent.Scopes {
		if _, _, err := c.SettingsFile(scope, home.UserFolder(env.Getenv), project, env.Getenv); err != nil && (scope != agent.User || home.UserFolder(env.Getenv) != "") {
			continue // it has none of this scope
		}
		f, err := openSettings(env, c, scope, project)
		s := survey{settingsFile: f, err: err}
		if err == nil {
			s.ours, s.err = f.registered()
		}
		if s.err == nil {
			s.off, s.err = c.DisabledBy(f.src)
		}
		if s.err == nil {
			s.plugin, s.err = pluginIn(f)
		}
		if f != nil {
			all = append(all, s)
		}
	}
	return all
}

// pluginIn is our plugin as a settings file switches it on, or "".
func pluginIn(f *settingsFile) (string, error) {
	plugins, err := f.client.Plugins(f.src)
	for name, on := range plugins {
		if on && strings.HasPrefix(name, agent.PluginPrefix) {
			return name, nil
		}
	}
	return "", err
}

func (s survey) print(env cli.Env) {
	fmt.Fprintf(env.Stdout, "  %-8s %s: ", s.scope, text.Printable(s.path))
	switch {
	case s.err != nil:
		fmt.Fprintf(env.Stdout, "cannot be used: %s\n", text.Printable(s.err.Error()))
		return
	case !s.exists:
		fmt.Fprintln(env.Stdout, "no such file")
		return
	case len(s.ours) == 0:
		fmt.Fprintln(env.Stdout, "nothing registered")
	default:
		var events []string
		for _, r := range s.ours {
			events = append(events, r.Event)
		}
		fmt.Fprintln(env.Stdout, names(events))
	}
	if s.canBlock() {
		fmt.Fprintf(env.Stdout, "           these command lines (of version 0.1.0) can block the agent if the program crashes; to replace them: %s\n", s.reinstall())
	}
	for _, path := range s.programs() {
		state := ""
		if _, err := exec.LookPath(path); err != nil && !strings.HasPrefix(path, "$") { // a variable of the agent
			state = ", which does not exist; to register this program instead: " + s.reinstall()
		}
		fmt.Fprintf(env.Stdout, "           runs %s%s\n", text.Printable(path), state)
	}
	if s.plugin != "" {
		fmt.Fprintf(env.Stdout, "           runs the plugin %s\n", text.Printable(s.plugin))
	}
	if s.off != "" {
		fmt.Fprintf(env.Stdout, "           but hooks are switched off: %s\n", text.Printable(s.off))
	}
}

// isNarrow reports whether it registers an event for some tools only.
func (s survey) isNarrow() bool {
	return slices.ContainsFunc(s.ours, func(r agent.Registration) bool { return r.Matcher != "" })
}

// canBlock reports whether one of our registrations is of the form that version 0.1.0 wrote.
func (s survey) canBlock() bool {
	return slices.ContainsFunc(s.ours, func(r agent.Registration) bool { return canBlock(r.Command) })
}

// reinstall is the command line that replaces what is registered.
func (s survey) reinstall() string {
	return fmt.Sprintf("%s install --scope %s --agent %s", programName, s.scope, s.client)
}

// programs are those that our registrations run.
func (s survey) programs() (all []string) {
	for _, r := range s.ours {
		if path := programOf(r.Command); !slices.Contains(all, path) {
			all = append(all, path)
		}
	}
	return all
}

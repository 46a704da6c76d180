package hooks

import (
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/agent"
	"whence/internal/cli"
)

// installCommand has agents run this program at their events.
func installCommand(env cli.Env) *urfave.Command {
	var o registerOptions
	return &urfave.Command{
		Name: "install", Usage: "have agents run this program at their events",
		Flags: append(o.flags("claude if there is none"),
			&urfave.StringFlag{Name: "agent-version", Usage: "the agent is of `VERSION`; asked of it otherwise", Destination: &o.version}),
		Action: func(ctx *urfave.Context) error {
			scope, clients, err := o.verify(ctx, []agent.Client{agent.Claude})
			if err != nil {
				return err
			}
			path, err := program(env, scope)
			if err != nil {
				return err
			}
			for _, c := range clients {
				left, why := o.leftOut(ctx.Context, c)
				err := o.edit(env, c, scope, func(f *settingsFile) (edited, error) { return install(f, path, left, why) })
				if err != nil {
					return err
				}
				o.remarks(env, c, scope)
			}
			if o.git {
				return o.gitHook(env, "install-git-hook")
			}
			return nil
		},
	}
}

// install works out the settings with all events of an agent but those left out. Our
// registrations of before, for another place or another version, are replaced.
func install(f *settingsFile, path string, left []string, why string) (result edited, err error) {
	ours, err := f.registered()
	if err != nil {
		return result, err
	}
	var wanted []agent.Registration
	for _, hook := range f.client.Hooks() {
		if slices.Contains(left, hook.Event) {
			result.lines = append(result.lines, fmt.Sprintf("%-18s  left out: %s", hook.Event, why))
			continue
		}
		r := agent.Registration{Event: hook.Event, Matcher: hook.Matcher, Timeout: hook.Timeout, Command: commandLine(f.client, runtime.GOOS, path, hook.Event)}
		wanted = append(wanted, r)
		result.lines = append(result.lines, outcomeOf(r, ours))
	}
	for _, r := range ours {
		if !slices.ContainsFunc(wanted, func(w agent.Registration) bool { return w.Event == r.Event }) {
			result.lines = append(result.lines, fmt.Sprintf("%-18s  taken out", r.Event))
		}
	}
	if same(wanted, ours) {
		result.after = f.src
		return result, nil
	}
	without, err := f.client.Unregister(f.src, isOurs)
	if err == nil {
		result.after, err = f.client.Register(without, wanted)
	}
	return result, err
}

// outcomeOf says what becomes of one event.
func outcomeOf(r agent.Registration, ours []agent.Registration) string {
	tools := ""
	if r.Matcher != "" {
		tools = " for " + strings.ReplaceAll(r.Matcher, "|", ", ")
	}
	done := "registered" + tools
	for _, was := range ours {
		if was.Event != r.Event {
			continue
		}
		switch was.Line = 0; {
		case was == r:
			done = "is registered already"
		case was.Command != r.Command:
			done = fmt.Sprintf("registered anew%s: it ran %s", tools, was.Command)
		default:
			done = "registered anew" + tools
		}
	}
	return fmt.Sprintf("%-18s  %s", r.Event, done)
}

// same tells whether what is wanted is there, and nothing else of ours.
func same(wanted, ours []agent.Registration) bool {
	if len(wanted) != len(ours) {
		return false
	}
	for _, r := range ours {
		r.Line = 0
		if !slices.Contains(wanted, r) {
			return false
		}
	}
	return true
}

// leftOut are the events that the agent's version may not know, and that would harm there.
// One whose version cannot be asked is taken for one of today.
func (o *registerOptions) leftOut(ctx context.Context, c agent.Client) (events []string, why string) {
	version := o.version
	for _, hook := range c.Hooks() {
		if hook.Since == "" {
			continue
		}
		if version == "" {
			version = versionOf(ctx, c)
		}
		if version != "" && older(version, hook.Since) {
			events = append(events, hook.Event)
			why = fmt.Sprintf("%s %s may not know it, and then passes over the whole file; from %s on it does", c.Title(), version, hook.Since)
		}
	}
	return events, why
}

// remarks are what else there is to do.
func (o *registerOptions) remarks(env cli.Env, c agent.Client, scope agent.Scope) {
	if o.diff {
		return
	}
	if c == agent.Codex {
		fmt.Fprintln(env.Stdout, "  Codex runs a hook only after you have trusted it: type /hooks in it")
	}
	if c == agent.Copilot && scope == agent.Project {
		fmt.Fprintln(env.Stdout, "  Copilot CLI runs the hooks in .claude/settings.json of a project too: one of both is enough")
	}
	if _, err := exec.LookPath(programName); err != nil && scope == agent.Project {
		fmt.Fprintf(env.Stdout, "  %s is not on the PATH here: project settings are shared, and name the program alone\n", programName)
	}
	for _, other := range agent.Scopes {
		if f, err := openSettings(env, c, other, project(env, o.dir)); err == nil && other != scope {
			if ours, err := f.registered(); err == nil && len(ours) > 0 {
				fmt.Fprintf(env.Stdout, "  it is registered in %s too, and runs twice now: %s uninstall --scope %s --agent %s takes that back\n", f.path, programName, other, c)
			}
		}
	}
}

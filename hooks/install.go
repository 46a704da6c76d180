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
			&urfave.BoolFlag{Name: "yes", Usage: "do not ask", Destination: &o.yes, DisableDefaultText: true},
			&urfave.StringFlag{Name: "agent-version", Usage: "the agent is of `VERSION`; asked of it otherwise", Destination: &o.version},
			&urfave.BoolFlag{Name: "gitignore", Usage: "with --notes: have git pass over .memory/", Destination: &o.gitignore, DisableDefaultText: true}),
		Action: func(ctx *urfave.Context) error {
			scope, clients, err := o.verify(ctx, []agent.Client{agent.Claude})
			if err != nil {
				return err
			}
			if o.gitignore && !o.notes {
				return cli.Usagef("--gitignore is about notes: add --notes, or run %s notes ignore", programName)
			}
			path, err := program(env, scope)
			if err != nil {
				return err
			}
			if !o.diff && !o.agreesToCapture(env) {
				return cli.ErrFound
			}
			w := wanted{program: path, allTools: o.notes, keepAll: o.keepsNotes(env)}
			for _, c := range clients {
				w.left, w.why = o.leftOut(ctx.Context, c)
				err := o.edit(env, c, scope, func(f *settingsFile) (edited, error) { return install(f, w) })
				if err != nil {
					return err
				}
				o.remarks(env, c, scope)
			}
			if o.notes {
				if err := o.withNotes(env); err != nil {
					return err
				}
			}
			if o.git {
				return o.gitHook(env, "install-git-hook")
			}
			return nil
		},
	}
}

// wanted is what install is to register.
type wanted struct {
	program  string
	allTools bool     // notes count every tool
	keepAll  bool     // and so does what is registered, if it is for every tool
	left     []string // events to be left out
	why      string
}

// install works out the settings with all events of an agent but those left out. Our
// registrations of before, for another place or another version, are replaced.
func install(f *settingsFile, w wanted) (result edited, err error) {
	ours, err := f.registered()
	if err != nil {
		return result, err
	}
	var all []agent.Registration
	for _, hook := range f.client.Hooks() {
		if slices.Contains(w.left, hook.Event) {
			result.lines = append(result.lines, fmt.Sprintf("%-18s  left out: %s", hook.Event, w.why))
			continue
		}
		if w.allTools || w.keepAll && isForAllTools(ours, hook.Event) {
			hook = hook.ForAllTools()
		}
		r := agent.Registration{Event: hook.Event, Matcher: hook.Matcher, Timeout: hook.Timeout, Command: commandLine(f.client, runtime.GOOS, w.program, hook.Event)}
		all = append(all, r)
		result.lines = append(result.lines, outcomeOf(r, ours))
	}
	for _, r := range ours {
		if !slices.ContainsFunc(all, func(w agent.Registration) bool { return w.Event == r.Event }) {
			result.lines = append(result.lines, fmt.Sprintf("%-18s  taken out", r.Event))
		}
	}
	if same(all, ours) {
		result.after = f.src
		return result, nil
	}
	if differOnlyInCommand(all, ours) { // they stay where they are
		result.after, err = f.client.Rewrite(f.src, isOurs, func(r agent.Registration) string {
			return commandLine(f.client, runtime.GOOS, w.program, r.Event)
		})
		return result, err
	}
	without, err := f.client.Unregister(f.src, isOurs)
	if err == nil {
		result.after, err = f.client.Register(without, all)
	}
	return result, err
}

// differOnlyInCommand reports whether what is wanted is there, run by other command lines.
func differOnlyInCommand(wanted, ours []agent.Registration) bool {
	strip := func(all []agent.Registration) (bare []agent.Registration) {
		for _, r := range all {
			r.Command = ""
			bare = append(bare, r)
		}
		return bare
	}
	return same(strip(wanted), strip(ours))
}

// isForAllTools tells whether an event is registered without a matcher.
func isForAllTools(ours []agent.Registration, event string) bool {
	return slices.ContainsFunc(ours, func(r agent.Registration) bool { return r.Event == event && r.Matcher == "" })
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

// same reports whether what is wanted, each event once, is there, and nothing else of ours.
func same(wanted, ours []agent.Registration) bool {
	isThere := func(w agent.Registration) bool {
		return slices.ContainsFunc(ours, func(r agent.Registration) bool { r.Line = 0; return r == w })
	}
	return len(wanted) == len(ours) && !slices.ContainsFunc(wanted, func(w agent.Registration) bool { return !isThere(w) })
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

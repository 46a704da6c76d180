package hooks

import (
	"bytes"
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
		Name: "install", Usage: "have coding agents run memory-hooks at their events",
		Flags: append(o.flags("claude"),
			&urfave.BoolFlag{Name: "yes", Usage: "do not ask", Destination: &o.yes, DisableDefaultText: true},
			&urfave.StringFlag{Name: "agent-version", Usage: "the agent's `VERSION`, instead of running it to find out", Destination: &o.version},
			&urfave.BoolFlag{Name: "gitignore", Usage: "with --notes: add .memory/ to .gitignore", Destination: &o.gitignore, DisableDefaultText: true}),
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
			keepsNotes := o.keepsNotes(env)
			var changes []change
			for _, c := range clients {
				w := wanted{program: path, allTools: o.notes, keepAll: keepsNotes, dryRun: o.dryRun}
				w.left, w.why = o.leftOut(ctx.Context, c)
				changes = append(changes, change{c, func(f *settingsFile) (edited, error) { return install(f, w) }})
			}
			if err := o.verifyAll(env, scope, changes); err != nil {
				return err
			}
			if !o.diff && !o.agreesToCapture(env) {
				return cli.ErrFound
			}
			for _, change := range changes {
				if err := o.edit(env, scope, change); err != nil {
					return err
				}
				o.remarks(env, change.client, scope)
			}
			if o.notes {
				if err := o.withNotes(env); err != nil {
					return err
				}
			}
			if o.git {
				if err := o.gitHook(env, "install-git-hook"); err != nil {
					return err
				}
			}
			o.nextSteps(env, clients)
			return nil
		},
	}
}

// nextSteps says what to do after an installation.
func (o *registerOptions) nextSteps(env cli.Env, clients []agent.Client) {
	if o.dryRun || o.diff {
		return
	}
	var titles []string
	for _, c := range clients {
		titles = append(titles, c.Title())
	}
	fmt.Fprintf(env.Stdout, "Next: run %s doctor, then begin a new session of %s (a running one may keep its old settings)\n", typedProgram(env), strings.Join(titles, ", "))
}

// wanted describes the registrations that install makes.
type wanted struct {
	program  string
	allTools bool     // notes count every tool
	keepAll  bool     // and so does what is registered, if it is for every tool
	left     []string // events to be left out
	why      string
	dryRun   bool
}

// done is how a line says that something was done, or in a dry run that it would be.
func done(dryRun bool, what string) string {
	if dryRun {
		return "would be " + what
	}
	return what
}

// install works out the settings with all events of an agent except those left out. Earlier
// registrations of ours, for another place or another version, are replaced.
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
			hook.Matcher = ""
		}
		r := agent.Registration{Event: hook.Event, Matcher: hook.Matcher, Timeout: hook.Timeout, Command: commandLine(f.client, runtime.GOOS, w.program, hook.Event)}
		all = append(all, r)
		result.lines = append(result.lines, outcomeOf(r, ours, w.dryRun))
	}
	for _, r := range ours {
		if !slices.ContainsFunc(all, func(w agent.Registration) bool { return w.Event == r.Event }) {
			result.lines = append(result.lines, fmt.Sprintf("%-18s  %s", r.Event, done(w.dryRun, "removed")))
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
	if len(without) == 0 && f.wasEmpty() {
		result.after = bytes.TrimSuffix(result.after, []byte("\n"))
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

// isForAllTools reports whether an event is registered without a matcher.
func isForAllTools(ours []agent.Registration, event string) bool {
	return slices.ContainsFunc(ours, func(r agent.Registration) bool { return r.Event == event && r.Matcher == "" })
}

// outcomeOf says what becomes of one event.
func outcomeOf(r agent.Registration, ours []agent.Registration, dryRun bool) string {
	tools := ""
	if r.Matcher != "" {
		tools = " for " + strings.ReplaceAll(r.Matcher, "|", ", ")
	}
	outcome := done(dryRun, "registered"+tools)
	for _, was := range ours {
		if was.Event != r.Event {
			continue
		}
		switch was.Line = 0; {
		case was == r:
			outcome = "already registered"
		case was.Command != r.Command:
			outcome = fmt.Sprintf("%s: it ran %s", done(dryRun, "registered again"+tools), was.Command)
		default:
			outcome = done(dryRun, "registered again"+tools)
		}
	}
	return fmt.Sprintf("%-18s  %s", r.Event, outcome)
}

// same reports whether what is wanted, each event once, is there, and nothing else of ours.
func same(wanted, ours []agent.Registration) bool {
	isThere := func(w agent.Registration) bool {
		return slices.ContainsFunc(ours, func(r agent.Registration) bool { r.Line = 0; return r == w })
	}
	return len(wanted) == len(ours) && !slices.ContainsFunc(wanted, func(w agent.Registration) bool { return !isThere(w) })
}

// leftOut returns the events that the agent's version may not know, and that would do harm
// there. An agent that does not say its version is taken for a current one.
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
			why = fmt.Sprintf("%s %s may not know it and would then ignore the whole file (%s and later know it)", c.Title(), version, hook.Since)
		}
	}
	return events, why
}

// remarks prints what else there is to do for one agent.
func (o *registerOptions) remarks(env cli.Env, c agent.Client, scope agent.Scope) {
	if o.diff {
		return
	}
	if c == agent.Codex {
		fmt.Fprintln(env.Stdout, "  Codex runs a hook only after you have trusted it: type /hooks in Codex")
	}
	if c == agent.Copilot && scope == agent.Project {
		fmt.Fprintln(env.Stdout, "  Copilot CLI also runs the hooks in a project's .claude/settings.json: one of the two is enough")
	}
	if _, err := exec.LookPath(programName); err != nil && scope == agent.Project {
		fmt.Fprintf(env.Stdout, "  %s is not on the PATH here, and shared settings name it without its folder: add the folder that holds it to the PATH\n", programName)
	}
	for _, other := range agent.Scopes {
		if f, err := openSettings(env, c, other, project(env, o.dir)); err == nil && other != scope {
			if ours, err := f.registered(); err == nil && len(ours) > 0 {
				fmt.Fprintf(env.Stdout, "  also registered in %s, so it runs twice now; to remove that one: %s uninstall --scope %s --agent %s\n", f.path, programName, other, c)
			}
		}
	}
}

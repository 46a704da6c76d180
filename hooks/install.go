package hooks

import (
	"bytes"
	"fmt"
	"os/exec"
	"runtime"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/skills"
)

// installCommand has agents run this program at their events.
func installCommand(env cli.Env) *urfave.Command {
	o := registerOptions{env: env}
	return &urfave.Command{
		Name: "install", Usage: "have coding agents run memory-hooks at their events",
		Flags: append(o.flags("claude"),
			boolFlag("mcp", "print how to add the MCP server, too", &o.mcp),
			boolFlag("skills", "include the skills, for agents without a plugin that has them", &o.skills),
			boolFlag("yes", "do not ask", &o.yes)),
		Action: func(cmd *urfave.Context) error { return o.install(cmd.StringSlice("agent")) },
	}
}

func (o *registerOptions) install(agents []string) (err error) {
	if err := o.verify(agents); err != nil {
		return err
	}
	if err := o.findPresent(); err != nil {
		return err
	}
	if o.program, err = program(o.env, o.scope); err != nil {
		return err
	}
	for _, command := range []string{agent.ReadingProgram, agent.SessionCommand} {
		o.reading = append(o.reading, commandFor(o.env, o.scope, command))
	}
	for _, c := range o.clients {
		if err := verifyAll(o.edits(c)); err != nil {
			return err
		}
	}
	for _, line := range o.missing {
		fmt.Fprintln(o.env.Stdout, line)
	}
	if !o.agreesToCapture() {
		return cli.ErrFound
	}
	for _, c := range o.clients {
		for _, edit := range o.edits(c) {
			if _, err := o.make(edit); err != nil {
				return err
			}
		}
		o.remarks(c)
	}
	o.printNextSteps()
	return nil
}

// edits returns the edits that install an agent.
func (o *registerOptions) edits(c agent.Client) []editFunc {
	edits := []editFunc{
		func() (change, error) { return o.editSettings(c, o.register) },
		func() (change, error) { return o.addRule(c) },
	}
	if o.skills {
		for _, s := range skills.All() {
			edits = append(edits, func() (change, error) { return o.addSkill(c, s) })
		}
	}
	return edits
}

// printNextSteps prints what to do after an installation.
func (o *registerOptions) printNextSteps() {
	if o.dryRun {
		return
	}
	var titles []string
	for _, c := range o.clients {
		titles = append(titles, c.Title())
	}
	fmt.Fprintf(o.env.Stdout, "Next: run %s doctor, then begin a new session of %s (a running one may keep its old settings)\n", cli.Typed(o.env, "").Program(programName), strings.Join(titles, ", "))
}

// done describes what was done, or in a dry run what would be.
func (o *registerOptions) done(what string) string {
	if o.dryRun {
		return "would be " + what
	}
	return what
}

// register returns the settings with all events of an agent. Earlier
// registrations of ours, of another program path or version, are replaced.
func (o *registerOptions) register(f *settingsFile) (e change, err error) {
	if f.client.HasPlugin() {
		return o.registerPlugin(f)
	}
	var all []agent.Registration
	for _, r := range f.client.Hooks() {
		r.Command = commandLine(f.client, runtime.GOOS, o.program, r.Event)
		all = append(all, r)
		e.lines = append(e.lines, fmt.Sprintf("%-18s  %s", r.Event, o.outcomeOf(r, f.ours)))
	}
	for _, event := range f.events() {
		if !slices.ContainsFunc(all, func(r agent.Registration) bool { return r.Event == event }) {
			e.lines = append(e.lines, fmt.Sprintf("%-18s  %s", event, o.done("removed")))
		}
	}
	if e.after = f.src; !same(all, f.ours) {
		if e.after, err = o.registerAgain(f, all); err != nil {
			return e, err
		}
	}
	return e, o.permit(f, &e)
}

// registerAgain returns the settings with these registrations in place of all that is ours.
func (o *registerOptions) registerAgain(f *settingsFile, all []agent.Registration) ([]byte, error) {
	without, err := f.without()
	if err != nil {
		return nil, err
	}
	after, err := f.client.Register(without, all)
	if len(without) == 0 && f.wasEmpty() {
		after = bytes.TrimSuffix(after, []byte("\n"))
	}
	return after, err
}

// outcomeOf describes what becomes of the registration for an event.
func (o *registerOptions) outcomeOf(r agent.Registration, ours []agent.Registration) string {
	tools := ""
	if r.Matcher != "" {
		tools = " for " + strings.ReplaceAll(r.Matcher, "|", ", ")
	}
	outcome := o.done("registered" + tools)
	for _, was := range ours {
		switch {
		case was.Event != r.Event:
		case was == r:
			outcome = "already registered"
		case was.Command != r.Command:
			outcome = fmt.Sprintf("%s: it ran %s", o.done("registered again"+tools), was.Command)
		default:
			outcome = o.done("registered again" + tools)
		}
	}
	return outcome
}

// same reports whether what is wanted, each event once, is there, and nothing else of ours.
func same(wanted, ours []agent.Registration) bool {
	isMissing := func(w agent.Registration) bool { return !slices.Contains(ours, w) }
	return len(wanted) == len(ours) && !slices.ContainsFunc(wanted, isMissing)
}

// remarks prints what else there is to do for an agent.
func (o *registerOptions) remarks(c agent.Client) {
	if o.skills && c == agent.Claude {
		fmt.Fprintf(o.env.Stdout, "  %-18s  not written: %s gets them by the plugin\n", "skills", c.Title())
	}
	if o.mcp {
		server := cli.Command(o.env, agent.ServerProgram)
		if o.scope == agent.Project {
			server = agent.ServerProgram
		}
		fmt.Fprintf(o.env.Stdout, "  %-18s  to add it: %s\n", "MCP server", c.ServerCommand(o.scope, server))
	}
	if c == agent.Codex {
		fmt.Fprintln(o.env.Stdout, "  "+trustCodexHooks)
	}
	if c == agent.Copilot && o.scope == agent.Project {
		fmt.Fprintln(o.env.Stdout, "  Copilot CLI also runs the hooks in a project's .claude/settings.json: one of the two is enough")
	}
	if _, err := exec.LookPath(programName); err != nil && o.scope == agent.Project {
		fmt.Fprintf(o.env.Stdout, "  %s is not on the PATH here, and shared settings name it without its folder: add the folder that holds it to the PATH\n", programName)
	}
	o.printOtherScopes(c, "  also registered in %s, so it runs twice now; to remove that one: %s\n")
}

// trustCodexHooks tells users of Codex what to do.
const trustCodexHooks = "Codex runs a hook only after you have trusted it: type /hooks in Codex"

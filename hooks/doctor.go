package hooks

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/dispatch"
	"whence/internal/home"
	"whence/internal/inert"
	"whence/internal/program"
	"whence/internal/store"
	"whence/internal/worktree"
)

// doctorCommand checks that everything agents need works, and prints what is registered, stored and captured.
func doctorCommand(env cli.Env) *urfave.Command {
	var dir string
	return &urfave.Command{
		Name: "doctor", Usage: "check that everything works, and print how to fix faults",
		Flags: []urfave.Flag{repoFlag(&dir)},
		Action: func(cmd *urfave.Context) error {
			d := &doctor{ctx: cmd.Context, env: env, project: project(env, dir), repo: cli.Typed(env, dir).Repo}
			d.examine()
			if err := d.print(env.Stdout); err != nil {
				return err
			}
			if d.findings() > 0 {
				return cli.ErrFound
			}
			return nil
		},
	}
}

// doctor checks one link after the other, from the programs to the log, and collects the results.
type doctor struct {
	ctx     context.Context
	env     cli.Env
	project string
	repo    string         // the flag --repo of this run
	running []agent.Client // the agents that run this program; set by checkAgents
	home    string         // the folder that package home finds; "": none; set by checkStore
	store   *store.Store
	results []result
}

// examine makes all checks, in the order in which faults are best fixed.
func (d *doctor) examine() {
	d.checkPrograms()
	d.checkAgents()
	d.checkStore()
	if d.store != nil {
		defer d.store.Close()
	}
	tree, err := worktree.Open(cli.Root(d.project))
	if err != nil {
		d.found("memory", "name a folder that exists with --repo", "%v", err)
		return
	}
	defer tree.Close()
	c, err := config.Load(tree, d.env.Getenv)
	c.Typed = cli.TypedAt(d.env, tree.Dir)
	c.Typed.Programs = "" // typed adds it
	if err != nil {
		d.found("settings", "correct that setting in the file named above; all others are used", "%v", err)
	}
	for _, a := range c.Asks {
		d.note("settings", "%s asks for %s, more than you have set, so it has no effect; to have it, write that line into %s, which git must not track", a.Source, a, filepath.Join(tree.Dir, filepath.FromSlash(config.LocalFile)))
	}
	d.checkMemory(tree, c)
	d.checkCapture(c, err)
	d.checkLog()
}

// The states of a link.
const (
	stateOK      = "ok"
	stateNote    = "note" // not a fault, but worth knowing
	stateFinding = "finding"
)

// result is the state of one link.
type result struct {
	check, state, text string
	remedy             string // the command or the change that fixes it
}

func (d *doctor) ok(check, format string, args ...any) {
	d.results = append(d.results, result{check, stateOK, fmt.Sprintf(format, args...), ""})
}

func (d *doctor) note(check, format string, args ...any) {
	d.results = append(d.results, result{check, stateNote, fmt.Sprintf(format, args...), ""})
}

func (d *doctor) found(check, remedy, format string, args ...any) {
	d.results = append(d.results, result{check, stateFinding, fmt.Sprintf(format, args...), d.typed(remedy)})
}

// typed returns a remedy in which programs have a path if the PATH does not lead to them.
func (d *doctor) typed(remedy string) string {
	here := cli.Typed(d.env, "")
	for _, name := range programs {
		remedy = strings.ReplaceAll(remedy, name+" ", here.Program(name+" "))
	}
	return remedy
}

// findings returns the number of findings so far.
func (d *doctor) findings() (n int) {
	for _, r := range d.results {
		if r.state == stateFinding {
			n++
		}
	}
	return n
}

func (d *doctor) print(w io.Writer) error {
	inert.SayWhose(w, inert.FromFindings)
	for _, r := range d.results {
		if _, err := fmt.Fprintf(w, "%-8s %-8s %s\n", r.state, r.check, inert.Printable(r.text)); err != nil {
			return err
		}
		if r.remedy != "" {
			if _, err := fmt.Fprintf(w, "%17s fix: %s\n", "", inert.Printable(r.remedy)); err != nil {
				return err
			}
		}
	}
	summary := "no findings: " + programName + " works"
	if n := d.findings(); n > 0 {
		summary = fmt.Sprintf("%s: do what \"fix\" says, from top to bottom, then run %s again", cli.Count(n, "finding", "findings"), d.typed(programName+" doctor")+d.repo)
	}
	_, err := fmt.Fprintf(w, "\n%s\n", summary)
	return err
}

// programs lists all programs of this module.
var programs = []string{programName, "memory-when", "memory-remember", "memory-validate", "memory-migrate"}

// checkPrograms reports programs that cannot be found, and programs of another version on the PATH.
func (d *doctor) checkPrograms() {
	const install = "make install   # in your clone of whence; or as you installed this one"
	before := d.findings()
	for _, name := range programs {
		onPath, err := program.NewSearch(d.project).Program(name)
		if err == nil && !d.isCurrent(onPath) {
			d.found("program", install, "%s, the first on the PATH, is of another version than this %s %s", onPath, programName, cli.Version)
		}
		if err == nil {
			continue
		}
		_, err = cli.Program(name, d.project)
		if errors.As(err, new(*program.RefusedError)) {
			d.found("program", install, "%v", err)
		} else if err != nil { // otherwise agents and commands run the one beside this program
			d.found("program", install, "%s is neither beside this program nor on the PATH", name)
		}
	}
	if typed := cli.Typed(d.env, "").Program(programName); typed != programName {
		switch path, err := program.NewSearch(d.project).InShell(programName); {
		case path == "":
			d.note("program", "%s is not on the PATH: put its folder there, or type %s instead", programName, typed)
		case err != nil:
			d.note("program", "%v; or type %s instead", err, typed)
		default:
			d.note("program", "a shell runs another %s, %s: put the folder of this one first on the PATH, or type %s instead", programName, path, typed)
		}
	}
	if d.findings() == before {
		d.ok("program", "all programs are of version %s", cli.Version)
	}
}

// isCurrent reports whether a program prints the version of this one, as in "memory-when version 0.4.0, commit …".
func (d *doctor) isCurrent(program program.Path) bool {
	ctx, cancel := context.WithTimeout(d.ctx, 10*time.Second)
	defer cancel()
	cmd := program.Command(ctx, "--version")
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	return err == nil && slices.Contains(strings.FieldsFunc(string(out), func(r rune) bool { return r == ' ' || r == ',' || r == '\n' }), cli.Version)
}

// checkAgents reports what is registered for which agents, and what is wrong with it.
func (d *doctor) checkAgents() {
	if dispatch.IsDisabled(d.env.Getenv) {
		d.found("settings", "unset WHENCE_DISABLE", "WHENCE_DISABLE=1 switches everything off")
	}
	for _, c := range agent.Clients {
		var running []*settingsFile
		for _, f := range settingsFiles(d.env, c, d.project) {
			if d.checkSettings(f) {
				running = append(running, f)
			}
		}
		if len(running) == 0 {
			continue
		}
		d.running = append(d.running, c)
		if c == agent.Copilot && len(running) == 1 && running[0].scope == agent.Project {
			d.checkTrust()
		}
		if other := running[0]; len(running) > 1 || other.plugin != "" && len(other.ours) > 0 {
			d.found("settings", other.command("uninstall", d.repo), "%s runs %s twice at each event: by %s, and by the plugin or other settings", c.Title(), programName, other.path)
		}
	}
	if len(d.running) == 0 {
		d.found("settings", programName+" install"+d.repo, "no agent runs %s", programName)
	}
}

// checkTrust adds a note if Copilot CLI does not trust the project: it silently skips what the project registers.
func (d *doctor) checkTrust() {
	folder, err := agent.Copilot.Folder(home.UserFolder(d.env.Getenv), d.env.Getenv)
	if err != nil {
		return
	}
	f := newAgentFile(folder, "config.json")
	if f.read() != nil || slices.ContainsFunc(agent.TrustedFolders(f.src), func(trusted string) bool {
		_, inside := worktree.Name(trusted, d.project)
		return inside
	}) {
		return
	}
	d.note("settings", "Copilot CLI runs none of this before you trust the project: type copilot in it, or %s; VS Code asks you itself", d.typed(programName+" install --agent copilot"))
}

// checkSettings checks one settings file, and reports whether it makes the agent run this program.
func (d *doctor) checkSettings(f *settingsFile) bool {
	title := f.client.Title()
	if f.err != nil {
		d.found("settings", "correct "+f.path+", then run "+programName+" doctor"+d.repo+" again", "%v", f.err)
		return false
	}
	if f.off != "" {
		d.found("settings", "remove that setting from "+f.path, "%s runs no hooks: %s in %s", title, f.off, f.path)
	}
	if f.plugin != "" {
		d.ok("settings", "%s, %s: the plugin %s", title, f.path, f.plugin)
	}
	if len(f.ours) == 0 {
		return f.plugin != ""
	}
	for _, name := range f.programs() {
		if f.scope != agent.User && name != programName { // settings and program may have come with the repository
			d.note("settings", "the %s settings of this project make %s run %s, which may not be yours", f.scope, title, name)
			return false
		}
		if _, err := program.NewSearch(d.project).Program(name); err != nil && !errors.As(err, new(*program.RefusedError)) && !strings.HasPrefix(name, "$") { // $ begins a variable of the agent
			d.found("settings", f.command("install", d.repo), "%s is set to run %s, which does not exist or cannot be run", title, name)
			return true
		}
		if filepath.IsAbs(name) && !isThis(name) {
			d.found("settings", cli.Typed(d.env, "").Program(f.command("install", d.repo)), "%s is set to run another %s than this one: %s", title, programName, name)
			return true
		}
	}
	var wanted []string
	for _, hook := range f.client.Hooks() {
		wanted = append(wanted, hook.Event)
	}
	isCurrent := slices.Equal(slices.Sorted(slices.Values(f.events())), slices.Sorted(slices.Values(wanted)))
	if !isCurrent || f.stale {
		d.found("settings", f.command("install", d.repo), "%s, %s: registered by another version of %s, for other events", title, f.path, programName)
		return true
	}
	d.ok("settings", "%s, %s: %s", title, f.path, strings.Join(f.events(), ", "))
	if f.client == agent.Codex {
		d.note("settings", trustCodexHooks)
	}
	return true
}

// checkLog reports the number of faults in the log and, unless an agent reads it, the last one.
func (d *doctor) checkLog() {
	if d.home == "" {
		return
	}
	faults := dispatch.ReadFaults(d.home)
	if len(faults) > 0 && agent.InShellTool(d.env.Getenv) { // a fault may name another repository
		d.note("log", "%s in %s (you can delete it)", cli.Count(len(faults), "fault", "faults"), dispatch.FaultLog(d.home))
		return
	}
	if len(faults) > 0 {
		d.note("log", "%s in %s (you can delete it), the last: %s", cli.Count(len(faults), "fault", "faults"), dispatch.FaultLog(d.home), faults[len(faults)-1])
	}
}

package hooks

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/home"
	"whence/internal/worktree"
)

// registerOptions are the flags of install and uninstall.
type registerOptions struct {
	env            cli.Env
	scopeName, dir string
	mcp, skills    bool
	dryRun, yes    bool

	scope   agent.Scope    // set by verify
	clients []agent.Client // set by verify
	all     bool           // all agents that are there; set by verify

	// Set by install.
	missing []string // agents that "all" leaves out, and why
	program string   // that agents run
	reading []string // commands that they may run without asking; see commandFor
}

func (o *registerOptions) flags(whichAgents string) []urfave.Flag {
	return []urfave.Flag{
		&urfave.StringFlag{Name: "scope", Usage: "edit the settings of this `SCOPE`: user, project (shared) or local", Value: string(agent.User), Destination: &o.scopeName},
		&urfave.StringSliceFlag{Name: "agent", Usage: "for this `AGENT`: " + names(agent.Clients) + ", or all; may be repeated (default: " + whichAgents + ")"},
		repoFlag(&o.dir),
		boolFlag("dry-run", "print what would be done, write nothing", &o.dryRun),
	}
}

// verify parses the scope and the agents.
func (o *registerOptions) verify(agents []string) error {
	if dir := home.UserFolder(o.env.Getenv); dir != "" && !filepath.IsAbs(dir) {
		return cli.Usagef("HOME is %q, which is relative: name the folder from the root", dir)
	}
	o.scope = agent.Scope(o.scopeName)
	if !slices.Contains(agent.Scopes, o.scope) {
		return cli.Usagef("--scope %q: use %s", o.scope, names(agent.Scopes))
	}
	for _, name := range agents {
		c := agent.Client(name)
		if name == allAgents {
			o.all = true
			continue
		}
		if !slices.Contains(agent.Clients, c) {
			return cli.Usagef("--agent %q: use %s, or %s", name, names(agent.Clients), allAgents)
		}
		if !slices.Contains(o.clients, c) {
			o.clients = append(o.clients, c)
		}
	}
	return nil
}

// project returns the folder named by --repo, or else the root of the repository.
func project(env cli.Env, dir string) string {
	if dir != "" {
		return env.Path(dir)
	}
	return worktree.Find(env.Dir, ".git")
}

// edited is a new version of a file that an agent reads.
type edited struct {
	title string // what the file is
	after []byte
	lines []string // what is done, an event a line
}

// editFunc returns a new version of a settings file.
type editFunc func(*settingsFile) (edited, error)

// verifyAll makes sure that every part of a command can be done, before anything is written.
func (o *registerOptions) verifyAll(edit editFunc) error {
	for _, c := range o.clients {
		_, _, err := o.prepare(c, edit)
		if err == nil {
			_, err = openRule(o.env, c)
		}
		if err == nil {
			_, err = openSkills(o.env, c, o.scope, project(o.env, o.dir))
		}
		if err != nil {
			return fmt.Errorf("%w; nothing was written", err)
		}
	}
	return nil
}

// prepare reads the settings file of an agent, and edits its text.
func (o *registerOptions) prepare(c agent.Client, edit editFunc) (*settingsFile, edited, error) {
	f, err := openSettings(o.env, c, o.scope, project(o.env, o.dir))
	if err != nil {
		return nil, edited{}, err
	}
	e, err := edit(f)
	e.title = fmt.Sprintf("%s, %s settings, %s", c.Title(), o.scope, f.path)
	return f, e, f.wrap(err)
}

// make changes the settings of an agent, and prints how.
func (o *registerOptions) make(c agent.Client, edit editFunc) error {
	return o.change(func() (*agentFile, edited, error) {
		f, e, err := o.prepare(c, edit)
		if err != nil {
			return nil, e, err
		}
		return &f.agentFile, e, nil
	})
}

// change writes what a function has made of a file, and prints that. If another program has changed the
// file meanwhile, the function is called again. Without a file there is nothing to do.
func (o *registerOptions) change(prepare func() (*agentFile, edited, error)) error {
	var f *agentFile
	var e edited
	err := worktree.Retry(func() (err error) {
		if f, e, err = prepare(); err != nil || f == nil || o.dryRun {
			return err
		}
		if err := f.write(e.after); err != nil {
			return fmt.Errorf("write %s: %w", f.path, err)
		}
		return nil
	})
	if err != nil || f == nil {
		return err
	}
	how := ""
	if o.dryRun {
		how = " (nothing is written)"
	}
	fmt.Fprintf(o.env.Stdout, "%s:%s\n", e.title, how)
	for _, line := range e.lines {
		fmt.Fprintf(o.env.Stdout, "  %s\n", line)
	}
	return nil
}

// printOtherScopes prints the settings files of an agent, of other scopes, that also register the
// program, and how to uninstall it there.
func (o *registerOptions) printOtherScopes(c agent.Client, format string) {
	for _, f := range settingsFiles(o.env, c, project(o.env, o.dir)) {
		if f.err == nil && f.scope != o.scope && len(f.ours) > 0 {
			fmt.Fprintf(o.env.Stdout, format, f.path, f.uninstallCommand(cli.Typed(o.env, o.dir).Repo))
		}
	}
}

// program returns the path of this program, as it was called: a link to the newest version stays
// valid when that changes. For shared settings it returns the bare name, which everyone must have on
// the PATH.
func program(env cli.Env, scope agent.Scope) (string, error) {
	if scope == agent.Project {
		return programName, nil
	}
	called := env.Args[0]
	found, err := exec.LookPath(called)
	if filepath.Base(called) != called {
		found, err = env.Path(called), nil
	}
	if err == nil {
		found, err = filepath.Abs(found)
	}
	if err != nil {
		if found, err = os.Executable(); err != nil {
			return "", err
		}
	}
	if !isOurs(quoteProgram(agent.Claude, runtime.GOOS, found)) {
		return "", fmt.Errorf("this program is called %s: rename it to %s, which is how its hooks are recognized", filepath.Base(found), programName)
	}
	if strings.Contains(filepath.ToSlash(found), "/go-build") {
		return "", fmt.Errorf("%s was built for one run only: install %s first and run that (go install ./hooks/%[2]s)", found, programName)
	}
	return found, nil
}

// typedProgram returns what the user types to run this program: its path, if it is not on the PATH.
func typedProgram(env cli.Env) string {
	if _, err := exec.LookPath(programName); err != nil {
		if path, err := program(env, agent.User); err == nil {
			return quoteProgram("", runtime.GOOS, path)
		}
	}
	return programName
}

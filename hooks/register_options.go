package hooks

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/home"
	"whence/internal/program"
	"whence/internal/worktree"
)

// allAgents is the value of --agent for all agents. Install selects those on this machine.
const allAgents = "all"

// registerOptions holds the flags of install and uninstall, and what follows from them.
type registerOptions struct {
	env            cli.Env
	scopeName, dir string
	mcp            bool
	dryRun, yes    bool
	noCapture      bool // only register, without consent to capture

	scope   agent.Scope    // set by verify
	clients []agent.Client // set by verify
	all     bool           // for all agents on this machine; set by verify
	program string         // the program that agents run; set by install
	reading []string       // the commands that agents may run without asking, see commandFor; set by install
}

func (o *registerOptions) flags(whichAgents string) []urfave.Flag {
	return []urfave.Flag{
		&urfave.StringFlag{Name: "scope", Usage: "edit the settings of this `SCOPE`: user, project (shared) or local", Value: string(agent.User), Destination: &o.scopeName},
		&urfave.StringSliceFlag{Name: "agent", Usage: "for this `AGENT`: " + names(agent.Clients) + ", or all; may be repeated (default: " + whichAgents + ")"},
		repoFlag(&o.dir),
		boolFlag("dry-run", "print what would be done, write nothing", &o.dryRun),
	}
}

// verify checks the scope and the agents, and sets the fields for them.
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

// findPresent selects the agents for install, and prints those that it leaves out.
func (o *registerOptions) findPresent() error {
	if !o.all && o.clients == nil {
		o.clients = []agent.Client{agent.Claude}
	}
	var missing []string
	for _, c := range agent.Clients {
		if !o.all || slices.Contains(o.clients, c) {
			continue
		}
		if o.isPresent(c) && o.hasSettings(c) {
			o.clients = append(o.clients, c)
		} else {
			missing = append(missing, c.Title())
		}
	}
	if o.clients == nil {
		return errors.New("none of the agents is on this machine: name one, such as --agent " + string(agent.Claude))
	}
	if missing != nil {
		fmt.Fprintf(o.env.Stdout, "left out, as they are not on this machine or have no %s settings: %s\n", o.scope, strings.Join(missing, ", "))
	}
	return nil
}

// isPresent reports whether the program of an agent is on the PATH, or its folder exists.
func (o *registerOptions) isPresent(c agent.Client) bool {
	if _, err := program.NewSearch(o.env.Dir).Program(string(c)); err == nil || errors.As(err, new(*program.RefusedError)) {
		return true // even if it is refused, such as a link to a file with another name
	}
	folder, err := c.Folder(home.UserFolder(o.env.Getenv), o.env.Getenv)
	if err != nil {
		return false
	}
	info, err := os.Stat(folder)
	return err == nil && info.IsDir()
}

// hasSettings reports whether an agent can have settings of the scope. The file need not exist.
func (o *registerOptions) hasSettings(c agent.Client) bool {
	_, _, err := c.SettingsFile(o.scope, home.UserFolder(o.env.Getenv), project(o.env, o.dir), o.env.Getenv)
	return err == nil
}

// printOtherScopes prints the settings files of other scopes in which an agent also registers this program, and how to
// uninstall it there.
func (o *registerOptions) printOtherScopes(c agent.Client, format string) {
	in := project(o.env, o.dir)
	this, _ := openSettings(o.env, c, o.scope, in)
	for _, f := range settingsFiles(o.env, c, in) {
		isOther := f.scope != o.scope && (this == nil || !worktree.Same(f.path, this.path))
		if f.err == nil && isOther && len(f.ours) > 0 {
			fmt.Fprintf(o.env.Stdout, format, f.path, f.command("uninstall", cli.Typed(o.env, o.dir).Repo))
		}
	}
}

// programAsCalled returns the path by which this program was called. If that is a link to the newest version, it stays
// valid when the version changes. For shared settings it returns the bare name, which everyone must have on the PATH.
func programAsCalled(env cli.Env, scope agent.Scope) (string, error) {
	if scope == agent.Project {
		return programName, nil
	}
	found := env.Path(env.Args[0])
	if filepath.Base(env.Args[0]) == env.Args[0] {
		var err error
		if found, err = program.NewSearch(env.Dir).Named(env.Args[0]); err != nil {
			return "", err
		}
	}
	if !isThis(found) {
		this, _ := os.Executable()
		_, refused := program.NewSearch(env.Dir).Program(this)
		if refused == nil {
			return "", fmt.Errorf("%s runs, but the first %s on the PATH is %s: put the folder of this one first, or type the path of the one that agents are to run", this, programName, found)
		}
		return "", fmt.Errorf("%w; or have agents run the other one: %s", refused, found)
	}
	if !isOurs(quoteProgram(agent.Claude, runtime.GOOS, found)) {
		return "", fmt.Errorf("this program is called %s: rename it to %s, which is how its hooks are recognized", filepath.Base(found), programName)
	}
	return found, nil
}

// isThis reports whether a path leads to the running program. It returns true if the running program is not named like
// one of this module, as in tests.
func isThis(path string) bool {
	this, err := os.Executable()
	if err != nil || !strings.HasPrefix(filepath.Base(this), "memory-") {
		return true
	}
	running, err := os.Stat(this)
	if err != nil {
		return false
	}
	named, err := os.Stat(path)
	return err == nil && os.SameFile(running, named)
}

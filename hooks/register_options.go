package hooks

import (
	"errors"
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

// allAgents is the value of --agent for all agents: install selects those on this machine.
const allAgents = "all"

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

// findPresent selects the agents for install.
func (o *registerOptions) findPresent() error {
	if !o.all {
		if o.clients == nil {
			o.clients = []agent.Client{agent.Claude}
		}
		return nil
	}
	for _, c := range agent.Clients {
		switch missing := o.whyMissing(c); {
		case slices.Contains(o.clients, c):
		case missing == "":
			o.clients = append(o.clients, c)
		default:
			o.missing = append(o.missing, fmt.Sprintf("%s is left out: %s", c.Title(), missing))
		}
	}
	if o.clients == nil {
		return errors.New("none of the agents is on this machine: name one, such as --agent " + string(agent.Claude))
	}
	return nil
}

// whyMissing returns why "all" does not include an agent; "" if it does. An agent is there if its
// program or its folder is, and has settings of the scope.
func (o *registerOptions) whyMissing(c agent.Client) string {
	if !o.hasSettings(c) {
		return fmt.Sprintf("it has no %s settings", o.scope)
	}
	if _, err := exec.LookPath(string(c)); err == nil {
		return ""
	}
	folder, err := c.Folder(home.UserFolder(o.env.Getenv), o.env.Getenv)
	if err != nil {
		return fmt.Sprintf("%s is not on the PATH", c)
	}
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return fmt.Sprintf("%s is not on the PATH, and there is no folder %s", c, folder)
	}
	return ""
}

// hasSettings reports whether an agent has a settings file of the scope.
func (o *registerOptions) hasSettings(c agent.Client) bool {
	_, _, err := c.SettingsFile(o.scope, home.UserFolder(o.env.Getenv), project(o.env, o.dir), o.env.Getenv)
	return err == nil
}

// printOtherScopes prints the settings files of an agent, of other scopes, that also register the
// program, and how to uninstall it there.
func (o *registerOptions) printOtherScopes(c agent.Client, format string) {
	for _, f := range settingsFiles(o.env, c, project(o.env, o.dir)) {
		if f.err == nil && f.scope != o.scope && len(f.ours) > 0 {
			fmt.Fprintf(o.env.Stdout, format, f.path, f.command("uninstall", cli.Typed(o.env, o.dir).Repo))
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

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
	"whence/internal/files"
	"whence/internal/textdiff"
	"whence/internal/worktree"
)

// attempts is how often an edit starts again because the file changed under it.
const attempts = 5

// registerOptions are the flags of install and uninstall.
type registerOptions struct {
	scope, dir, version string
	agents              urfave.StringSlice
	git                 bool
	notes, gitignore    bool
	dryRun, diff, yes   bool
}

func (o *registerOptions) flags(allAgents string) []urfave.Flag {
	return []urfave.Flag{
		&urfave.StringFlag{Name: "scope", Usage: "edit the settings of this `SCOPE`: user, project (shared) or local", Value: string(agent.User), Destination: &o.scope},
		&urfave.StringSliceFlag{Name: "agent", Usage: "for this `AGENT`: " + names(agent.Clients) + "; may be repeated (default: " + allAgents + ")", Destination: &o.agents},
		&urfave.StringFlag{Name: "repo", Usage: "the project is in `DIR`", Destination: &o.dir},
		&urfave.BoolFlag{Name: "git", Usage: "include the git hook, which runs memory-validate", Destination: &o.git, DisableDefaultText: true},
		&urfave.BoolFlag{Name: "notes", Usage: "include the project's notes", Destination: &o.notes, DisableDefaultText: true},
		&urfave.BoolFlag{Name: "dry-run", Usage: "print what would be done, write nothing", Destination: &o.dryRun, DisableDefaultText: true},
		&urfave.BoolFlag{Name: "diff", Usage: "print the changes as a patch, write nothing", Destination: &o.diff, DisableDefaultText: true},
	}
}

// verify reads scope and agents. Without --agent they are those given.
func (o *registerOptions) verify(ctx *urfave.Context, without []agent.Client) (agent.Scope, []agent.Client, error) {
	if err := noArguments(ctx); err != nil {
		return "", nil, err
	}
	scope := agent.Scope(o.scope)
	if !slices.Contains(agent.Scopes, scope) {
		return "", nil, cli.Usagef("--scope %q: use %s", o.scope, names(agent.Scopes))
	}
	if o.dryRun && o.diff {
		return "", nil, cli.Usagef("--dry-run and --diff both write nothing: choose one")
	}
	var clients []agent.Client
	for _, name := range o.agents.Value() {
		c, err := agent.ParseClient(name)
		if err != nil || name == "" {
			return "", nil, cli.Usagef("--agent %q: use %s", name, names(agent.Clients))
		}
		if !slices.Contains(clients, c) {
			clients = append(clients, c)
		}
	}
	if len(clients) == 0 {
		return scope, without, nil
	}
	return scope, clients, nil
}

// project is the folder whose project settings are meant: the root of the repository.
func project(env cli.Env, dir string) string {
	if dir != "" {
		return env.Path(dir)
	}
	return worktree.Find(env.Dir, ".git")
}

// edited is a new version of a settings file.
type edited struct {
	after []byte
	lines []string // what is done, an event a line
}

// change is a change of the settings of one agent.
type change struct {
	client agent.Client
	run    func(*settingsFile) (edited, error)
}

// verifyAll makes sure that every part of a command can be done, so that one that cannot be
// done stops it before anything is written.
func (o *registerOptions) verifyAll(env cli.Env, scope agent.Scope, changes []change) error {
	for _, c := range changes {
		f, err := openSettings(env, c.client, scope, project(env, o.dir))
		if err != nil {
			return err
		}
		if _, err := c.run(f); err != nil {
			return fmt.Errorf("%w; nothing was written", f.wrap(err))
		}
	}
	if o.notes {
		if err := verifySwitch(notesRoot(env, o.dir)); err != nil {
			return err
		}
	}
	if o.git {
		return o.verifyGit(env)
	}
	return nil
}

// edit changes the settings of an agent, and says how. A file that was changed meanwhile is
// read again.
func (o *registerOptions) edit(env cli.Env, scope agent.Scope, c change) error {
	for attempt := 1; ; attempt++ {
		f, err := openSettings(env, c.client, scope, project(env, o.dir))
		if err != nil {
			return err
		}
		result, err := c.run(f)
		if err != nil {
			return f.wrap(err)
		}
		if o.diff {
			return cli.PrintExact(env, textdiff.Unified(strings.TrimPrefix(filepath.ToSlash(f.path), "/"), f.src, result.after))
		}
		if !o.dryRun {
			err = f.write(result.after)
			if errors.Is(err, files.ErrChanged) && attempt < attempts {
				continue
			}
			if err != nil {
				return fmt.Errorf("write %s: %w", f.path, err)
			}
		}
		how := ""
		if o.dryRun {
			how = " (nothing is written)"
		}
		fmt.Fprintf(env.Stdout, "%s, %s settings, %s:%s\n", c.client.Title(), scope, f.path, how)
		for _, line := range result.lines {
			fmt.Fprintf(env.Stdout, "  %s\n", line)
		}
		return nil
	}
}

// program returns the path of this program, as it was called: a link to the newest version
// stays valid when that changes. In shared settings it is the bare name, which everyone must
// have on the PATH.
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

// typedProgram is how the user types the name of this program: its path, if it is not on the
// PATH.
func typedProgram(env cli.Env) string {
	if _, err := exec.LookPath(programName); err != nil {
		if path, err := program(env, agent.User); err == nil {
			return quoteProgram("", runtime.GOOS, path)
		}
	}
	return programName
}

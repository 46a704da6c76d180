package cli

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/agent"
	"whence/internal/home"
	"whence/internal/worktree"
)

// Env holds what a program gets from its process: arguments, folder, environment and streams.
type Env struct {
	Args   []string // the program's name first
	Dir    string   // the working folder, absolute
	Getenv func(string) string
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer

	Deadline time.Duration // for the reply to an event; 0: that of package dispatch
}

// Within returns the Env with another deadline for replies to events. Tests on a busy machine need one.
func (e Env) Within(deadline time.Duration) Env {
	e.Deadline = deadline
	return e
}

// Path returns the absolute path of a file or folder that a command line names.
func (e Env) Path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(e.Dir, name)
}

// OS returns the Env of this process. It unsets a variable TZ that names a file by its path: a repository may have set
// it, since agents let it, and if the file is a pipe, the first use of local time would block.
func OS() Env {
	if zone := strings.TrimPrefix(os.Getenv("TZ"), ":"); filepath.IsAbs(zone) || strings.Contains(zone, "..") {
		_ = os.Unsetenv("TZ")
	}
	dir, err := os.Getwd()
	if err != nil {
		dir = "."
	}
	return Env{Args: os.Args, Dir: dir, Getenv: os.Getenv, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
}

// Below returns a folder relative to the working folder, with slashes, to print before paths: the memories of one
// repository have files with the same names. It returns "" for the working folder itself, and for a folder that is not
// below it.
func (e Env) Below(dir string) string {
	if below, inside := worktree.Name(e.Dir, dir); inside && below != "." {
		return below
	}
	return ""
}

// Home returns the folder of the user's data. It is [home.Claim] for a command that the user types, and [home.Dir] for
// one that an agent runs.
func (e Env) Home() (string, error) {
	if agent.InShellTool(e.Getenv) {
		return home.Dir(e.Getenv)
	}
	return home.Claim(e.Getenv)
}

// folderVariables lists the variables that name the user's own folders: the home folder, and those in which agents keep
// their settings, transcripts and plugins.
var folderVariables = append(agent.FolderVariables(), "HOME", "USERPROFILE", "XDG_DATA_HOME", "CLAUDE_PLUGIN_ROOT")

// ForAgent returns the Env of a program that an agent has started. Since agents let a repository set environment
// variables, it hides git's variables, and folderVariables whose value is relative or inside the repository.
func (e Env) ForAgent() Env {
	all := e.Getenv
	root := sync.OnceValue(func() string { return cmp.Or(home.OuterTree(e.Dir), e.Dir) })
	e.Getenv = func(name string) string {
		if strings.HasPrefix(name, "GIT_") {
			return ""
		}
		value := all(name)
		if value == "" || !slices.Contains(folderVariables, name) {
			return value
		}
		if !filepath.IsAbs(value) {
			return ""
		}
		if _, inside := worktree.Name(root(), value); inside {
			return ""
		}
		return value
	}
	return e
}

// Confined returns the app. If an agent runs it, all its commands refuse --repo for a repository other than the one in
// which the agent works.
func Confined(env Env, app *urfave.App) *urfave.App {
	if agent.InShellTool(env.Getenv) {
		CheckEach(app, func(cmd *urfave.Context) error {
			if dir := cmd.String("repo"); dir != "" {
				return env.CheckInside("--repo "+dir, dir)
			}
			return nil
		})
	}
	return app
}

// CheckInside returns a UsageError if a path on the command line leads out of the repository of the working folder,
// into a git directory, or through a link. What names the path in the error, which does not reveal whether the file
// exists.
func (e Env) CheckInside(what, name string) error {
	tree, err := worktree.Open(worktree.Find(e.Dir, ".git"))
	if err != nil {
		return err
	}
	defer tree.Close()
	below, inside := worktree.Name(tree.Dir, e.Path(name))
	if inside {
		_, err = fs.Stat(tree.Strict().FS(), below)
		inside = !errors.As(err, new(*worktree.ForeignError)) && (err == nil || errors.Is(err, fs.ErrNotExist))
	}
	if !inside {
		return Usagef("%s: agents may read the repository in which they work, and no other: run this in a terminal of your own", what)
	}
	return nil
}

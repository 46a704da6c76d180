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

// Env holds what a program gets from its process.
type Env struct {
	Args   []string // the program's name first
	Dir    string   // the working folder, absolute
	Getenv func(string) string
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer

	Deadline time.Duration // of the reply to an event; 0: that of package dispatch
}

// Within returns the Env with another deadline for replies to events, as tests on a busy machine need it.
func (e Env) Within(deadline time.Duration) Env {
	e.Deadline = deadline
	return e
}

// Path returns the path of a file or folder that a command line names, relative to the working folder.
func (e Env) Path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(e.Dir, name)
}

// OS returns the Env of this process. A variable TZ that names a file by its path is dropped: agents let a repository set
// variables, and a pipe would have the first look at the clock wait.
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

// Below returns the folder of a repository from the working folder, with slashes, for paths that are
// printed: the memories of one repository have the same names of files. It is "" for the working folder
// itself, and for a folder that is not below it.
func (e Env) Below(dir string) string {
	if below, inside := worktree.Name(e.Dir, dir); inside && below != "." {
		return below
	}
	return ""
}

// Home returns the folder of the user's data for a command that is typed, and makes it theirs. An
// agent's shell tool types nothing: see [home.Dir].
func (e Env) Home() (string, error) {
	if agent.InShellTool(e.Getenv) {
		return home.Dir(e.Getenv)
	}
	return home.Claim(e.Getenv)
}

// folderVariables name folders of the user's own: the home, and those in which agents keep their
// settings, transcripts and plugins.
var folderVariables = append(agent.FolderVariables(), "HOME", "USERPROFILE", "XDG_DATA_HOME", "CLAUDE_PLUGIN_ROOT")

// ForAgent returns the Env of a program that an agent has started. Agents let a repository set
// environment variables. Those with which git names a repository do not count, nor does a folder of
// the user's own that is relative or in the repository.
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

// Confined makes all commands, in the shell tool of an agent, refuse another repository than the one in which it works.
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

// CheckInside returns a UsageError if a path that a command line names leads out of the repository of
// the working folder, into a git directory, or through a link. It does not say whether the file exists.
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

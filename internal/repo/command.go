package repo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"whence/internal/agent"
	"whence/internal/home"
	"whence/internal/program"
)

// This file builds every git command that whence runs. The settings of a repository may come from someone else, so a
// command executes nothing that they name (file system monitor, hook, filter, external diff, pager, prompt), opens no
// connection, and takes no lock unless it writes. It runs at the top of the worktree, where git finds the repository
// itself and refuses one that belongs to another user. Its environment is built here.

// maxCommandTime bounds a git command, whatever its context allows.
const maxCommandTime = time.Minute

// guards are git's own options for every command.
var guards = []string{
	"--no-pager",
	"-c", "core.fsmonitor=false",
	"-c", "protocol.allow=never",
	"-c", "safe.bareRepository=explicit", // ignore bare repositories committed into a work tree
	"-c", "submodule.recurse=false",
	"-c", "diff.autoRefreshIndex=false", // keep git diff from writing the index
	"-c", "log.showSignature=false",
}

// noHooks switches hooks off. Only the command that reads the folder configured for hooks omits it.
var noHooks = []string{"-c", "core.hooksPath=/dev/null"}

// guardVariables are in the environment of every command. Settings for a single protocol override protocol.allow, but
// none overrides GIT_ALLOW_PROTOCOL. The settings trace2.* in the home folder, which can name files for git to write
// to, are read before those of the command line, so variables switch them off.
var guardVariables = []string{
	"GIT_ALLOW_PROTOCOL=none", "GIT_NO_REPLACE_OBJECTS=1", "GIT_NO_LAZY_FETCH=1", "GIT_OPTIONAL_LOCKS=0",
	"GIT_TRACE2=0", "GIT_TRACE2_EVENT=0", "GIT_TRACE2_PERF=0", "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS=", "GIT_PAGER=cat", "GIT_EDITOR=:", "LC_ALL=C",
}

// kept lists the variables of this process that git commands get. The others are dropped, since agents let a repository
// set any: GIT_CONFIG_COUNT could name programs, GIT_TRACE a file to write, LD_PRELOAD a library.
var kept = []string{
	"USER", "LOGNAME", "SUDO_UID", "TMPDIR", "TEMP", "TMP",
	"SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "PROGRAMDATA", "PROGRAMFILES", "MSYSTEM",
	"USERPROFILE", "APPDATA", "LOCALAPPDATA", // where git finds the user's settings on Windows
}

// environment returns the environment, except for the PATH, of git commands at the top of a worktree. Git looks for the
// repository only there, not above, and for the user's settings in the folder of [home.ForGit].
func environment(top string) []string {
	var env []string
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		name = strings.ToUpper(name) // as Windows does
		if slices.Contains(kept, name) {
			env = append(env, v)
		}
	}
	env = append(env, "HOME="+home.ForGit(os.Getenv))
	env = append(env, guardVariables...)
	return append(env, "GIT_CEILING_DIRECTORIES="+filepath.Dir(top))
}

// read runs a git command that changes nothing. Callers must not read files of the worktree with it unless args switch
// filters off.
func (r *Repository) read(ctx context.Context, args ...string) ([]byte, error) {
	return r.answer(ctx, nil, args...)
}

// answer runs a git command with an input. The command may write.
func (r *Repository) answer(ctx context.Context, input []byte, args ...string) ([]byte, error) {
	return r.run(ctx, r.env, input, slices.Concat(noHooks, args))
}

// configVariables lists the variables that replace the settings files in the user's home folder.
var configVariables = []string{"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "XDG_CONFIG_HOME"}

// readHooksPath runs a git command that prints where git looks for hooks. Since that executes nothing named by
// settings, the command gets configVariables, unless an agent is at work: it reads the settings that git reads at a
// commit.
func (r *Repository) readHooksPath(args ...string) ([]byte, error) {
	env := slices.Clone(r.env)
	for _, name := range configVariables {
		if value := os.Getenv(name); value != "" && !agent.InShellTool(os.Getenv) {
			env = append(env, name+"="+value)
		}
	}
	return r.run(context.Background(), env, nil, args)
}

// commandError reports a git command that has failed.
type commandError struct {
	subcommand string
	status     int
	message    string
}

func (e *commandError) Error() string { return "git " + e.subcommand + ": " + e.message }

// exitedWith reports whether a command has failed with an exit status.
func exitedWith(err error, status int) bool {
	var failed *commandError
	return errors.As(err, &failed) && failed.status == status
}

// run runs a git command in the repository.
func (r *Repository) run(ctx context.Context, env []string, input []byte, args []string) ([]byte, error) {
	if err := r.waits(); err != nil {
		return nil, err
	}
	return run(ctx, r.programs(), r.top, env, input, args)
}

// run finds git with a search, runs a command in a folder, and returns the output. If git exits with a status other
// than 0, the error is a commandError, and the output is returned as well. When the context ends, or after
// maxCommandTime, git and the processes it has started are killed.
func run(ctx context.Context, programs *program.Search, dir string, env []string, input []byte, args []string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, maxCommandTime)
	defer cancel()
	git, err := programs.Program("git")
	if err != nil {
		return nil, fmt.Errorf("git %s: %w", subcommand(args), err)
	}
	cmd := git.Command(ctx, slices.Concat(guards, args)...)
	cmd.Dir, cmd.Env = dir, append(slices.Clip(env), "PATH="+programs.Path())
	cmd.WaitDelay = time.Second
	killWithGroup(cmd)
	if input != nil {
		cmd.Stdin = bytes.NewReader(input)
	}
	var out, message output
	cmd.Stdout, cmd.Stderr = &out, &message
	err = cmd.Run()
	var exit *exec.ExitError
	if err == nil {
		return out.kept.Bytes(), nil
	}
	if out.full {
		return nil, fmt.Errorf("git %s: its answer is larger than %d MB", subcommand(args), maxOutputBytes>>20)
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("git %s: %w", subcommand(args), ctx.Err())
	}
	if errors.As(err, &exit) {
		return out.kept.Bytes(), &commandError{subcommand(args), exit.ExitCode(), strings.TrimSpace(message.kept.String())}
	}
	return nil, fmt.Errorf("git %s: %w", subcommand(args), err)
}

// subcommand returns the first word of a git command line that is not an option.
func subcommand(args []string) string {
	for len(args) > 1 && strings.HasPrefix(args[0], "-") {
		if args[0] == "-c" { // its value follows
			args = args[1:]
		}
		args = args[1:]
	}
	return args[0]
}

// fromTop returns the argument that names a file by its path from the root, whatever characters it has.
func fromTop(path string) string {
	if path == "." {
		return ":/"
	}
	return ":(top,literal)" + path
}

// names iterates over the NUL-terminated strings that a git command prints with -z.
func names(out []byte) iter.Seq[string] {
	return strings.FieldsFuncSeq(string(out), func(r rune) bool { return r == 0 })
}

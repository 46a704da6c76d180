// Package cli runs the command lines of all programs.
//
// A program is a function of an Env (arguments, folder, environment and streams) that returns an
// exit status. Nothing below main touches the real ones.
//
// Exit statuses: OK, Found, Usage and Failed. None is 2: coding agents read 2 as "block".
//
// Flags work before and after arguments. Results and --help go to Stdout; errors go to Stderr, one
// line each, after the program's name.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	urfave "github.com/urfave/cli/v3"

	"whence/internal/text"
)

// Exit statuses.
const (
	OK     = 0 // fine, or everything was fixed
	Found  = 1 // findings are left, or there is no answer
	Usage  = 3 // the command line or a setting is wrong
	Failed = 4 // the program could not do its work
)

// Env holds what a program gets from its process.
type Env struct {
	Args   []string // the program's name first
	Dir    string   // the working folder, absolute
	Getenv func(string) string
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
}

// Path returns the path of a file or folder that a command line names, relative to the working folder.
func (e Env) Path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(e.Dir, name)
}

// OS returns the Env of this process.
func OS() Env {
	dir, err := os.Getwd()
	if err != nil {
		dir = "."
	}
	return Env{os.Args, dir, os.Getenv, os.Stdin, os.Stdout, os.Stderr}
}

// gcPercent lets the heap grow to 32 MB before the first collection, which saves a fifth of the time
// of a program that runs for milliseconds. From maxHeapBytes on, the heap is collected anyway.
const (
	gcPercent    = 800
	maxHeapBytes = 256 << 20
)

// ErrFound makes Main return Found without a message: the findings have been printed.
var ErrFound = errors.New("findings are left")

// UsageError is a mistake in the command line or the settings.
type UsageError struct{ Message string }

func (e *UsageError) Error() string { return e.Message }

// Usagef returns a UsageError.
func Usagef(format string, args ...any) error {
	return &UsageError{fmt.Sprintf(format, args...)}
}

// Main runs a program and returns its exit status. The app has name, flags and action; Main adds
// the streams, the version, and the help, which is the package comment of docGo, the source of the
// program's doc.go.
func Main(env Env, app *urfave.Command, docGo string) (exit int) {
	debug.SetGCPercent(gcPercent)
	debug.SetMemoryLimit(maxHeapBytes)
	defer flush(env)
	defer func() {
		if p := recover(); p != nil { // Go's own exit status of a panic would be 2
			exit = status(env, app.Name, fmt.Errorf("a fault in the program: %v; please report it", p))
		}
	}()
	app.Reader, app.Writer, app.ErrWriter = env.Stdin, env.Stdout, env.Stderr
	app.Version = Version
	app.HideHelp = true                                                   // help.go prints it
	app.ExitErrHandler = func(context.Context, *urfave.Command, error) {} // statuses are decided here
	app.Commands = append(app.Commands, completionCommand(app), helpCommand(app, docGo))
	_ = app.Walk(func(command *urfave.Command) error {
		ownFlags(command.Flags)
		command.DisableSliceFlagSeparator = true // a glob may hold a comma
		command.OnUsageError = func(_ context.Context, _ *urfave.Command, err error, _ bool) error {
			return flagError(env, app, err)
		}
		return nil
	})
	args, help := flagsFirst(app, env.Args)
	if help {
		return status(env, app.Name, printHelp(app, helpPage(app, args[1:], manual(docGo))))
	}
	if slices.Contains(args, "--version") || slices.Contains(args, "-v") {
		if info, ok := debug.ReadBuildInfo(); ok {
			app.Version = versionLine(info)
		}
	}
	return status(env, app.Name, withHint(env, app, app.Run(context.Background(), args)))
}

// ownFlags keeps the flags of a command from those below it.
func ownFlags(flags []urfave.Flag) {
	for _, f := range flags {
		switch f := f.(type) {
		case *urfave.BoolFlag:
			f.Local = true
		case *urfave.FloatFlag:
			f.Local = true
		case *urfave.IntFlag:
			f.Local = true
		case *urfave.StringFlag:
			f.Local = true
		case *urfave.StringSliceFlag:
			f.Local = true
		default:
			panic(fmt.Sprintf("flag --%s: commands below it would take a flag of type %T, too", f.Names()[0], f))
		}
	}
}

func status(env Env, name string, err error) int {
	switch {
	case err == nil:
		return OK
	case errors.Is(err, ErrFound):
		return Found
	}
	lines := strings.FieldsFunc(err.Error(), func(r rune) bool { return r == '\n' || r == '\r' })
	fmt.Fprintf(env.Stderr, "%s: %s\n", name, text.Printable(strings.Join(lines, "; ")))
	if usage := (*UsageError)(nil); errors.As(err, &usage) {
		return Usage
	}
	return Failed
}

// flagsFirst moves flags with their values before the arguments, where urfave/cli looks for them;
// the names of a command and its subcommand go before both. After "--" everything is an argument.
// For a command line with --help it returns the names of the program and the command, and true.
func flagsFirst(app *urfave.Command, args []string) (ordered []string, help bool) {
	if len(args) == 0 {
		return args, false
	}
	front, flags, commands := args[:1:1], app.Flags, app.Commands
	var moved, rest []string
	for at := 1; at < len(args); at++ {
		arg := args[at]
		command := named(commands, arg)
		switch {
		case arg == "--":
			rest = append(rest, args[at+1:]...)
			at = len(args)
		case arg == "--help" || arg == "-h":
			return front, true
		case isFlag(arg):
			moved = append(moved, arg)
			if takesValue(flags, arg) {
				if at++; at == len(args) {
					return slices.Concat(front, moved), false // the flag stays last, so that its value is missed
				}
				moved = append(moved, args[at])
			}
		case command != nil && len(rest) == 0:
			front, flags, commands = append(front, arg), command.Flags, command.Commands
		default:
			rest = append(rest, arg)
		}
	}
	if slices.Contains(moved, "--version") {
		return append(args[:1:1], "--version"), false
	}
	return slices.Concat(front, moved, []string{"--"}, rest), false
}

// isFlag reports whether an argument is a flag. A name begins with a letter and has no space: "-5",
// "- x" and "--x is wrong" are text.
func isFlag(arg string) bool {
	name, _, _ := strings.Cut(arg, "=")
	short, isOneDash := strings.CutPrefix(name, "-")
	if strings.Contains(name, " ") || !isOneDash || short == "" {
		return false
	}
	first, _ := utf8.DecodeRuneInString(short)
	return first == '-' || unicode.IsLetter(first)
}

func named(commands []*urfave.Command, name string) *urfave.Command {
	i := slices.IndexFunc(commands, func(c *urfave.Command) bool { return c.HasName(name) })
	if i < 0 {
		return nil
	}
	return commands[i]
}

// takesValue reports whether the argument after a flag is the flag's value.
func takesValue(flags []urfave.Flag, arg string) bool {
	name := strings.TrimLeft(arg, "-")
	for _, f := range flags {
		if slices.Contains(f.Names(), name) {
			_, isBool := f.(*urfave.BoolFlag)
			return !isBool
		}
	}
	return false
}

// Color reports whether output to w is coloured. The setting is "auto", "always" or "never"; auto
// colours on a terminal, unless NO_COLOR is set or TERM is dumb.
func Color(env Env, setting string, w io.Writer) (bool, error) {
	switch setting {
	case "always":
		return true, nil
	case "never":
		return false, nil
	case "auto":
		return env.Getenv("NO_COLOR") == "" && env.Getenv("TERM") != "dumb" && IsTerminal(w), nil
	}
	return false, Usagef("--color %q: use auto, always or never", setting)
}

// Package cli runs the command lines of all programs.
//
// A program is a function of an Env (arguments, folder, environment and streams) that returns an exit status. Only main
// touches the real ones.
//
// Exit statuses: OK, Found, Usage and Failed. None is 2: coding agents read 2 as "block".
//
// Flags work before and after arguments. Results and --help go to Stdout. Errors go to Stderr, one line each, after the
// program's name.
package cli

import (
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/inert"
	"whence/internal/lazyregexp"
	"whence/internal/words"
)

// Exit statuses.
const (
	OK     = 0 // no findings, or all were fixed
	Found  = 1 // findings are left, or there is no answer
	Usage  = 3 // the command line or a setting is wrong
	Failed = 4 // the program could not do its work
)

// gcPercent lets the heap grow to 32 MB before the first collection, which saves a program that runs for milliseconds a
// fifth of its time. From maxHeapBytes on, the heap is collected anyway.
const (
	gcPercent    = 800
	maxHeapBytes = 216 << 20
)

// LetHeapGrow delays the first garbage collection. Main calls it; so must a program that answers events without Main.
func LetHeapGrow() {
	debug.SetGCPercent(gcPercent)
	debug.SetMemoryLimit(maxHeapBytes)
}

// ErrFound makes Main return Found without a message. The action has printed the findings.
var ErrFound = errors.New("findings are left")

// errNothing makes Main return OK without a message.
var errNothing = errors.New("there is nothing to do")

// UsageError reports a mistake in the command line or the settings.
type UsageError struct{ Message string }

func (e *UsageError) Error() string { return e.Message }

// Usagef returns a UsageError.
func Usagef(format string, args ...any) error {
	return &UsageError{fmt.Sprintf(format, args...)}
}

// Main runs a program and returns its exit status. The app has a name, flags and an action. Main adds the streams, the
// version, and the help, which it takes from docGo, the source of the program's doc.go.
func Main(env Env, app *urfave.App, docGo string) (exit int) {
	LetHeapGrow()
	defer flush(env)
	defer func() {
		if p := recover(); p != nil { // the exit status of a panic would be 2
			exit = status(env, app.Name, fmt.Errorf("a fault in the program: %v; please report it", p))
		}
	}()
	app.Reader, app.Writer, app.ErrWriter = env.Stdin, env.Stdout, env.Stderr
	app.Version = Version
	app.ExitErrHandler = func(*urfave.Context, error) {} // status decides
	app.OnUsageError = flagError
	app.DisableSliceFlagSeparator = true // a glob may hold a comma
	app.Suggest = true
	app.EnableBashCompletion = true
	addHelp(app, docGo)
	app.Setup()
	hideDefaults(app.Flags)
	each(app.Commands, func(command *urfave.Command) {
		hideDefaults(command.Flags)
		command.OnUsageError = flagError
		command.HideHelpCommand = true // "search help" searches for help
	})
	args := env.Args
	if len(args) == 0 {
		args = []string{app.Name}
	}
	if args[len(args)-1] != completionFlag {
		args = flagsFirst(app, args)
	} else if slices.Contains(args, "--") {
		return OK // text has no completions, and TAB must not run the command
	}
	if slices.Contains(args, "--version") || slices.Contains(args, "-v") {
		if info, ok := debug.ReadBuildInfo(); ok {
			app.Version = versionLine(info)
		}
	}
	return status(env, app.Name, app.Run(args))
}

// completionFlag is the argument by which urfave/cli's scripts for bash, zsh and PowerShell ask for completions.
const completionFlag = "--generate-bash-completion"

// each calls a function for all commands and their subcommands.
func each(commands []*urfave.Command, do func(*urfave.Command)) {
	for _, command := range commands {
		do(command)
		each(command.Subcommands, do)
	}
}

// hideDefaults keeps "(default: false)" out of the help.
func hideDefaults(flags []urfave.Flag) {
	for _, f := range flags {
		if f, ok := f.(*urfave.BoolFlag); ok {
			f.DisableDefaultText = true
		}
	}
}

func status(env Env, name string, err error) int {
	if err == nil || errors.Is(err, errNothing) {
		return OK
	}
	if errors.Is(err, ErrFound) {
		return Found
	}
	lines := strings.FieldsFunc(err.Error(), func(r rune) bool { return r == '\n' || r == '\r' })
	fmt.Fprintf(env.Stderr, "%s: %s\n", name, inert.Printable(strings.Join(lines, "; ")))
	if usage := (*UsageError)(nil); errors.As(err, &usage) {
		return Usage
	}
	return Failed
}

// flagInError matches an error message that names a long flag with one hyphen.
var flagInError = lazyregexp.New(`(?s)^(.* )-([a-z][a-z-]+)([:;] .*)?$`)

// flagError returns a usage error for an error about flags.
func flagError(c *urfave.Context, err error, _ bool) error {
	message := err.Error()
	if name, isUnknown := strings.CutPrefix(message, "flag provided but not defined: -"); isUnknown {
		message = "unknown flag -" + name
		meant := strings.TrimLeft(urfave.SuggestFlag(c.Command.Flags, name, true), "-") // the nearest flag, however different
		if isNear(name, meant) {
			message += "; did you mean --" + meant + "?"
		}
	}
	message = flagInError().ReplaceAllString(message, "$1--$2$3") // as people type it
	return Usagef("%s (%s --help lists the flags)", message, c.Command.HelpName)
}

// isNear reports whether a typed text may mean a name: it differs by one typing error, or is the beginning of the name.
func isNear(typed, name string) bool {
	if typed == "" || typed == name {
		return false
	}
	return words.OneTypo(typed, name) || strings.HasPrefix(name, typed)
}

// DidYouMean returns a question, after a space, with the command that a word may mean; "" if there is none.
func DidYouMean(commands []*urfave.Command, word string) string {
	for _, c := range commands {
		if isNear(word, c.Name) {
			return fmt.Sprintf(" Did you mean %q?", c.Name)
		}
	}
	return ""
}

// flagsFirst moves flags with their values before the arguments, where urfave/cli looks for them, and the names of a
// command and its subcommand before both. After "--" everything is an argument. With --help or --version it drops other
// arguments and flags; "help entry add" becomes "entry add --help".
func flagsFirst(app *urfave.App, args []string) []string {
	front, flags, commands := args[:1:1], app.Flags, &app.Commands
	var moved, rest []string
	asksHelp := false
	for at := 1; at < len(args); at++ {
		arg := args[at]
		if arg == "--" {
			rest = append(rest, args[at+1:]...)
			break
		}
		if arg == "--help" || arg == "-h" {
			return append(front, "--help")
		}
		if arg == "help" && len(*commands) > 0 && len(rest) == 0 {
			asksHelp = true
			continue
		}
		if isFlag(arg) {
			moved = append(moved, arg)
			if takesValue(flags, arg) {
				if at++; at == len(args) {
					return slices.Concat(front, moved) // the flag stays last, so that urfave/cli reports the missing value
				}
				moved = append(moved, args[at])
			}
			continue
		}
		command := named(*commands, arg)
		if command == nil || len(rest) > 0 {
			rest = append(rest, arg)
			continue
		}
		front, flags, commands = append(front, arg), command.Flags, &command.Subcommands
	}
	if asksHelp {
		return append(front, "--help")
	}
	if slices.Contains(moved, "--version") {
		return append(args[:1:1], "--version")
	}
	if len(rest) > 0 && named(*commands, rest[0]) != nil {
		*commands = nil // urfave/cli would take it for a command even after "--"
	}
	return slices.Concat(front, moved, []string{"--"}, rest)
}

// isFlag reports whether an argument is a flag. The name of a flag has no spaces and, after one hyphen, begins with a
// letter: "-5", "- x" and "--x is wrong" are text.
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
			return f.(urfave.DocGenerationFlag).TakesValue()
		}
	}
	return false
}

// QuietFlag returns the flag --quiet.
func QuietFlag(quiet *bool) urfave.Flag {
	return &urfave.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "print only results and errors", Destination: quiet}
}

// Format returns a usage error if the value of --format is not a known one.
func Format(value string, known ...string) error {
	if slices.Contains(known, value) {
		return nil
	}
	return Usagef("unknown --format %q: use %s", value, strings.Join(known, " or "))
}

// CheckEach runs a check before each action of a program.
func CheckEach(app *urfave.App, check func(*urfave.Context) error) {
	checked := func(run urfave.ActionFunc) urfave.ActionFunc {
		if run == nil {
			return nil
		}
		return func(cmd *urfave.Context) error {
			if err := check(cmd); err != nil {
				return err
			}
			return run(cmd)
		}
	}
	app.Action = checked(app.Action)
	each(app.Commands, func(command *urfave.Command) { command.Action = checked(command.Action) })
}

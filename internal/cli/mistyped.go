package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v3"

	"whence/internal/text"
)

// Mistyped returns the first argument of a command line and the command that it differs from
// by one typo: a letter added, missing or wrong, or two swapped. Both are "" if no command is
// near, or after "--".
func Mistyped(env Env, app *urfave.Command) (typed, meant string) {
	flags, commands := app.Flags, app.Commands
	for at := 1; at < len(env.Args); at++ {
		arg := env.Args[at]
		command := named(commands, arg)
		switch {
		case arg == "--":
			return "", ""
		case isFlag(arg):
			if takesValue(flags, arg) {
				at++
			}
		case command != nil:
			flags, commands = command.Flags, command.Commands
		default:
			if i := slices.IndexFunc(commands, func(c *urfave.Command) bool { return text.OneTypo(arg, c.Name) }); i >= 0 {
				return arg, commands[i].Name
			}
			return "", ""
		}
	}
	return "", ""
}

// withHint adds the command that was probably meant to a usage error. If the program found no
// answer, because its arguments are free text, the hint is a line of its own.
func withHint(env Env, app *urfave.Command, err error) error {
	var usage *UsageError
	found, mistake := errors.Is(err, ErrFound), errors.As(err, &usage)
	if !found && !mistake {
		return err
	}
	typed, meant := Mistyped(env, app)
	switch {
	case meant == "":
	case found:
		fmt.Fprintf(env.Stderr, "%s: did you mean the command %s? (%q is not a command)\n", app.Name, meant, text.Printable(typed))
	case !strings.Contains(usage.Message, didYouMean):
		return Usagef("%s; %s the command %s?", usage.Message, didYouMean, meant)
	}
	return err
}

const didYouMean = "did you mean"

// flagError words an error about flags, which are named as they were typed.
func flagError(env Env, app *urfave.Command, err error) error {
	message := strings.Replace(err.Error(), "flag provided but not defined: ", "unknown flag ", 1)
	why := ""
	if at := strings.LastIndex(message, ": "); at >= 0 && strings.HasPrefix(message, "invalid value ") {
		why = message[at:]
		message, _, _ = strings.Cut(message[:at], ": strconv.")
	}
	for _, arg := range env.Args[1:] {
		if name, _, _ := strings.Cut(arg, "="); strings.HasPrefix(name, "--") && strings.HasSuffix(message, " "+name[1:]) {
			message = strings.TrimSuffix(message, name[1:]) + name
			break
		}
	}
	return Usagef("%s%s (%s --help lists the flags)", message, why, app.Name)
}

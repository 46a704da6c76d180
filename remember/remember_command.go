package remember

import (
	"errors"
	"fmt"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/inert"
	"whence/internal/learning"
	"whence/internal/shell"
	"whence/internal/store"
)

// rememberOptions are the flags of the program without a command; missing fields are inferred.
type rememberOptions struct {
	learningOptions
	learning   learning.Learning
	references urfave.StringSlice
	global     bool
}

func (o *rememberOptions) flags() []urfave.Flag {
	return o.learningOptions.flags(append(
		fieldFlags(&o.learning.Name, &o.learning.Reasoning, (*string)(&o.learning.Category), &o.references),
		&urfave.BoolFlag{Name: "global", Usage: "apply it in all repositories", Destination: &o.global},
		o.sessionFlag(),
	)...)
}

func fieldFlags(name, reasoning, category *string, references *urfave.StringSlice) []urfave.Flag {
	return []urfave.Flag{
		&urfave.StringFlag{Name: "name", Usage: "name the learning `NAME`", Destination: name},
		&urfave.StringFlag{Name: "category", Usage: "put it into `CATEGORY`: anti-patterns, heuristics or patterns", Destination: category},
		&urfave.StringFlag{Name: "reasoning", Usage: "say in `TEXT` why it is true", Destination: reasoning},
		&urfave.StringSliceFlag{Name: "reference", Usage: "link it to a `FILE`, commit or URL; may be repeated", Destination: references},
	}
}

func (o *rememberOptions) remember(env cli.Env) urfave.ActionFunc {
	return func(cmd *urfave.Context) error {
		args := cmd.Args().Slice()
		if len(args) == 0 {
			return cli.Usagef("nothing to do: give a text to remember (\"-\" reads it from standard input), or name a command (%s)", commandNames)
		}
		if len(args) > 1 { // a command that does not exist must not become a learning
			text := strings.Join(args, " ")
			if len(args) == 2 && strings.Contains(args[1], " ") { // it has its quotes
				text = args[1]
			}
			return cli.Usagef("unknown command %q.%s The commands are %s; to store a text, give it alone, in quotes: %s%s %s",
				args[0], cli.DidYouMean(cmd.App.Commands, args[0]), commandNames, cli.Typed(env, "").Program("memory-remember"), cli.SetFlags(cmd, cmd.App.Flags), shell.Quote(text))
		}
		l := o.learning
		var err error
		if l.Description, err = textOf(env, args); err != nil {
			return err
		}
		if err := cli.RefusePlaceholder("", l.Description, "a text of your own: write that"); err != nil {
			return err
		}
		l.References = o.references.Value()
		if err := checkUTF8("a flag", append(l.References, l.Name, l.Reasoning)...); err != nil {
			return err
		}
		svc, err := o.service(env)
		if err != nil {
			return failedToStore(err)
		}
		if err := checkCategory(l.Category); err != nil {
			return err
		}
		r, err := svc.Remember(cmd.Context, l, o.global)
		isTooShort := errors.Is(err, learning.ErrTooShort)
		if isTooShort && r.Redacted == nil && !strings.ContainsAny(l.Description, " \t\n") && l.Description != "" {
			return cli.Usagef("%s (If you meant %q as a command: the commands are %s.)%s",
				tooShort, l.Description, commandNames, cli.DidYouMean(cmd.App.Commands, l.Description))
		}
		if RefusalText(err) != "" {
			message := err.Error()
			if isTooShort {
				message = tooShort
			}
			for _, note := range redactedNotes(r.Redacted) {
				message += " (" + note + ")"
			}
			return &cli.UsageError{Message: message}
		}
		if err != nil {
			return failedToStore(err)
		}
		_, err = fmt.Fprintln(env.Stdout, inert.Printable(r.Message()))
		o.remark(env, r.Notes()...)
		return err
	}
}

// failedToStore adds that nothing was stored, in the words of the specification, except to usage
// errors.
func failedToStore(err error) error {
	var usage *cli.UsageError
	if err == nil || errors.As(err, &usage) {
		return err
	}
	return fmt.Errorf("Failed to store learning: %w", err) //nolint:staticcheck // its words
}

// storeCommand is the tool store_memory for agents without the MCP server.
func storeCommand(env cli.Env, parts Parts) *urfave.Command {
	o := learningOptions{Parts: parts}
	var a StoreArguments
	var references urfave.StringSlice
	approved, rejected, stdin := false, false, false
	return &urfave.Command{
		Name: "store", Usage: "store a learning for an agent, if the settings allow it",
		Flags: o.flags(append(fieldFlags(&a.Name, &a.Reasoning, &a.Category, &references),
			o.sessionFlag(),
			&urfave.StringFlag{Name: "description", Usage: "say in `TEXT` what was learned", Destination: &a.Description},
			&urfave.StringFlag{Name: "confidence", Usage: "give it this `CONFIDENCE`: low, medium or high", Value: string(learning.Medium), Destination: &a.Confidence},
			&urfave.BoolFlag{Name: "approved", Usage: "store it: the user has agreed", Destination: &approved},
			&urfave.BoolFlag{Name: "rejected", Usage: "the user declined: do not propose it again", Destination: &rejected},
			&urfave.BoolFlag{Name: "stdin", Usage: "read these fields as JSON from standard input", Destination: &stdin},
		)...),
		Action: func(cmd *urfave.Context) error {
			if args := cmd.Args(); args.Present() {
				return cli.Usagef("store takes no argument, but got %q: to remember a text, type %s; an agent that stores one names --name, --description, --reasoning and --category",
					args.First(), o.typed(env, "memory-remember "+shell.Quote(strings.Join(args.Slice(), " "))))
			}
			if approved && rejected {
				return cli.Usagef("--approved and --rejected contradict each other")
			}
			a.References = references.Value()
			if approved || rejected {
				a.Approved = &approved
			}
			if stdin {
				src, err := readInput("standard input", env.Stdin, maxInputBytes)
				if err != nil {
					return err
				}
				if _, err := DecodeObject(src, &a); err != nil {
					return cli.Usagef("standard input: %v (expected: one JSON object with name, description, reasoning and category)", err)
				}
			}
			if err := checkUTF8("a flag", append(a.References, a.Name, a.Description, a.Reasoning)...); err != nil {
				return err
			}
			svc, err := o.service(env)
			if err != nil {
				return failedToStore(err)
			}
			if svc.Policy, err = o.policy(env); err != nil {
				return err
			}
			c, err := svc.Store(cmd.Context, a)
			if refusal := RefusalText(err); refusal != "" {
				return reportFailure(env, refusal)
			}
			if err != nil {
				return failedToStore(err)
			}
			lines := []string{inert.Printable(c.Message())}
			for _, note := range c.Notes() {
				lines = append(lines, inert.PrintableLines(note))
			}
			_, err = fmt.Fprintln(env.Stdout, strings.Join(lines, "\n"))
			if err == nil && c.Decision != store.Stored && c.Decision != store.Silently && c.Decision != store.Discarded {
				err = cli.ErrFound
			}
			return err
		},
	}
}

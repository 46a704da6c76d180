package remember

import (
	"errors"
	"fmt"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/learning"
	"whence/internal/text"
)

// rememberOptions are the flags of the program without a command; missing fields are inferred.
type rememberOptions struct {
	learningOptions
	name, category, reasoning string
	references                urfave.StringSlice
	global, personal          bool
}

func (o *rememberOptions) flags() []urfave.Flag {
	return o.learningOptions.flags(
		&urfave.StringFlag{Name: "name", Usage: "name the learning `NAME`", Destination: &o.name},
		&urfave.StringFlag{Name: "category", Usage: "its `CATEGORY`: anti-patterns, heuristics or patterns", Destination: &o.category},
		&urfave.StringFlag{Name: "reasoning", Usage: "why it is true: `TEXT`", Destination: &o.reasoning},
		&urfave.StringSliceFlag{Name: "reference", Usage: "a `FILE`, commit or link that it is about; may be repeated", Destination: &o.references},
		&urfave.BoolFlag{Name: "global", Usage: "it applies in all repositories", Destination: &o.global, DisableDefaultText: true},
		&urfave.BoolFlag{Name: "personal", Usage: "in a team's store, show it only to you", Destination: &o.personal, DisableDefaultText: true},
	)
}

// remember stores the text of the command line.
func (o *rememberOptions) remember(env cli.Env) urfave.ActionFunc {
	return func(ctx *urfave.Context) error {
		if !ctx.Args().Present() {
			return cli.Usagef("nothing to do: give a text to remember (\"-\" reads it from standard input), or name a command (%s)", commandNames)
		}
		if err := mistypedCommand(env, ctx); err != nil {
			return err
		}
		description, err := textOf(env, ctx)
		if err != nil {
			return err
		}
		svc, err := o.service(env)
		if err != nil {
			return failedToStore(err)
		}
		if o.category != "" {
			if _, err := learning.ParseCategory(o.category); err != nil {
				return cli.Usagef("--category: %v", err)
			}
		}
		r, err := svc.Remember(ctx.Context, learning.Learning{
			Name: o.name, Description: description, Category: learning.Category(o.category), Reasoning: o.reasoning, References: o.references.Value(), Personal: o.personal,
		}, o.global)
		var field *learning.FieldError
		var length *LengthError
		switch {
		case errors.Is(err, ErrTooShort) && r.Redacted == nil && ctx.Args().Len() == 1 && !strings.ContainsAny(description, " \t\n") && description != "":
			return cli.Usagef("%s (If you meant %q as a command: the commands are %s.)", learning.TooShort, description, commandNames)
		case errors.Is(err, ErrTooShort), errors.As(err, &field), errors.As(err, &length):
			message := err.Error()
			if removed := redactedText(r.Redacted); removed != "" {
				message += " (" + removed + ")"
			}
			return &cli.UsageError{Message: message}
		case err != nil:
			return failedToStore(err)
		}
		if o.format == "json" {
			err = text.WriteJSONLine(env.Stdout, rememberedJSON{r.Message(), r.Reinforced, r.Redacted, r.Contradicts, LearningJSON(r.Learning)})
		} else {
			_, err = fmt.Fprintln(env.Stdout, text.Printable(r.Message()))
		}
		o.remark(env, r.Notes()...)
		return err
	}
}

// minMistypedBytes is the minimal length of a mistyped command before other words: "how" is not meant
// as "show".
const minMistypedBytes = 4

// mistypedCommand refuses a text that begins with nearly a command and is not in quotes.
func mistypedCommand(env cli.Env, ctx *urfave.Context) error {
	typed, meant := cli.Mistyped(env, ctx.App)
	switch args := ctx.Args().Slice(); {
	case meant == "":
		return nil
	case len(args) == 1:
		return cli.Usagef("unknown command %q: did you mean %s?", typed, meant)
	case len(typed) < minMistypedBytes:
		return nil
	default:
		return cli.Usagef("unknown command %q: did you mean %s? To store this text: memory-remember -- %s", typed, meant, cli.Quote(strings.Join(args, " ")))
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

// rememberedJSON is a RememberResult for programs.
type rememberedJSON struct {
	Message     string       `json:"message"`
	Reinforced  bool         `json:"reinforced"`
	Redacted    []string     `json:"redacted,omitempty"`
	Contradicts []string     `json:"contradicts,omitempty"`
	Learning    LearningJSON `json:"learning"`
}

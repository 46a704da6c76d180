package remember

import (
	"errors"
	"fmt"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/learning"
	"whence/internal/store"
	"whence/internal/team"
	"whence/internal/text"
)

// forgetCommand deletes a learning.
func forgetCommand(env cli.Env, server *team.Server) *urfave.Command {
	o := learningOptions{server: server}
	return &urfave.Command{
		Name: "forget", Usage: "delete a learning, and print it", ArgsUsage: "ID|NAME", Flags: o.flags(),
		Action: func(ctx *urfave.Context) error {
			b, name, err := o.named(env, ctx, "the learning to forget")
			if err != nil {
				return err
			}
			l, err := b.Forget(background(ctx), name)
			return o.changed(env, "Forgot", l, err)
		},
	}
}

// feedbackCommand says whether a learning helped.
func feedbackCommand(env cli.Env, server *team.Server) *urfave.Command {
	o := learningOptions{server: server}
	var reason string
	return &urfave.Command{
		Name: "feedback", Usage: "say that a learning helped, is wrong or is outdated", ArgsUsage: "ID|NAME helped|wrong|outdated",
		Flags: o.flags(&urfave.StringFlag{Name: "reason", Usage: "`TEXT` that says why", Destination: &reason}),
		Action: func(ctx *urfave.Context) error {
			if ctx.Args().Len() != 2 {
				return cli.Usagef("name a learning, its id or its name (in quotes), and helped, wrong or outdated")
			}
			verdict, err := store.ParseVerdict(ctx.Args().Get(1))
			if err != nil {
				return cli.Usagef("%v", err)
			}
			b, err := o.base(env)
			if err != nil {
				return err
			}
			l, err := b.Say(background(ctx), ctx.Args().First(), verdict, reason)
			if refusal := Refused(err); refusal != "" {
				return cli.Usagef("%s", strings.TrimPrefix(refusal, "Entry rejected: "))
			}
			what := "Helped"
			if verdict != store.Helped {
				what = "Retired"
			}
			return o.changed(env, what, l, err)
		},
	}
}

// editCommand changes the fields of a learning.
func editCommand(env cli.Env, server *team.Server) *urfave.Command {
	o := rememberOptions{learningOptions: learningOptions{server: server}}
	var description, confidence string
	return &urfave.Command{
		Name: "edit", Usage: "change a learning", ArgsUsage: "ID|NAME",
		Flags: append(o.flags(),
			&urfave.StringFlag{Name: "description", Usage: "what was learned, in `TEXT`", Destination: &description},
			&urfave.StringFlag{Name: "confidence", Usage: "`CONFIDENCE`: low, medium or high", Destination: &confidence},
		),
		Action: func(ctx *urfave.Context) error {
			name, err := one(ctx, "the learning to edit")
			if err != nil {
				return err
			}
			texts := []struct {
				value string
				field func(*learning.Learning) *string
			}{
				{o.name, func(l *learning.Learning) *string { return &l.Name }},
				{description, func(l *learning.Learning) *string { return &l.Description }},
				{o.reasoning, func(l *learning.Learning) *string { return &l.Reasoning }},
				{o.category, func(l *learning.Learning) *string { return (*string)(&l.Category) }},
				{confidence, func(l *learning.Learning) *string { return (*string)(&l.Confidence) }},
			}
			b, err := o.base(env)
			if err != nil {
				return err
			}
			given := o.global || o.personal || len(o.references.Value()) > 0
			for _, text := range texts {
				given = given || text.value != ""
			}
			if !given {
				return cli.Usagef("nothing to change: name a field, as in --description TEXT")
			}
			l, redacted, err := b.Edit(background(ctx), name, func(l *learning.Learning) {
				for _, text := range texts {
					if text.value != "" {
						*text.field(l) = text.value
					}
				}
				l.Name = learning.Shorten(l.Name)
				if given := o.references.Value(); len(given) > 0 {
					l.References = given
				}
				if o.global {
					l.Project = ""
				}
				l.Personal = l.Personal || o.personal
			})
			if refusal := Refused(err); refusal != "" {
				return cli.Usagef("%s", strings.TrimPrefix(refusal, "Error: "))
			}
			if text := RedactedText(redacted); text != "" {
				o.remarks(env, []string{text})
			}
			return o.changed(env, "Changed", l, err)
		},
	}
}

// changed tells what was done to a learning.
func (o *learningOptions) changed(env cli.Env, what string, l learning.Learning, err error) error {
	if errors.Is(err, store.ErrTaken) {
		fmt.Fprintf(env.Stderr, "memory-remember: %s\n", text.Printable(err.Error()))
		return cli.ErrFound
	}
	if err != nil {
		return knownError(env, err)
	}
	if o.format == "json" {
		return text.WriteJSONLine(env.Stdout, RecordOf(l))
	}
	_, err = fmt.Fprintf(env.Stdout, "%s: %s (%s)\n", what, text.Printable(l.Name), l.ID)
	if what == "Forgot" && err == nil {
		_, err = fmt.Fprintln(env.Stdout, printableLines(l.Description))
	}
	return err
}

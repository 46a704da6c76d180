package remember

import (
	"context"
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
		Action: o.learningAction(env, "the learning to forget", func(ctx context.Context, svc *Service, name string) error {
			l, err := svc.Forget(ctx, name)
			return o.printChanged(env, "Forgot", l, err)
		}),
	}
}

// feedbackCommand records whether a learning helped.
func feedbackCommand(env cli.Env, server *team.Server) *urfave.Command {
	o := learningOptions{server: server}
	var reason string
	return &urfave.Command{
		Name: "feedback", Usage: "record that a learning helped, is wrong or is outdated", ArgsUsage: "ID|NAME helped|wrong|outdated",
		Flags: o.flags(&urfave.StringFlag{Name: "reason", Usage: "why it is wrong or outdated: `TEXT`", Destination: &reason}),
		Action: func(ctx *urfave.Context) error {
			if ctx.Args().Len() != 2 {
				return cli.Usagef("name a learning, its id or its name (in quotes), and helped, wrong or outdated")
			}
			verdict, err := store.ParseVerdict(ctx.Args().Get(1))
			if err != nil {
				return cli.Usagef("%v", err)
			}
			svc, err := o.service(env)
			if err != nil {
				return err
			}
			l, err := svc.RecordFeedback(ctx.Context, ctx.Args().First(), verdict, reason)
			if refusal := RefusalText(err); refusal != "" {
				return cli.Usagef("%s", strings.TrimPrefix(refusal, "Entry rejected: "))
			}
			what := "Helped"
			if verdict != store.Helped {
				what = "Retired"
			}
			return o.printChanged(env, what, l, err)
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
			&urfave.StringFlag{Name: "description", Usage: "what was learned: `TEXT`", Destination: &description},
			&urfave.StringFlag{Name: "confidence", Usage: "its `CONFIDENCE`: low, medium or high", Destination: &confidence},
		),
		Action: o.learningAction(env, "the learning to edit", func(ctx context.Context, svc *Service, name string) error {
			if o.name+description+o.reasoning+o.category+confidence == "" && !o.global && !o.personal && len(o.references.Value()) == 0 {
				return cli.Usagef("nothing to change: name a field, as in --description TEXT")
			}
			l, redacted, err := svc.Edit(ctx, name, func(l *learning.Learning) {
				for field, value := range map[*string]string{
					&l.Name: o.name, &l.Description: description, &l.Reasoning: o.reasoning,
					(*string)(&l.Category): o.category, (*string)(&l.Confidence): confidence,
				} {
					if value != "" {
						*field = value
					}
				}
				l.Name = learning.Shorten(l.Name)
				if references := o.references.Value(); len(references) > 0 {
					l.References = references
				}
				if o.global {
					l.Project = ""
				}
				l.Personal = l.Personal || o.personal
			})
			if refusal := RefusalText(err); refusal != "" {
				return cli.Usagef("%s", strings.TrimPrefix(refusal, "Error: "))
			}
			if len(redacted) > 0 {
				o.remark(env, redactedText(redacted))
			}
			return o.printChanged(env, "Changed", l, err)
		}),
	}
}

// printChanged prints what was done to a learning.
func (o *learningOptions) printChanged(env cli.Env, what string, l learning.Learning, err error) error {
	if errors.Is(err, store.ErrTaken) {
		return reportFailure(env, err.Error())
	}
	if err != nil {
		return notFoundError(env, err)
	}
	if o.format == "json" {
		return text.WriteJSONLine(env.Stdout, LearningJSON(l))
	}
	_, err = fmt.Fprintf(env.Stdout, "%s: %s (%s)\n", what, text.Printable(l.Name), l.ID)
	if what == "Forgot" && err == nil {
		_, err = fmt.Fprintln(env.Stdout, printableLines(l.Description))
	}
	return err
}

package remember

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/inert"
	"whence/internal/learning"
	"whence/internal/shell"
	"whence/internal/store"
)

func forgetCommand(env cli.Env, parts Parts) *urfave.Command {
	o := learningOptions{Parts: parts}
	return &urfave.Command{
		Name: "forget", Usage: "delete a learning, and print it", ArgsUsage: "ID|NAME", Flags: o.flags(),
		Action: o.learningAction(env, func(cmd *urfave.Context, svc *Service, name string, more []string) error {
			if len(more) > 0 {
				return unnamedError(cmd)
			}
			l, err := svc.Forget(cmd.Context, name)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(env.Stdout, "Forgot: %s (%s)\n%s\n", inert.Printable(l.Name), l.ID, inert.Shown(env.Stdout, l.Description))
			return err
		}),
	}
}

func editCommand(env cli.Env, parts Parts) *urfave.Command {
	o := rememberOptions{learningOptions: learningOptions{Parts: parts}}
	changed := &o.learning
	return &urfave.Command{
		Name: "edit", Usage: "change a learning", ArgsUsage: "ID|NAME [TEXT | -]",
		Description: "TEXT is its new description; - reads it from standard input.",
		Flags: append(o.flags(),
			&urfave.StringFlag{Name: "confidence", Usage: "its `CONFIDENCE`: low, medium or high", Destination: (*string)(&changed.Confidence)},
		),
		Action: o.learningAction(env, func(cmd *urfave.Context, svc *Service, name string, words []string) (err error) {
			if len(words) > 1 {
				return cli.Usagef("unexpected argument %q: put quotes around the name and around the text", words[1])
			}
			if changed.Description, err = textOf(env, words); err != nil {
				return err
			}
			if err := cli.RefusePlaceholder("", changed.Description, "a text of your own: write that"); err != nil {
				return err
			}
			changed.References = o.references.Value()
			if !o.global && reflect.DeepEqual(*changed, learning.Learning{}) {
				return cli.Usagef("nothing to change: write its new text after the id, in quotes, or name a field, as in \"%s\"", o.typed(env, "memory-remember edit "+shell.Word(name)+" --category patterns"))
			}
			if err := checkUTF8("a flag", append(changed.References, changed.Name, changed.Reasoning)...); err != nil {
				return err
			}
			was := ""
			l, redacted, err := svc.Edit(cmd.Context, name, func(l *learning.Learning) {
				was = l.ID
				o.change(l)
			})
			if refusal := RefusalText(err); refusal != "" {
				return cli.Usagef("%s", strings.TrimPrefix(refusal, "Error: "))
			}
			var taken *store.TakenError
			if errors.As(err, &taken) {
				return reportFailure(env, fmt.Sprintf("%v: to delete that one, type %s", err, o.typed(env, "memory-remember forget "+taken.ID)))
			}
			if err != nil {
				return err
			}
			o.remark(env, redactedNotes(redacted)...)
			if l.ID != was {
				o.remark(env, fmt.Sprintf("an id follows from the text: %s is now %s", was, l.ID))
			}
			_, err = fmt.Fprintf(env.Stdout, "Changed: %s (%s)\n", inert.Printable(l.Name), l.ID)
			return err
		}),
	}
}

// change sets those fields of a learning that flags or the text name.
func (o *rememberOptions) change(l *learning.Learning) {
	to := o.learning
	inferred := l.Name == learning.InferName(l.Description)
	l.Description = cmp.Or(to.Description, l.Description)
	if inferred { // the old name may no longer be true
		l.Name = learning.InferName(l.Description)
	}
	l.Name = learning.Shorten(cmp.Or(to.Name, l.Name))
	l.Reasoning = cmp.Or(to.Reasoning, l.Reasoning)
	l.Category = cmp.Or(to.Category, l.Category)
	l.Confidence = cmp.Or(to.Confidence, l.Confidence)
	if len(to.References) > 0 {
		l.References = to.References
	}
	if o.global {
		l.Project = ""
	}
}

// Get returns one learning of this repository, or a global one, by id or name.
func (svc *Service) Get(ctx context.Context, name string) (l learning.Learning, err error) {
	err = svc.Read(ctx, func(s *store.Store) error {
		l, err = s.Get(ctx, svc.scope(), name)
		return err
	})
	return l, err
}

// Forget deletes a learning, by id or name as for Get, and returns it as it was.
func (svc *Service) Forget(ctx context.Context, name string) (l learning.Learning, err error) {
	err = svc.change(ctx, func(s *store.Store) error {
		l, err = s.Forget(ctx, svc.scope(), name)
		return err
	})
	if err == nil {
		svc.stored()
	}
	return l, err
}

// Edit changes a learning, by id or name as for Get. It returns the learning as it is now, and the kinds
// of secrets that it removed from the new text.
func (svc *Service) Edit(ctx context.Context, name string, edit func(*learning.Learning)) (l learning.Learning, redacted []string, err error) {
	err = svc.change(ctx, func(s *store.Store) error {
		l, err = s.Edit(ctx, svc.scope(), name, svc.Now(), func(l *learning.Learning) error {
			edit(l)
			redacted, err = prepare(l, false)
			return err
		})
		return err
	})
	if err == nil {
		svc.stored()
	}
	return l, redacted, err
}

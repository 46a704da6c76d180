package remember

import (
	"context"
	"fmt"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/inert"
	"whence/internal/learning"
	"whence/internal/store"
)

func listCommand(env cli.Env, parts Parts) *urfave.Command {
	o := learningOptions{Parts: parts}
	var f store.Query
	limit, brief := 0, false
	return &urfave.Command{
		Name: "list", Usage: "print learnings, newest first",
		Flags: o.flags(
			o.formatFlag(),
			&urfave.IntFlag{Name: "limit", Usage: "print at most `N` learnings; 0 prints all", Value: 20, Destination: &limit},
			&urfave.StringFlag{Name: "category", Usage: "only this `CATEGORY`: anti-patterns, heuristics or patterns", Destination: (*string)(&f.Category)},
			&urfave.BoolFlag{Name: "brief", Usage: "print names only", Destination: &brief},
			&urfave.BoolFlag{Name: "everywhere", Usage: "print the learnings of all repositories", Destination: &f.Everywhere},
		),
		Action: o.action(env, func(ctx context.Context, svc *Service) error {
			if limit < 0 {
				return cli.Usagef("--limit %d: use 0 (all) or more", limit)
			}
			if err := checkCategory(f.Category); err != nil {
				return err
			}
			f.Project = svc.Project
			if limit > 0 {
				f.Max = limit + 1 // one more, to detect that there are more
			}
			var found []learning.Learning
			err := exceptNone(svc.Read(ctx, func(s *store.Store) (err error) {
				found, err = s.List(ctx, f)
				return err
			}))
			if err != nil {
				return err
			}
			more := limit > 0 && len(found) > limit
			if more {
				found = found[:limit]
			}
			if o.format == "json" {
				return writeLearnings(env.Stdout, found)
			}
			inert.SayWhose(env.Stdout, inert.FromStore)
			p := o.printer(env, svc.Now())
			for i, l := range found {
				if i > 0 && !brief {
					p.line("")
				}
				p.learning(l, brief)
			}
			if err := p.flush(); err != nil {
				return err
			}
			if more {
				o.remark(env, fmt.Sprintf("there are more than %d: see --limit", limit))
			}
			if len(found) == 0 && f.Category != "" {
				o.remark(env, fmt.Sprintf("no learning of the category %s: to see those of all categories, leave out --category", f.Category))
			} else if len(found) == 0 {
				o.remark(env, noLearnings)
			}
			return nil
		}),
	}
}

const noLearnings = "no learnings yet: to store one, type memory-remember and what was learned, in quotes"

func showCommand(env cli.Env, parts Parts) *urfave.Command {
	o := learningOptions{Parts: parts}
	return &urfave.Command{
		Name: "show", Usage: "print everything about one learning", ArgsUsage: "ID|NAME", Flags: o.flags(o.formatFlag()),
		Action: o.learningAction(env, func(cmd *urfave.Context, svc *Service, name string, more []string) error {
			if len(more) > 0 {
				return unnamedError(cmd)
			}
			d, err := svc.Get(cmd.Context, name)
			if err != nil {
				return err
			}
			if o.format == "json" {
				return inert.WriteJSONLine(env.Stdout, d)
			}
			inert.SayWhose(env.Stdout, inert.FromStore)
			p := o.printer(env, svc.Now())
			p.show(d)
			return p.flush()
		}),
	}
}

func (p *printer) show(d learning.Learning) {
	p.heading(d)
	p.text(d.Description)
	p.line("")
	p.fact("why", d.Reasoning)
	p.fact("about", strings.Join(d.References, "\n"))
	p.fact("keywords", strings.Join(d.Keywords, ", "))
	where := "all repositories"
	if d.Project != "" {
		where = d.Project
	}
	p.fact("where", where)
	if d.Source != learning.SessionCapture { // which says little: it is the source of what is typed, too
		p.fact("source", string(d.Source))
	}
	p.fact("learned", times(d.Observations)+", last "+ago(d.Updated, p.now))
	shown := times(d.Recalls)
	if d.Recalls > 0 {
		shown += ", last " + ago(d.LastRecalled, p.now)
	}
	p.fact("shown", shown)
	if !d.LastUsed.IsZero() {
		p.fact("found", "last "+ago(d.LastUsed, p.now))
	}
	p.fact("id", d.ID)
}

// times returns a number of times in words.
func times(n int) string {
	if n == 0 {
		return "never"
	}
	return cli.Count(n, "time", "times")
}

package remember

import (
	"bufio"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/learning"
	"whence/internal/store"
	"whence/internal/text"
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
				return cli.Usagef("--limit %d: name 0 (all) or more", limit)
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
			text.SayWhose(env.Stdout, text.FromStore)
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
			if len(found) == 0 {
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
				return text.WriteJSONLine(env.Stdout, d)
			}
			text.SayWhose(env.Stdout, text.FromStore)
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
	p.fact("source", string(d.Source))
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

// maxColumns bounds a line, unless a word is longer.
const maxColumns = 80

// indent is the width of the short id before a name.
const indent = "          "

// printer writes learnings for people.
type printer struct {
	out   *bufio.Writer
	color bool
	now   time.Time
	typed text.Typed
}

func (o *learningOptions) printer(env cli.Env, now time.Time) *printer {
	return &printer{bufio.NewWriter(env.Stdout), cli.Color(env, env.Stdout), now, cli.Typed(env, o.dir)}
}

func (p *printer) flush() error { return p.out.Flush() }

func (p *printer) line(text string) { p.out.WriteString(text + "\n") }

// Styles of a terminal.
const (
	bold  = "\x1b[1m"
	faint = "\x1b[2m"
	plain = "\x1b[0m"
)

func (p *printer) styled(style, text string) string {
	if !p.color || style == "" || text == "" {
		return text
	}
	return style + text + plain
}

// maxListedChars bounds the text of a learning in a list.
const maxListedChars = 400

// learning prints a learning of a list; brief prints only its name.
func (p *printer) learning(l learning.Learning, brief bool) {
	if brief {
		p.title(l)
		return
	}
	p.heading(l)
	all := []rune(l.Description)
	if len(all) > maxListedChars {
		p.text(string(all[:maxListedChars]) + "…")
		p.line(indent + p.styled(faint, fmt.Sprintf("(\"%s\" prints all of it)", text.Printable(p.typed.Command("memory-remember show "+shortID(l))))))
		return
	}
	p.text(l.Description)
}

// shortID returns the beginning of an id, which suffices to name a learning.
func shortID(l learning.Learning) string { return l.ID[:min(8, len(l.ID))] }

func (p *printer) title(l learning.Learning) {
	p.line(p.styled(faint, shortID(l)) + "  " + p.styled(bold, text.Printable(l.Name)))
}

func (p *printer) heading(l learning.Learning) {
	p.title(l)
	p.detail(p.summary(l))
}

func (p *printer) summary(l learning.Learning) string {
	parts := []string{string(l.Category), string(learning.Decay(l, p.now)) + " confidence"}
	if l.Observations > 1 {
		parts = append(parts, "learned "+times(l.Observations))
	}
	return strings.Join(append(parts, ago(l.Created, p.now)), ", ")
}

// ago returns how long ago a time was.
func ago(t, now time.Time) string {
	if t.IsZero() {
		return "never"
	}
	if now.Sub(t).Abs() < time.Minute {
		return "just now"
	}
	return humanize.RelTime(t, now, "ago", "from now")
}

// fact prints a labelled text, unless it is empty.
func (p *printer) fact(name, text string) {
	label := name + indent[min(len(name), len(indent)):]
	for i, line := range folded(text) {
		if i > 0 {
			p.line(indent + line)
			continue
		}
		p.line(p.styled(faint, label) + line)
	}
}

func (p *printer) detail(text string) { p.indented(faint, text) }

// text prints a text of a learning.
func (p *printer) text(text string) { p.indented("", text) }

func (p *printer) indented(style, text string) {
	for _, line := range folded(text) {
		p.line(strings.TrimRight(indent+p.styled(style, line), " "))
	}
}

// folded splits a text into lines that fit beside the indent. Lines with leading spaces are code, and stay
// as they are.
func folded(prose string) (lines []string) {
	for line := range strings.Lines(prose) {
		line = text.Printable(strings.ReplaceAll(strings.TrimRight(line, "\r\n\t "), "\t", "    "))
		if strings.HasPrefix(line, " ") {
			lines = append(lines, line)
		} else {
			lines = append(lines, text.Wrap(line, maxColumns-len(indent))...)
		}
	}
	return lines
}

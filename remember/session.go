package remember

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/agent"
	"whence/internal/capture"
	"whence/internal/cli"
	"whence/internal/inert"
	"whence/internal/shell"
	"whence/internal/store"
)

// sessionCommand prints what was said in a session. Agents may run it without asking, so it takes no
// flags, reads only, and only what belongs to the repository in which it runs.
func sessionCommand(env cli.Env, parts Parts) *urfave.Command {
	o := learningOptions{Parts: parts}
	return &urfave.Command{
		Name: "session", Usage: "print what was said in a session", ArgsUsage: "ID",
		Description: "A line of a hook or of search has the ID, whose beginning is enough; the number of a turn may follow it, as in ID/12.",
		Action: func(cmd *urfave.Context) error {
			id := cmd.Args().First()
			if cmd.Args().Len() != 1 || strings.TrimSpace(id) == "" {
				return cli.Usagef("name one session, by its id: memory-remember session ID (memory-remember search TEXT finds sessions by what was said)")
			}
			svc, err := o.service(env)
			if err != nil {
				return err
			}
			said, later, err := svc.session(cmd.Context, id)
			if err != nil {
				return sessionNotFound(env, err)
			}
			inert.SayWhose(env.Stdout, inert.FromStore)
			p := o.printer(env, svc.Now())
			p.line(said)
			if len(later) > 0 {
				p.line("Later sessions on the same subject, which may have amended this:")
			}
			for _, line := range later {
				p.line(line)
			}
			return p.flush()
		},
	}
}

const (
	maxSessionChars  = 8000
	maxLeftOutChars  = 100 // of the two lines that count what is left out
	maxLaterSessions = 3
	maxSessionQuote  = 160 // characters of what the user asked, in a line
	minLaterP        = 0.5
)

// session returns what the user and the agent said in a session of this repository, in order, and lines of
// later ones on the same subject. The reference is an id or its beginning, and may end with the number of a
// turn, as in 3f2a9c41/12: of a long session, the turns around it are whole, and a failure or fix is printed too. The
// error may be a *sessionError.
func (svc *Service) session(ctx context.Context, reference string) (said string, later []string, err error) {
	id, at := splitReference(reference)
	err = svc.Read(ctx, func(s *store.Store) error {
		id, err := sessionID(ctx, s, store.Scope{Project: svc.Turns}, id)
		if err != nil {
			return err
		}
		turns, err := s.Session(ctx, svc.Turns, id)
		if err != nil {
			return err
		}
		spoken := spokenOf(turns, at)
		if len(spoken) == 0 {
			said = "No prompt or answer of this session was captured."
			return nil
		}
		said = conversation(spoken, at)
		later, err = svc.laterSessions(ctx, s, spoken)
		return err
	})
	if errors.Is(err, store.ErrNone) {
		err = &sessionError{ID: id}
	}
	return said, later, err
}

// spokenOf returns the prompts and answers among the turns of a session, and the one with a number if it is a
// failure, together with its fix, or a fix.
func spokenOf(turns []store.Turn, number int) (spoken []store.Turn) {
	for i, t := range turns {
		isNamed := t.Number == number && (t.Kind == string(capture.Error) || t.Kind == string(capture.Fix))
		if t.Role == capture.Tool && !isNamed {
			continue
		}
		if t.Kind == string(capture.Error) {
			t.Text = strings.TrimSpace(t.Text + "\n" + capture.FixOf(t, turns[i+1:]))
		}
		spoken = append(spoken, t)
	}
	return spoken
}

// sessionError reports that no session has an id, or that several begin with it.
type sessionError struct {
	ID      string
	Several []string
}

func (e *sessionError) Error() string {
	if len(e.Several) == 0 {
		return "no session of this repository has the id " + inert.Quoted(e.ID) + ": memory-remember search, with words that were said, finds it"
	}
	return fmt.Sprintf("the ids of several sessions begin with %s: use one of %s", inert.Quoted(e.ID), strings.Join(e.Several, ", "))
}

// sessionID returns the id of the session in a scope that is named by it, or by its beginning if no other
// begins so. The error may be a *sessionError.
func sessionID(ctx context.Context, s *store.Store, in store.Scope, named string) (string, error) {
	ids, err := s.SessionIDs(ctx, in, named)
	if err != nil {
		return "", err
	}
	if len(ids) != 1 {
		return "", &sessionError{named, ids}
	}
	return ids[0], nil
}

// sessionNotFound prints a *sessionError, for exit status 1. It returns any other error.
func sessionNotFound(env cli.Env, err error) error {
	if unknown := (*sessionError)(nil); errors.As(err, &unknown) {
		return reportFailure(env, unknown.Error())
	}
	return err
}

func splitReference(reference string) (id string, turn int) {
	id, number, cut := strings.Cut(reference, "/")
	if n, err := strconv.Atoi(number); cut && err == nil {
		return id, n
	}
	return reference, 0
}

// conversation returns turns within maxSessionChars: those nearest to turn number at are whole, and what
// is left out is counted.
func conversation(turns []store.Turn, at int) string {
	lines := make([]string, len(turns))
	hit := 0
	for i, t := range turns {
		who := t.Role
		if who == capture.Assistant {
			who = "agent"
		}
		lines[i] = fmt.Sprintf("[%d, %s] %s\n", t.Number, who, inert.Paragraphs(t.Text))
		if t.Number <= at {
			hit = i
		}
	}
	length := func(i int) int { return utf8.RuneCountInString(lines[i]) + 1 } // with the empty line behind it
	first, last, left := hit, hit+1, maxSessionChars-maxLeftOutChars-length(hit)
	for grown := true; grown; {
		grown = false
		if last < len(lines) && length(last) <= left {
			left, last, grown = left-length(last), last+1, true
		}
		if first > 0 && length(first-1) <= left {
			left, first, grown = left-length(first-1), first-1, true
		}
	}
	out := strings.Join(lines[first:last], "\n")
	if first > 0 {
		out = fmt.Sprintf("[%d earlier turns are left out]\n\n", first) + out
	}
	if last < len(lines) {
		out += fmt.Sprintf("\n[%d later turns are left out]\n", len(lines)-last)
	}
	return out
}

// laterSessions returns lines of the sessions after these turns that speak of the same.
func (svc *Service) laterSessions(ctx context.Context, s *store.Store, turns []store.Turn) (lines []string, err error) {
	var said strings.Builder
	for _, t := range turns {
		said.WriteString(t.Text + "\n")
	}
	end := turns[len(turns)-1]
	hits, err := s.SearchSessions(ctx, store.Query{Scope: store.Scope{Project: svc.Turns}, Text: said.String(), Except: end.Session})
	hits = slices.DeleteFunc(hits, func(h store.SessionHit) bool { return h.P < minLaterP || !h.Began.After(end.At) })
	for _, h := range hits[:min(len(hits), maxLaterSessions)] {
		line, fault := sessionLine(ctx, s, h)
		if fault != nil {
			return lines, fault
		}
		lines = append(lines, line)
	}
	return lines, err
}

// sessionLine returns the line that names a session: its date, its length, what the user asked before
// the best hit, and the command that prints it.
func sessionLine(ctx context.Context, s *store.Store, h store.SessionHit) (string, error) {
	hit, err := s.Turn(ctx, h.Best)
	if err != nil || hit.UUID == "" { // it was deleted just now
		return "", err
	}
	asked, err := s.Asked(ctx, hit)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("- %s, %s: %q  %s %s", hit.At.Local().Format(time.DateOnly), cli.Count(hit.Total, "turn", "turns"),
		oneLine(inert.Paragraphs(cmp.Or(asked, hit.Text)), maxSessionQuote),
		cli.Command(cli.OS(), agent.SessionCommand), shell.Word(fmt.Sprintf("%s/%d", h.ID, hit.Number))), nil
}

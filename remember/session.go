package remember

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/agent"
	"whence/internal/capture"
	"whence/internal/cli"
	"whence/internal/inert"
	"whence/internal/lazyregexp"
	"whence/internal/shell"
	"whence/internal/store"
)

// sessionCommand prints what was said in a session, or lists the sessions that mention some words. Agents may run it
// without asking, so it takes no flags, and only reads what belongs to the repository in which it runs.
func sessionCommand(env cli.Env, parts Parts) *urfave.Command {
	o := learningOptions{Parts: parts}
	return &urfave.Command{
		Name: "session", Usage: "print what was said in a session", ArgsUsage: "ID | WORDS...",
		Description: "Hooks and search print the ID, whose beginning is enough; the number of a turn may follow it, as in ID/12. " +
			"Other words list the sessions that mention them, closest first.",
		Action: func(cmd *urfave.Context) error {
			id := strings.TrimSpace(strings.Join(cmd.Args().Slice(), " "))
			if id == "" {
				return cli.Usagef("name a session by its id, or some words that were said: memory-remember session ID")
			}
			svc, err := o.service(env)
			if err != nil {
				return err
			}
			said, err := svc.session(cmd.Context, id)
			if unknown := (*sessionError)(nil); errors.As(err, &unknown) && len(unknown.Several) == 0 {
				lines, aboutErr := svc.sessionsAbout(cmd.Context, id)
				if aboutErr != nil {
					return aboutErr
				}
				if len(lines) > 0 {
					said, err = "Sessions that speak of this, the nearest first; where they differ, the later one counts:\n"+strings.Join(lines, "\n"), nil
				}
			}
			if err != nil {
				return sessionNotFound(env, err)
			}
			inert.SayWhose(env.Stdout, inert.FromStore)
			p := o.printer(env, svc.Now())
			p.line(said)
			return p.flush()
		},
	}
}

// mayBeAmended ends the text of a session: only a reader can judge whether a later session has amended it.
const mayBeAmended = "[A later session may have amended this: `" + agent.SessionCommand + " 'A FEW WORDS OF THE SUBJECT'` lists those that speak of it.]"

const (
	maxSessionChars = 8000
	maxLeftOutChars = 400 // of the lines that say what is left out
	maxSessionQuote = 160 // characters of what the user asked, in a line
)

// session returns what the user and the agent said in a session of this repository, in order. The reference is an id or
// its beginning, and may end with the number of a turn, as in 3f2a9c41/12. That turn is printed whole, even if it is a
// failure or fix, and those around it get room before others. The error may be a *sessionError.
func (svc *Service) session(ctx context.Context, reference string) (said string, err error) {
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
		said = conversation(spoken, id, at) + "\n" + mayBeAmended
		return nil
	})
	if errors.Is(err, store.ErrNone) {
		err = &sessionError{ID: id}
	}
	return said, err
}

// spokenOf returns the prompts and answers among the turns of a session. It includes the turn with this number if
// it is a fix, or a failure, which gets the text of its fix.
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
		return "no session of this repository has the id " + inert.Quoted(e.ID) + ", or speaks of that: name words that were said, in the language in which they were said"
	}
	return fmt.Sprintf("the ids of several sessions begin with %s: use one of %s", inert.Quoted(e.ID), strings.Join(e.Several, ", "))
}

// sessionID returns the id of the session in a scope with this id, or else of the only one whose id begins
// with it. The error may be a *sessionError.
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

// sessionNotFound prints a *sessionError, and returns the error for exit status 1. It returns any other error
// unchanged.
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

// How much of a turn is printed, from the least to the most.
const (
	turnLeftOut = iota
	turnBrief   // its beginning
	turnProse   // without its blocks of code
	turnWhole
	turnForms
)

const (
	maxBriefChars = 240
	maxNear       = 5 // turns that get room before the beginnings of others
)

// conversation returns turns within maxSessionChars. The turn with the number at is whole. Without room for all, it
// leaves out code first, then the prose of turns that are far from that turn, or from the first if at is 0, and from
// the end. id is the session, for the command that prints what is left out.
func conversation(turns []store.Turn, id string, at int) string {
	forms, hit := make([][turnForms]string, len(turns)), 0
	for i, t := range turns {
		who := t.Role
		if who == capture.Assistant {
			who = "agent"
		}
		prose := inert.Paragraphs(codeBlock().ReplaceAllLiteralString(t.Text, "[code]"))
		forms[i] = [turnForms]string{turnBrief: oneLine(prose, maxBriefChars), turnProse: prose, turnWhole: inert.Paragraphs(t.Text)}
		for form := turnBrief; form < turnForms; form++ {
			forms[i][form] = fmt.Sprintf("[%d, %s] %s\n", t.Number, who, forms[i][form])
		}
		if t.Number <= at {
			hit = i
		}
	}
	chosen, left := make([]int, len(turns)), maxSessionChars-maxLeftOutChars
	choose := func(i, form int) {
		more := utf8.RuneCountInString(forms[i][form]) - utf8.RuneCountInString(forms[i][chosen[i]])
		if chosen[i] == turnLeftOut {
			more++ // an empty line
		}
		if form > chosen[i] && more <= left {
			chosen[i], left = form, left-more
		}
	}
	order := byImportance(len(turns), hit)
	if at > 0 {
		choose(hit, turnWhole)
	}
	for _, i := range order[:min(len(order), maxNear)] {
		choose(i, turnProse)
	}
	for form := turnBrief; form <= turnWhole; form++ {
		for _, i := range order {
			choose(i, form)
		}
	}
	return printed(turns, forms, chosen, id)
}

// byImportance returns the indexes of n turns, the most important first: hit, the last one, those next to hit, the last
// but one, and so on.
func byImportance(n, hit int) (order []int) {
	isIn := make([]bool, n)
	for distance := range n {
		for _, i := range []int{hit + distance, n - 1 - distance, hit - distance} {
			if i >= 0 && i < n && !isIn[i] {
				order, isIn[i] = append(order, i), true
			}
		}
	}
	return order
}

// printed joins turns in the forms that were chosen, and says what to type for the rest.
func printed(turns []store.Turn, forms [][turnForms]string, chosen []int, id string) string {
	var parts []string
	isCut := false
	for i := 0; i < len(turns); i++ {
		if chosen[i] != turnLeftOut {
			parts = append(parts, forms[i][chosen[i]])
			isCut = isCut || forms[i][chosen[i]] != forms[i][turnWhole]
			continue
		}
		first := i
		for i+1 < len(turns) && chosen[i+1] == turnLeftOut {
			i++
		}
		parts, isCut = append(parts, fmt.Sprintf("[%s left out]\n", cli.Count(i-first+1, "turn is", "turns are"))), true
	}
	if isCut {
		parts = append(parts, fmt.Sprintf("[turn N and those beside it, whole: %s %s/N]\n", agent.SessionCommand, shell.Word(id)))
	}
	return strings.Join(parts, "\n")
}

// codeBlock matches a fenced block.
var codeBlock = lazyregexp.New("(?ms)^ *(?:```|~~~).*?(?:^ *(?:```|~~~) *$|\\z)")

// maxSessionsAbout is the maximum number of sessions to list for some words.
const maxSessionsAbout = 6

// sessionsAbout returns the lines of the sessions whose turns share words with a text, the nearest first.
func (svc *Service) sessionsAbout(ctx context.Context, text string) (lines []string, err error) {
	err = svc.Read(ctx, func(s *store.Store) error {
		hits, err := s.SearchSessions(ctx, store.Query{Scope: store.Scope{Project: svc.Turns}, Text: text, Max: maxSessionsAbout})
		if err != nil {
			return err
		}
		for _, h := range hits {
			line, err := sessionLine(ctx, s, h)
			if err != nil {
				return err
			}
			if line != "" {
				lines = append(lines, line)
			}
		}
		return nil
	})
	return lines, exceptNone(err)
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

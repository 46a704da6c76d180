package remember

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/finding"
	"whence/internal/knowledge"
	"whence/internal/learning"
	"whence/internal/store"
)

// searchCommand finds learnings, or captured turns.
func searchCommand(env cli.Env) *urfave.Command {
	var o learningOptions
	var category string
	limit := 0
	brief, explain, everywhere, retired, sessions := false, false, false, false, false
	return &urfave.Command{
		Name: "search", Usage: "find learnings by a question, an error message, a command; \"-\" reads it from standard input", ArgsUsage: "TEXT...",
		Flags: o.flags(
			&urfave.IntFlag{Name: "limit", Usage: "`N` answers at most", Value: 5, Destination: &limit},
			&urfave.StringFlag{Name: "category", Usage: "only of `CATEGORY`: anti-patterns, heuristics or patterns", Destination: &category},
			&urfave.BoolFlag{Name: "brief", Usage: "names only", Destination: &brief, DisableDefaultText: true},
			&urfave.BoolFlag{Name: "explain", Usage: "show by which words each was found, and the evidence", Destination: &explain, DisableDefaultText: true},
			&urfave.BoolFlag{Name: "everywhere", Usage: "the learnings of all repositories", Destination: &everywhere, DisableDefaultText: true},
			&urfave.BoolFlag{Name: "retired", Usage: "those that no longer apply, too", Destination: &retired, DisableDefaultText: true},
			&urfave.BoolFlag{Name: "sessions", Usage: "past sessions instead, by what was captured of them", Destination: &sessions, DisableDefaultText: true},
		),
		Action: func(ctx *urfave.Context) error {
			text, err := textOf(env, ctx)
			if err != nil {
				return err
			}
			switch {
			case strings.TrimSpace(text) == "":
				return cli.Usagef("%s", strings.TrimPrefix(learning.EmptyQuery, "Error: "))
			case limit < 1:
				return cli.Usagef("--limit %d: name 1 or more", limit)
			case category != "":
				if _, err := learning.ParseCategory(category); err != nil {
					return cli.Usagef("--category: %v", err)
				}
			}
			b, err := o.base(env)
			if err != nil {
				return err
			}
			if sessions {
				return o.searchSessions(env, ctx, b, text, limit, everywhere)
			}
			hits, warning, err := b.Search(background(ctx), knowledge.Question{
				Text: text, Category: learning.Category(category), Most: limit, Everywhere: everywhere, Retired: retired,
			})
			if err != nil {
				return err
			}
			if warning != nil {
				o.remarks(env, []string{fmt.Sprintf("searched by words alone: %v", warning)})
			}
			if o.format == "json" {
				err = writeHits(env, hits)
			} else {
				err = o.printHits(env, b, hits, brief, explain)
			}
			if err == nil && len(hits) == 0 {
				err = cli.ErrFound
			}
			return err
		},
	}
}

// hitJSON is a hit for machines.
type hitJSON struct {
	knowledge.Record
	Score    float64  `json:"score"`
	Evidence float64  `json:"evidence"`
	Words    []string `json:"words"`
}

func writeHits(env cli.Env, hits []store.Hit) error {
	results := make([]hitJSON, len(hits))
	for i, h := range hits {
		results[i] = hitJSON{knowledge.RecordOf(h.Learning), h.Score, h.Evidence, h.Words}
	}
	return json.NewEncoder(env.Stdout).Encode(map[string]any{"results": results})
}

func (o *learningOptions) printHits(env cli.Env, b *knowledge.Base, hits []store.Hit, brief, explain bool) error {
	p, err := o.printer(env, b.Now())
	if err != nil {
		return err
	}
	if len(hits) == 0 {
		p.line(learning.NoMatch)
	}
	for i, h := range hits {
		if i > 0 && !brief {
			p.line("")
		}
		p.learning(h.Learning, brief)
		if explain {
			p.detail(fmt.Sprintf("evidence %.2f by %s", h.Evidence, strings.Join(h.Words, ", ")))
		}
	}
	return p.flush()
}

// searchSessions finds past sessions by what was captured of them.
func (o *learningOptions) searchSessions(env cli.Env, ctx *urfave.Context, b *knowledge.Base, text string, limit int, everywhere bool) error {
	var found []store.SessionHit
	err := b.Read(background(ctx), func(s *store.Store) (err error) {
		found, err = s.SearchSessions(background(ctx), store.Query{Text: text, Project: b.Project, Everywhere: everywhere, Most: limit, Evidence: store.LeastEvidence})
		return err
	})
	if err != nil && !errors.Is(err, store.ErrNone) {
		return err
	}
	if o.format == "json" {
		err = writeSessions(env, found)
	} else {
		err = o.printSessions(env, b, found)
	}
	if err == nil && len(found) == 0 {
		err = cli.ErrFound
	}
	return err
}

func writeSessions(env cli.Env, found []store.SessionHit) error {
	type turn struct {
		Role string    `json:"role"`
		Text string    `json:"text"`
		At   time.Time `json:"at"`
	}
	type session struct {
		Session string  `json:"session"`
		Score   float64 `json:"score"`
		Turns   []turn  `json:"turns"`
	}
	results := make([]session, len(found))
	for i, h := range found {
		results[i] = session{h.Session, h.Score, nil}
		for _, t := range h.Turns {
			results[i].Turns = append(results[i].Turns, turn{t.Role, t.Text, t.At})
		}
	}
	return json.NewEncoder(env.Stdout).Encode(map[string]any{"results": results})
}

// shownTurn is how many characters of a turn are printed.
const shownTurn = 300

func (o *learningOptions) printSessions(env cli.Env, b *knowledge.Base, found []store.SessionHit) error {
	p, err := o.printer(env, b.Now())
	if err != nil {
		return err
	}
	if len(found) == 0 {
		p.line("No matching sessions found.")
	}
	for i, h := range found {
		if i > 0 {
			p.line("")
		}
		p.line(p.styled(bold, finding.Printable(h.Session)))
		for _, t := range h.Turns {
			p.detail(t.Role + ", " + p.ago(t.At))
			text := []rune(strings.Join(strings.Fields(t.Text), " "))
			if len(text) > shownTurn {
				text = append(text[:shownTurn], '…')
			}
			p.text(string(text))
		}
	}
	return p.flush()
}

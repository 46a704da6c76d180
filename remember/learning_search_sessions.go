package remember

import (
	"context"
	"time"

	"whence/internal/agent/usertext"
	"whence/internal/cli"
	"whence/internal/store"
	"whence/internal/text"
)

func (o *learningOptions) searchSessions(ctx context.Context, env cli.Env, svc *Service, q SearchQuery) error {
	var found []store.SessionHit
	err := exceptNone(svc.read(ctx, func(ctx context.Context, s *store.Store) (err error) {
		found, err = s.SearchSessions(ctx, store.Query{Text: q.Text, Project: svc.Turns, Everywhere: q.Everywhere, Most: q.Max, Evidence: store.MinEvidence})
		return err
	}))
	if err != nil {
		return err
	}
	if o.format == "json" {
		err = writeSessions(env, found)
	} else {
		err = o.printSessions(env, svc, found)
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
	return text.WriteJSONLine(env.Stdout, map[string]any{"results": results})
}

func (o *learningOptions) printSessions(env cli.Env, svc *Service, found []store.SessionHit) error {
	text.SayWhose(env.Stdout, usertext.Stored)
	p := o.printer(env, svc.Now())
	if len(found) == 0 {
		p.line("No matching sessions found.")
	}
	for i, h := range found {
		if i > 0 {
			p.line("")
		}
		p.line(p.styled(bold, text.Printable(h.Session)))
		for _, t := range h.Turns {
			p.detail(t.Role + ", " + p.ago(t.At))
			p.text(oneLine(t.Text, maxTurnLineChars))
		}
	}
	return p.flush()
}

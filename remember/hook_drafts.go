package remember

import (
	"context"

	"whence/internal/agent"
	"whence/internal/agent/usertext"
	"whence/internal/cli"
	"whence/internal/dispatch"
	"whence/internal/store"
	"whence/validate"
)

// draftsKey is the note in the store on how many entries of a repository were drafts when a session
// began last.
func draftsKey(project string) string { return "drafts " + project }

// countDrafts says how many entries are drafts and what words them, when a session begins and there are
// more than before. Without a store nothing is said, since it would be said every time.
func countDrafts(ctx context.Context, r *dispatch.Request) (dispatch.RenderFunc, error) {
	if !r.Begins() || r.Home == "" {
		return nil, nil
	}
	m, err := validate.LoadFor(r)
	if err != nil {
		return nil, nil // the handler of memory-validate reports it
	}
	drafts, before := validate.CountWording(m, r.Config).Drafts, 0
	svc, err := serviceOf(r)
	if err != nil {
		return nil, err
	}
	err = svc.Read(ctx, func(s *store.Store) error {
		_, err := s.Noted(ctx, draftsKey(svc.Project), &before)
		return err
	})
	if err != nil || drafts == before {
		return nil, exceptNone(err)
	}
	return func(s *dispatch.Session) (reply agent.Reply) {
		s.After(func(ctx context.Context) error {
			return svc.change(store.WithMaxWait(ctx, maxCountWait), func(s *store.Store) error { return s.Note(ctx, draftsKey(svc.Project), drafts) })
		})
		if drafts > before {
			reply.Context = usertext.Health + cli.Count(drafts, "entry is a draft", "entries are drafts") + usertext.DraftsEnd + "\n"
		}
		return reply
	}, nil
}

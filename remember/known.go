package remember

import (
	"context"

	"whence/internal/agent"
	"whence/internal/dispatch"
	"whence/internal/store"
)

// Known returns everything in the store that an agent can be shown in this repository: learnings, past sessions and
// commits.
func (svc *Service) Known(ctx context.Context) (all []dispatch.Item, err error) {
	err = svc.Read(ctx, func(s *store.Store) error {
		learnings, err := s.List(ctx, store.Query{Scope: store.Scope{Project: svc.Project}})
		if err != nil {
			return err
		}
		for _, l := range learnings {
			all = append(all, dispatch.Item{Kind: dispatch.Learning, Query: "memory-remember show " + l.ID, Key: learningKey(l.ID), Title: l.Name})
		}
		sessions, err := s.Sessions(ctx, store.Scope{Project: svc.Turns})
		for _, id := range sessions {
			all = append(all, dispatch.Item{Kind: dispatch.PastSession, Query: agent.SessionCommand + " " + id, Key: sessionKey(id)})
		}
		if err != nil {
			return err
		}
		commits, err := s.Commits(ctx, svc.Turns)
		for hash := range commits {
			all = append(all, dispatch.Item{Kind: dispatch.PastCommit, Query: "git show -s " + shortHash(hash), Key: commitKey(hash)})
		}
		return err
	})
	return all, exceptNone(err)
}

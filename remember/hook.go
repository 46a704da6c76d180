package remember

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/dustin/go-humanize"

	"whence/internal/agent"
	"whence/internal/hook"
	"whence/internal/knowledge"
	"whence/internal/learning"
	"whence/internal/store"
)

// Hooks are what memory-remember does at the events of an agent: when a session begins it
// tells what was learned and how to remember more; it puts the learnings before the agent
// that apply to a prompt, to a file that was read, to a command that was run or has failed.
func Hooks() hook.Answers { return hook.Join(Sessions(), hook.Recalls(nil, Find)) }

// Sessions are those that do not depend on what is recalled.
func Sessions() hook.Answers {
	return hook.Answers{agent.SessionStart: {begin}}
}

// baseOf is what the repository of an event may do with learnings.
func baseOf(m *hook.Moment) (*knowledge.Base, error) {
	return knowledge.Of(m.Root, m.Env.Dir, m.Env.Getenv, m.Session, m.Now)
}

// begin tells what was learned, and how to remember more.
func begin(ctx context.Context, m *hook.Moment) (hook.Say, error) {
	b, err := baseOf(m)
	if err != nil {
		return nil, err
	}
	text, shown, err := b.Begin(ctx, m.Config, knowledge.Topic(m.Root, m.Env.Dir, m.Env.Getenv))
	if text == "" {
		return nil, err
	}
	return func(s *hook.State) agent.Reply {
		for _, id := range shown {
			s.Add("", learningKey(id))
		}
		return agent.Reply{Context: text}
	}, err
}

// learningKey is by which a learning is known to have been shown.
func learningKey(id string) string { return "learning " + id }

// Find finds the learnings that apply to a text, by search.
func Find(ctx context.Context, m *hook.Moment, text string, most int) ([]hook.Item, error) {
	b, err := baseOf(m)
	if err != nil {
		return nil, err
	}
	var items []hook.Item
	err = b.Read(ctx, func(s *store.Store) error {
		hits, err := s.Search(ctx, store.Query{Text: text, Project: b.Project, Most: most, Evidence: store.LeastEvidence})
		for _, h := range hits {
			if len(h.Words) < 2 { // one word proves nothing where nobody has asked
				continue
			}
			items = append(items, hook.Item{
				Words: h.Words, Here: h.Project != "",
				Key: learningKey(h.ID), Evidence: h.Evidence * h.Covered / store.LeastUnasked,
				Place: fmt.Sprintf("learned %s, %s confidence, id %s", ago(h.Created, m.Now), learning.Decay(h.Learning, m.Now), h.ID),
				Title: h.Name, Text: h.Description,
			})
		}
		return err
	})
	if errors.Is(err, store.ErrNone) {
		return nil, nil
	}
	return items, err
}

// ago says how long something is past.
func ago(t, now time.Time) string {
	if t.IsZero() {
		return "some time ago"
	}
	return humanize.RelTime(t, now, "ago", "from now")
}

package remember

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"whence/internal/agent"
	"whence/internal/capture"
	"whence/internal/dispatch"
	"whence/internal/inert"
	"whence/internal/learning"
	"whence/internal/store"
)

// Hooks returns the handlers of memory-remember for the events of an agent. When a session begins, they
// inject learnings and how to remember more. At that event and at prompts, they record whether capture is
// on; that event, and the end or compaction of the session and a stop of the agent or a subagent, also
// start a worker. For a prompt, a file that was read, and a command that was run or failed, they inject the
// learnings, past sessions and commits that apply.
func Hooks() dispatch.Handlers {
	return dispatch.Combine(Sessions(), dispatch.RecallHandlers(nil, Find))
}

// Sessions returns the handlers that do not recall.
func Sessions() dispatch.Handlers {
	return dispatch.Handlers{
		agent.SessionStart:     {{Run: begin}, watches(), {After: startWorker}}, // reads what others have left, too
		agent.UserPromptSubmit: {watches()},
		agent.Stop:             {captures()},
		agent.SubagentStop:     {captures()},
		agent.PreCompact:       {captures()},
		agent.SessionEnd:       {captures()},
	}
}

func serviceOf(r *dispatch.Request) (*Service, error) {
	return Open(r.Root, r.Env.Dir, r.Env.Getenv, r.Session, r.Now)
}

// begin injects learnings, and how to remember more. It counts what was shown only if the reply is given.
func begin(ctx context.Context, r *dispatch.Request) (dispatch.RenderFunc, error) {
	svc, err := serviceOf(r)
	if err != nil {
		return nil, err
	}
	ctx = store.ForEvent(ctx)
	var topicErr error
	text, shown, err := svc.SessionStartText(ctx, r.Config, r.Tools(), func() (topic string) {
		topic, topicErr = Topic(ctx, r.Root, r.Env.Dir, r.Env.Getenv)
		return topic
	})
	err = errors.Join(err, topicErr)
	if text == "" {
		return nil, err
	}
	return func(s *dispatch.Session) agent.Reply {
		for _, id := range shown {
			s.MarkShown("", learningKey(id))
			s.Give(dispatch.Item{Kind: dispatch.Learning, Key: learningKey(id)})
		}
		if len(shown) > 0 {
			s.After(func(ctx context.Context) error {
				return svc.change(store.WithMaxWait(ctx, maxCountWait), func(s *store.Store) error { return s.Shown(ctx, svc.scope(), shown, r.Now) })
			})
		}
		return agent.Reply{Context: text}
	}, err
}

func learningKey(id string) string { return "learning " + id }

func commitKey(hash string) string { return "commit " + hash }

func sessionKey(id string) string { return "session " + id }

// Find returns the learnings that apply to a text, and the past sessions that do, or if there are none the commits.
func Find(ctx context.Context, r *dispatch.Request, text string, limits dispatch.Limits) (items []dispatch.Item, err error) {
	svc, err := serviceOf(r)
	if err != nil {
		return nil, err
	}
	ctx = store.ForEvent(ctx)
	err = exceptNone(svc.Read(ctx, func(s *store.Store) error {
		q := store.Query{
			Scope: store.Scope{Project: svc.Project}, Text: text, Max: limits.Items, MinWords: minWords,
			Except: r.Session, Since: r.ReadSession().ForgotAt, // the session knows its own learnings
		}
		learnings, err := findLearnings(ctx, r, s, q)
		items = slices.DeleteFunc(learnings, func(i dispatch.Item) bool { return i.P < limits.Learning })
		if err != nil || limits.Session == 0 {
			return err
		}
		sessions, err := findSessions(ctx, svc, s, q, limits.Session)
		items = append(items, sessions...)
		if err != nil || !r.Config.History || len(sessions) > 0 { // no commit is shown with a session
			return err
		}
		commits, err := findCommits(ctx, svc, s, q, limits.Commit)
		items = append(items, commits...)
		return err
	}))
	return items, err
}

// findCommits returns lines that name commits whose messages bear on a text. It leaves out commits made since the
// session last lost its context.
func findCommits(ctx context.Context, svc *Service, s *store.Store, q store.Query, minP float64) (items []dispatch.Item, err error) {
	q.Project, q.Max = svc.Turns, maxCommitCandidates
	hits, err := s.SearchCommits(ctx, q)
	for _, h := range hits {
		if h.P < minP || !q.Since.IsZero() && h.At.After(q.Since) {
			continue
		}
		items = append(items, dispatch.Item{
			Kind: dispatch.PastCommit, Key: commitKey(h.Hash), Query: "git show -s " + shortHash(h.Hash), P: h.P, Source: "commit " + h.Hash,
			Title: h.Subject, Text: commitLine(h), At: h.At,
		})
	}
	return items, err
}

// maxCommitCandidates is the number of commits to consider for the two that are shown.
const maxCommitCandidates = 5

// commitLine returns the line that names a commit: its date, its subject, and the command that prints its message.
func commitLine(h store.CommitHit) string {
	hash := shortHash(h.Hash)
	return fmt.Sprintf("- commit %s, %s: %q  git show -s %s", hash, h.At.Local().Format(time.DateOnly), oneLine(inert.Paragraphs(h.Subject), maxSubjectChars), hash)
}

const maxSubjectChars = 100

// shortHash returns the beginning of a hash, which is unique in nearly all repositories.
func shortHash(hash string) string { return hash[:min(len(hash), 10)] }

// findSessions returns lines that name past sessions about the subject of a text.
func findSessions(ctx context.Context, svc *Service, s *store.Store, q store.Query, minP float64) (items []dispatch.Item, err error) {
	q.Project, q.Max = svc.Turns, 0
	q.NoKinds = []string{string(capture.Bash)}
	hits, err := s.SearchSessions(ctx, q)
	for _, h := range hits {
		if len(items) == maxSessionCandidates {
			break
		}
		if h.P < minP {
			continue
		}
		line, fault := sessionLine(ctx, s, h)
		if fault != nil {
			return items, fault
		}
		items = append(items, dispatch.Item{
			Kind: dispatch.PastSession, Key: sessionKey(h.ID), P: h.P,
			Source: "session " + h.ID, Text: line, At: h.Began,
		})
	}
	return items, err
}

// maxSessionCandidates is the number of sessions to consider for the two that are shown: some may have
// been shown before.
const maxSessionCandidates = 5

func findLearnings(ctx context.Context, r *dispatch.Request, s *store.Store, q store.Query) (items []dispatch.Item, err error) {
	hits, err := s.Search(ctx, q)
	for _, h := range hits {
		if r.Agent.SessionVariable() == "" && r.Now.Sub(h.Created) < maxOwnAge {
			continue
		}
		items = append(items, dispatch.Item{
			Kind: dispatch.Learning, Here: h.Project != "",
			Key: learningKey(h.ID), P: h.P,
			Source: fmt.Sprintf("learned %s, %s confidence, id %s", ago(h.Created, r.Now), learning.Decay(h.Learning, r.Now), h.ID),
			Title:  h.Name, Text: h.Description,
		})
	}
	return items, err
}

// minWords is the minimum number of words that a learning shares with a text: unless the text is a query, one word
// proves nothing.
const minWords = 2

// maxOwnAge is the age up to which a learning may be one that this session has stored, if the programs
// that its agent runs cannot know the session.
const maxOwnAge = 10 * time.Minute

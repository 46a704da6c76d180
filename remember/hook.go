package remember

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"whence/internal/agent"
	"whence/internal/agent/usertext"
	"whence/internal/dispatch"
	"whence/internal/learning"
	"whence/internal/parallel"
	"whence/internal/store"
	"whence/internal/turns"
)

// Hooks returns the answers of memory-remember to the events of an agent. When a session begins, it
// injects learnings and how to remember more, and has the worker look for turns that other sessions
// of the project lost. When the agent or a subagent stops, or the session ends or is compacted, it
// adds a job to capture the turns. For a prompt, a file that was read, and a command that was run or
// failed, it injects the learnings that apply.
func Hooks() dispatch.Handlers { return dispatch.Join(Sessions(), dispatch.RecallHandlers(nil, Find)) }

// Sessions returns the answers that do not recall.
func Sessions() dispatch.Handlers {
	return dispatch.Handlers{
		agent.SessionStart:     {{Run: begin}, {Run: resume}, {Run: refresh}},
		agent.UserPromptSubmit: {{Wants: hasPrompt, Run: refresh}},
		agent.Stop:             {{Wants: hasTurns, Capture: keep, Run: settle}},
		agent.SubagentStop:     {{Wants: hasTurns, Capture: keep, Run: settle}},
		agent.PreCompact:       {{Wants: hasTurns, Capture: keep, Run: settle}},
		agent.SessionEnd:       {{Wants: hasTurns, Capture: keep, Run: settle}},
	}
}

func serviceOf(r *dispatch.Request) (*Service, error) {
	return OpenWith(r.Config, r.Root, r.Env.Dir, r.Env.Getenv, r.Session, r.Now)
}

// begin injects learnings, and how to remember more.
func begin(ctx context.Context, r *dispatch.Request) (dispatch.RenderFunc, error) {
	svc, err := serviceOf(r)
	if err != nil {
		return nil, err
	}
	var topicErr error
	text, shown, err := svc.SessionStartText(ctx, r.Config, r.Tools(), func() (topic string) {
		topic, topicErr = Topic(ctx, r.Root, r.Env.Dir, r.Env.Getenv)
		return topic
	})
	err = errors.Join(err, topicErr)
	if aside := svc.Replica.SetAsideText(); aside != "" {
		svc.Remark = strings.TrimPrefix(svc.Remark+"; "+aside, "; ")
	}
	if text == "" && svc.Remark == "" {
		return nil, err
	}
	return func(s *dispatch.Session) agent.Reply {
		for _, id := range shown {
			s.MarkShown("", learningKey(id))
		}
		return agent.Reply{Context: text + remarkFor(s, svc)}
	}, err
}

// remarkFor returns the remark on the store, once in a session and again after a compaction; usually
// it is "". The agent gets it for the user, who decides.
func remarkFor(s *dispatch.Session, svc *Service) string {
	key := "store " + svc.Remark
	if svc.Remark == "" || s.WasShown("", key) {
		return ""
	}
	s.MarkShown("", key)
	return "Tell the user, who alone decides it: " + svc.Remark + "\n"
}

func learningKey(id string) string { return "learning " + id }

// Find returns the learnings, and the turns of other sessions, that apply to a text.
func Find(ctx context.Context, r *dispatch.Request, text string, limits dispatch.Limits) ([]dispatch.Item, error) {
	svc, err := serviceOf(r)
	if err != nil {
		return nil, err
	}
	var learnings, turns []dispatch.Item
	err = exceptNone(svc.ReadLocal(ctx, func(ctx context.Context, s *store.Store) error {
		q := store.Query{
			Text: text, Project: svc.Project, Most: limits.Items, Unasked: true, Words: minWords,
			Except: r.Session, Since: r.ReadSession().ForgotAt, // the session knows its own turns and learnings
		}
		var errs [2]error
		parallel.Do(
			func() { learnings, errs[0] = findLearnings(ctx, r, s, q) },
			func() {
				if limits.Turns {
					turns, errs[1] = findTurns(ctx, r, svc, s, q)
				}
			},
		)
		return errors.Join(errs[:]...)
	}))
	items := slices.DeleteFunc(append(learnings, turns...), func(i dispatch.Item) bool { return i.P < limits.Learning })
	return items, err
}

func findLearnings(ctx context.Context, r *dispatch.Request, s *store.Store, q store.Query) (items []dispatch.Item, err error) {
	hits, err := s.Search(ctx, q)
	for _, h := range hits {
		if r.Agent.SessionVariable() == "" && r.Now.Sub(h.Created) < maxOwnAge {
			continue
		}
		items = append(items, dispatch.Item{
			Kind: dispatch.Learning, Words: h.Words, InRepository: h.Project != "",
			Key: learningKey(h.ID), P: h.P,
			Source: fmt.Sprintf("learned %s, %s confidence, id %s", ago(h.Created, r.Now), learning.Decay(h.Learning, r.Now), h.ID),
			Title:  h.Name, Text: h.Description,
		})
	}
	return items, err
}

const (
	minWords         = 2   // in common with the text: without a query, one proves nothing
	maxTurnChars     = 600 // of a turn; search prints the whole conversation
	maxQuestionChars = 160 // of a question beside its answer

	// turnCandidatesPerItem allows for questions without an answer, and for equal answers.
	turnCandidatesPerItem = 3
)

// maxOwnAge is the age up to which a learning may be what this session has just stored, if programs
// that its agent runs cannot know the session.
const maxOwnAge = 10 * time.Minute

// findTurns returns turns of other sessions. A question of the user is replaced by its answer, and
// skipped without one; a text that also asks something is followed by the answer. What only asks the
// user is skipped.
func findTurns(ctx context.Context, r *dispatch.Request, svc *Service, s *store.Store, q store.Query) (items []dispatch.Item, err error) {
	maxTurns := q.Most
	q.Project, q.NoKinds, q.Most = svc.Turns, []string{string(turns.Bash)}, turnCandidatesPerItem*maxTurns
	hits, err := s.SearchTurns(ctx, q)
	var shown []string // UUIDs of the turns that are in an item
	for _, h := range hits {
		if len(items) == maxTurns {
			break
		}
		if _, failure, _ := strings.Cut(h.Text, "\n"); h.Kind == string(turns.Error) && usertext.IsMisuse(failure) {
			continue // an error of the agent's
		}
		if h.Kind == string(turns.Answer) && (h.Rank < turns.MinAnswerRank || turns.IsQuestion(h.Text)) {
			continue // it only announces the next step, or asks the user
		}
		text, from, fault := withAnswer(ctx, s, h)
		err = errors.Join(err, fault)
		if len(from) == 0 || slices.ContainsFunc(from, func(t store.TurnHit) bool { return slices.Contains(shown, t.UUID) }) {
			continue
		}
		for _, t := range from {
			shown = append(shown, t.UUID)
		}
		items = append(items, dispatch.Item{
			Kind: dispatch.Turn, Words: h.Words, InRepository: h.Project != "",
			Key: "turn " + from[0].UUID, P: h.P,
			Source: fmt.Sprintf("said by %s %s, %s", speaker(from[0].Role), ago(from[0].At, r.Now), strings.Trim(from[0].Prefix(), "[]")),
			Text:   text,
		})
	}
	return items, err
}

// withAnswer returns the text that is shown for a turn, and the turns that are in it, first the one it
// is from. There are none if the turn only asks and has no answer.
func withAnswer(ctx context.Context, s *store.Store, h store.TurnHit) (text string, from []store.TurnHit, err error) {
	asked := dispatch.Clip(h.Text, maxTurnChars)
	if h.Role != turns.User || !turns.Asks(h.Text) {
		return asked, []store.TurnHit{h}, nil
	}
	onlyAsks := turns.IsQuestion(h.Text)
	answer, known, err := s.Answer(ctx, h, string(turns.Answer), turns.MinAnswerRank, []string{string(turns.Prompt), string(turns.Command)})
	switch known = known && !turns.IsQuestion(answer.Text); {
	case known && onlyAsks:
		return dispatch.Clip(answer.Text, maxTurnChars-maxQuestionChars) + "\n(asked: " + dispatch.Clip(dispatch.OneLine(h.Text), maxQuestionChars) + ")", []store.TurnHit{answer}, err
	case known:
		return dispatch.Clip(h.Text, maxTurnChars/2) + "\n(answered: " + dispatch.Clip(dispatch.OneLine(answer.Text), maxTurnChars/2) + ")", []store.TurnHit{h, answer}, err
	case onlyAsks:
		return "", nil, err
	}
	return asked, []store.TurnHit{h}, err
}

func speaker(role string) string {
	switch role {
	case turns.User:
		return "the user"
	case turns.Tool:
		return "a tool"
	}
	return "the agent"
}

// ago returns how long ago a time was.
func ago(t, now time.Time) string {
	if t.IsZero() {
		return "some time ago"
	}
	return humanize.RelTime(t, now, "ago", "from now")
}

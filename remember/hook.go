package remember

import (
	"context"
	"errors"
	"fmt"
	"math"
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

// Hooks are what memory-remember does at the events of an agent. When a session begins, it shows
// what was learned and how to remember more, and has the worker find what other sessions of the
// project lost. When the agent or a subagent stops, or the session ends or is compacted, what was
// said is kept for later. For a prompt, a file that was read, and a command that was run or failed,
// it shows the learnings that apply.
func Hooks() dispatch.Handlers { return dispatch.Join(Sessions(), dispatch.RecallHandlers(nil, Find)) }

// Sessions are those that do not depend on what is recalled.
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

// serviceOf is what the repository of an event may do with learnings.
func serviceOf(r *dispatch.Request) (*Service, error) {
	svc, err := OpenWith(r.Config, r.Root, r.Env.Dir, r.Env.Getenv, r.Session, r.Now)
	if err == nil {
		svc.Trial = r.Trial
	}
	return svc, err
}

// begin tells what was learned, and how to remember more.
func begin(ctx context.Context, r *dispatch.Request) (dispatch.RenderFunc, error) {
	svc, err := serviceOf(r)
	if err != nil {
		return nil, err
	}
	var unknown error // why git was not asked
	text, shown, err := svc.SessionStartText(ctx, r.Config, toolsOf(r), func() (topic string) {
		topic, unknown = Topic(ctx, r.Root, r.Env.Dir, r.Env.Getenv)
		return topic
	})
	err = errors.Join(err, unknown)
<<<<<<< HEAD
	if aside := b.Replica.SetAsideText(); aside != "" {
		b.Remark = strings.TrimPrefix(b.Remark+"; "+aside, "; ")
=======
	if svc.Replica != nil {
		if aside := team.AsideText(svc.Replica); aside != "" {
			svc.Remark = strings.TrimPrefix(svc.Remark+"; "+aside, "; ")
		}
>>>>>>> 62fec1e (remember: join service and commands, and name their types)
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

// remarkFor returns what the user has to know of the store, once in a session and again after a
// compaction; "" mostly. It is shown to the agent, which must not decide it.
func remarkFor(s *dispatch.Session, svc *Service) string {
	key := "store " + svc.Remark
	if svc.Remark == "" || s.WasShown("", key) {
		return ""
	}
	s.MarkShown("", key)
	return "Tell the user, who alone decides it: " + svc.Remark + "\n"
}

// learningKey is by which a learning is known to have been shown.
func learningKey(id string) string { return "learning " + id }

// Find finds the learnings that apply to a text, and turns of other sessions, by search.
func Find(ctx context.Context, r *dispatch.Request, text string, limits dispatch.Limits) ([]dispatch.Item, error) {
	svc, err := serviceOf(r)
	if err != nil {
		return nil, err
	}
	var learnings, turns []dispatch.Item
	err = exceptNone(svc.ReadLocal(ctx, func(ctx context.Context, s *store.Store) error {
		q := store.Query{
			Text: text, Project: svc.Project, Most: limits.Items, Evidence: store.LeastEvidence, Unasked: true, Words: minWords,
			Except: r.Session, Since: r.ReadSession().ForgotAt, // what the session itself has said or stored, it knows
		}
		var errs [2]error
		parallel.Do(
			func() { learnings, errs[0] = findLearnings(ctx, r, s, q) },
			func() {
				if limits.Learning <= maxTurnEvidence {
					turns, errs[1] = findTurns(ctx, r, svc, s, q)
				}
			},
		)
		return errors.Join(errs[:]...)
	}))
	items := slices.DeleteFunc(append(learnings, turns...), func(i dispatch.Item) bool { return i.Evidence < limits.Learning })
	return items, err
}

func findLearnings(ctx context.Context, r *dispatch.Request, s *store.Store, q store.Query) (items []dispatch.Item, err error) {
	hits, err := s.Search(ctx, q)
	for _, h := range hits {
		items = append(items, dispatch.Item{
			Words: h.Words, InRepository: h.Project != "",
			Key: learningKey(h.ID), Evidence: h.Evidence * h.Covered / store.LeastUnasked,
			Source: fmt.Sprintf("learned %s, %s confidence, id %s", ago(h.Created, r.Now), learning.Decay(h.Learning, r.Now), h.ID),
			Title:  h.Name, Text: h.Description,
		})
	}
	return items, err
}

// minWords is how many words a learning or turn must have of a text: one proves nothing
// where nobody has asked.
const minWords = 2

// maxTurnChars is how many characters of a turn are shown: it stands for a conversation that
// search shows whole.
const maxTurnChars = 600

// maxQuestionChars is how many characters are shown of a question beside its answer.
const maxQuestionChars = 160

// maxTurnEvidence is the most evidence that a turn has: however well it fits, it stands behind
// what was decided and learned.
const maxTurnEvidence = 1

// turnCandidatesPerItem is how many turns are looked at for each that may be shown: questions that were
// not answered, and others with the same answer, are left out.
const turnCandidatesPerItem = 3

// findTurns finds what was said in other sessions. A question of the user's says nothing
// itself: what was answered is shown instead, and nothing if that is not known.
func findTurns(ctx context.Context, r *dispatch.Request, svc *Service, s *store.Store, q store.Query) (items []dispatch.Item, err error) {
	most := q.Most
	q.Project, q.NoKinds, q.Most = svc.Turns, []string{string(turns.Bash)}, turnCandidatesPerItem*most
	hits, err := s.SearchTurns(ctx, q)
	for _, h := range hits {
		if len(items) == most {
			break
		}
		if _, failure, _ := strings.Cut(h.Text, "\n"); h.Kind == string(turns.Error) && usertext.IsMisuse(failure) {
			continue // of the agent's own making
		}
		if h.Kind == string(turns.Answer) && h.Rank < turns.MinAnswerRank {
			continue // it only says what the agent does next
		}
		said, text := h, dispatch.Clip(h.Text, maxTurnChars)
		if h.Role == turns.User && turns.IsQuestion(h.Text) {
			answer, known, fault := s.Answer(ctx, h, string(turns.Answer), turns.MinAnswerRank, []string{string(turns.Prompt), string(turns.Command)})
			if err = errors.Join(err, fault); !known {
				continue
			}
			said, text = answer, dispatch.Clip(answer.Text, maxTurnChars-maxQuestionChars)+"\n(asked: "+dispatch.Clip(dispatch.OneLine(h.Text), maxQuestionChars)+")"
		}
		key := "turn " + said.UUID
		if slices.ContainsFunc(items, func(i dispatch.Item) bool { return i.Key == key }) {
			continue
		}
		items = append(items, dispatch.Item{
			Words: h.Words, InRepository: h.Project != "",
			Key: key, Evidence: min(maxTurnEvidence, h.Evidence*math.Sqrt(h.Covered)/store.LeastUnaskedTurn),
			Source: fmt.Sprintf("said by %s %s, %s", speaker(said.Role), ago(said.At, r.Now), strings.Trim(said.Prefix(), "[]")),
			Text:   text,
		})
	}
	return items, err
}

// speaker names who speaks in a turn.
func speaker(role string) string {
	switch role {
	case turns.User:
		return "the user"
	case turns.Tool:
		return "a tool"
	}
	return "the agent"
}

// ago says how long something is past.
func ago(t, now time.Time) string {
	if t.IsZero() {
		return "some time ago"
	}
	return humanize.RelTime(t, now, "ago", "from now")
}

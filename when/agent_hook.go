package when

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode/utf8"

	"whence/internal/agent"
	"whence/internal/dispatch"
	"whence/internal/inert"
	"whence/internal/memory"
	"whence/internal/merge"
	"whence/internal/words"
)

// Hooks returns the handlers of memory-when. They name the decisions that apply to a prompt, to a file that was read,
// or to a command that was run or failed, and answer in full the lines of a prompt that begin with /when or /how. When
// a session begins, they list a young memory.
func Hooks() dispatch.Handlers {
	return dispatch.Combine(Sessions(), dispatch.RecallHandlers(AnswerQueries, Find))
}

// Sessions returns the handlers that do not recall.
func Sessions() dispatch.Handlers {
	return dispatch.Handlers{
		agent.SessionStart: {{Run: listYoung}},
		agent.PostToolUse:  {{Wants: looksUp, Run: noteLookUps}},
	}
}

// Find returns the decisions that apply to a text.
func Find(ctx context.Context, r *dispatch.Request, text string, limits dispatch.Limits) (found []dispatch.Item, err error) {
	l, err := openIfAny(r)
	if l == nil {
		return nil, err
	}
	recalled := l.Recall(withResult(r, text), limits.Items)
	if r.Tool == "Read" { // the agent has just read the decisions in the file
		recalled = slices.DeleteFunc(recalled, func(d Recalled) bool { return d.File == text })
	}
	return items(recalled, limits), nil
}

// open is Open for the memory of an event.
func open(r *dispatch.Request) (*Lookup, error) {
	m, err := r.Decisions()
	return openRead(m, err, r.Config)
}

// openIfAny opens the memory of an event. It returns nil if there is no index.
func openIfAny(r *dispatch.Request) (*Lookup, error) {
	if _, err := fs.Stat(r.Memory(), r.Config.Index); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return open(r)
}

// withResult adds to the text what the tool has printed or read, unless that comes from the memory itself.
func withResult(r *dispatch.Request, text string) string {
	whole := r.WithResult(text)
	if whole == text {
		return text
	}
	paths, err := memory.Paths(r.Memory(), r.Config.Layout())
	if err != nil || slices.ContainsFunc(slices.Concat([]string{r.Config.Index}, r.Config.Decisions, paths), func(name string) bool {
		return name == text || r.Tool == "Bash" && (strings.Contains(text, name) || strings.Contains(whole, name+":")) // as grep prints it
	}) {
		return text
	}
	return whole
}

// items returns the decisions that are probable enough as items of a reply.
func items(found []Recalled, limits dispatch.Limits) (items []dispatch.Item) {
	for _, r := range found {
		if r.P >= limits.Decision {
			i := r.item(r.shownTitle())
			i.P = r.P
			items = append(items, i)
		}
	}
	return items
}

// item returns a decision as an item of a reply, with its title as pointers show it.
func (e Lead) item(title string) dispatch.Item {
	return dispatch.Item{Kind: dispatch.Decision, Query: e.Command(), Key: decisionKey(e.File, e.Title), Title: title}
}

// AnswerQueries answers the queries in a prompt as memory-when does, as far as there is room. It returns nil if there
// is nothing to say.
func AnswerQueries(r *dispatch.Request) dispatch.RenderFunc {
	var queries []Query
	for _, line := range Queries(r.Prompt) {
		if operator, _ := cutOperator(line); operator == "" {
			continue
		}
		if q, err := ParseQuery(line); err == nil {
			queries = append(queries, q)
		}
	}
	if len(queries) == 0 {
		return nil
	}
	l, err := open(r)
	if err != nil {
		return nil
	}
	var answers []Answer
	var conflicts strings.Builder // that prevent an answer
	for _, q := range queries {
		a, err := l.Resolve(q)
		if err == nil {
			answers = append(answers, a)
		} else if errors.As(err, new(*merge.ConflictError)) {
			fmt.Fprintf(&conflicts, "memory-when: %v\n", err)
		}
	}
	if len(answers) == 0 && conflicts.Len() == 0 {
		return nil
	}
	text, sent := fitting(answers, maxAnswersChars-utf8.RuneCountInString(conflicts.String()))
	said := inert.Text(text + conflicts.String())
	if said != "" { // it is "" for null
		said = inert.FromDecisions + said
	}
	return func(s *dispatch.Session) agent.Reply {
		for _, a := range sent {
			s.MarkShown(r.Subagent, decisionKey(a.File, a.Title))
			s.Give(dispatch.Item{Kind: dispatch.Decision, Key: decisionKey(a.File, a.Title)})
		}
		return agent.Reply{Context: said}
	}
}

// maxAnswersChars bounds the answers to a prompt in inert form. A reply of 10,000 characters then also has room for the
// lines that name the other answers.
const maxAnswersChars = 8500

// fitting returns the text of those answers that fit, whole and in order, and these answers. Below them, the text names
// the others and says how to print them.
func fitting(answers []Answer, maxChars int) (text string, sent []Answer) {
	var left []string
	for _, a := range answers {
		var with strings.Builder
		err := writeText(&with, append(slices.Clone(sent), a))
		if err == nil && utf8.RuneCountInString(inert.Text(with.String())) <= maxChars {
			text, sent = with.String(), append(sent, a)
		} else {
			left = append(left, "- "+words.Shorten(a.Query, maxListedBytes))
		}
	}
	if left != nil {
		listed := min(len(left), maxListed)
		text += "\nThere is no room for these; pass each to memory-when:\n" + strings.Join(left[:listed], "\n") + "\n"
		if more := len(left) - listed; more > 0 {
			text += fmt.Sprintf("… and %d more\n", more)
		}
	}
	return text, sent
}

// Bounds of the list of answers that do not fit.
const (
	maxListed      = 10
	maxListedBytes = 90
)

// decisionKey returns the key under which a decision is recorded as shown.
func decisionKey(file, title string) string { return "decision " + file + " " + title }

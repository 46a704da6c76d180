package when

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"whence/internal/agent"
	"whence/internal/corpus"
	"whence/internal/dispatch"
	"whence/internal/merge"
	"whence/internal/text"
)

// Hooks returns the answers of memory-when to the events of an agent: the decisions that apply
// to a prompt, to a file that was read, or to a command that was run or failed. A line of a
// prompt that begins with /when or /how is a query, and answered in full.
func Hooks() dispatch.Handlers { return dispatch.RecallHandlers(AnswerQueries, Find) }

// Find returns the decisions that apply to a text.
func Find(ctx context.Context, r *dispatch.Request, text string, limits dispatch.Limits) (found []dispatch.Item, err error) {
	if _, err := fs.Stat(r.Memory(), r.Config.Index); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	l, err := Open(r.Memory(), r.Config)
	if err != nil {
		return nil, err
	}
	text = withResult(r, text)
	return items(l.Recall(text, limits.Items), limits), nil
}

// withResult adds what the tool has printed or read to the text, unless that is from the memory itself.
func withResult(r *dispatch.Request, text string) string {
	whole := r.WithResult(text)
	if whole == text {
		return text
	}
	paths, err := corpus.Paths(r.Memory(), r.Config.Layout())
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
			items = append(items, dispatch.Item{Kind: dispatch.Decision, Query: r.Command(), P: r.P, Key: decisionKey(r.File, r.Title), Title: r.Title})
		}
	}
	return items
}

// AnswerQueries answers the queries in a prompt. It returns nil if none has an answer.
func AnswerQueries(r *dispatch.Request) dispatch.RenderFunc {
	var l *Library
	var answers []Answer
	var conflicts []string // that prevent an answer
	for line := range strings.Lines(r.Prompt) {
		line = strings.TrimSpace(line)
		if operator, _ := cutOperator(line); operator == "" {
			continue
		}
		if l == nil {
			var err error
			if l, err = Open(r.Memory(), r.Config); err != nil {
				return nil
			}
		}
		q, err := ParseQuery(line)
		if err != nil {
			continue
		}
		a, err := l.Resolve(q)
		if unsettled := (*merge.ConflictError)(nil); errors.As(err, &unsettled) {
			conflicts = append(conflicts, "memory-when: "+dispatch.OneLine(err.Error())+"\n")
		} else if err == nil {
			answers = append(answers, a)
		}
	}
	if len(answers)+len(conflicts) == 0 {
		return nil
	}
	text := answered(answers) + strings.Join(conflicts, "")
	return func(s *dispatch.Session) agent.Reply {
		for _, a := range answers {
			s.MarkShown(r.Subagent, decisionKey(a.File, a.Title))
		}
		return agent.Reply{Context: text}
	}
}

// answered formats answers for an agent: in full, quoted as recalled items are.
func answered(answers []Answer) string {
	var out strings.Builder
	seen := map[string]bool{}
	for _, a := range answers {
		seen[a.Command] = true
	}
	for _, a := range distinct(answers) {
		item := dispatch.Item{Source: fmt.Sprintf("%s:%d", a.File, a.Line), Title: a.Title, Text: a.Text}
		if a.Command != "" {
			item.Source += ", " + a.Command
		}
		head, body := dispatch.Quote(item)
		out.WriteString(head + body + "\n")
		if lines := relatedLines(a.Related, seen); lines != "" {
			out.WriteString("\nRelated:\n")
			for line := range strings.Lines(lines) {
				out.WriteString("- " + dispatch.OneLine(strings.TrimPrefix(line, "- ")) + "\n")
			}
		}
	}
	if out.Len() == 0 {
		return ""
	}
	return text.FromDecisions + out.String()
}

// decisionKey returns the key under which a decision is recorded as shown.
func decisionKey(file, title string) string { return "decision " + file + " " + title }

package when

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"whence/internal/agent"
	"whence/internal/corpus"
	"whence/internal/dispatch"
	"whence/internal/merge"
	"whence/internal/rank"
	"whence/internal/text"
)

// Hooks returns the answers of memory-when to the events of an agent: the decisions that apply
// to a prompt, to a file that was read, or to a command that was run or failed. A line of a
// prompt that begins with /when or /how is a query, and answered in full.
func Hooks() dispatch.Answers { return dispatch.Recalls(Asked, Find) }

// Find returns the decisions that apply to a text.
func Find(_ context.Context, m *dispatch.Moment, text string, limits dispatch.Limits) ([]dispatch.Item, error) {
	if _, err := fs.Stat(m.Tree.FS(), m.Config.Index); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	text = withContent(m, text)
	c, noCache := cacheOf(m)
	if noCache == nil {
		if found, err := c.recall(m.Tree.FS(), text, limits); err == nil {
			return items(found, text, limits), nil
		}
	}
	start := time.Now()
	l, err := Open(m.Tree.FS(), m.Config)
	if err != nil {
		return nil, err
	}
	documents, places, err := l.documents()
	if err != nil {
		return nil, err
	}
	x := rank.NewIndex(documents)
	recalled, err := recall(text, x, places, limits.Items)
	if err != nil {
		return nil, err
	}
	found := items(recalled, text, limits)
	if took := time.Since(start); noCache == nil {
		m.Later(func(ctx context.Context) {
			_ = c.write(ctx, x, took) // without it the next event only takes longer
		})
	}
	return found, nil
}

// maxReadBytes is how much of a file that was read, with its path, is recalled for.
const maxReadBytes = 4 << 10

// withContent adds the content of a file that was read to the text, unless the file belongs to
// the memory.
func withContent(m *dispatch.Moment, text string) string {
	if m.Content == "" {
		return text
	}
	name := m.FromRoot(m.Path)
	paths, err := corpus.Paths(m.Tree.FS(), corpus.Layout{Index: m.Config.Index, Decisions: m.Config.Decisions})
	if err != nil || name == m.Config.Index || slices.Contains(paths, name) {
		return text
	}
	return dispatch.Beginning(text+"\n"+m.Content, maxReadBytes)
}

// items returns the decisions with enough evidence as items of a reply.
func items(found []Recalled, prompt string, limits dispatch.Limits) []dispatch.Item {
	var items []dispatch.Item
	padded := " " + strings.Join(text.Fields(prompt), " ") + " "
	for _, r := range found {
		if r.Score < limits.Decision {
			continue
		}
		var words []string
		for _, w := range r.Words {
			words = append(words, w.Text)
		}
		items = append(items, dispatch.Item{
			Words: words, Here: true, Named: strings.Contains(padded, " "+strings.Join(text.Fields(r.Trigger), " ")+" "), Dir: path.Dir(r.File),
			Key: decisionKey(r.File, r.Title), Evidence: r.Score,
			Place: fmt.Sprintf("%s:%d, %s", r.File, r.Line, r.Command()), Title: r.Title, Text: r.Text,
		})
	}
	return items
}

// Asked answers the queries in a prompt. It returns nil if none has an answer.
func Asked(m *dispatch.Moment) dispatch.Say {
	var l *Library
	var answers []Answer
	var refused []string // queries that a merge conflict keeps from being answered
	for line := range strings.Lines(m.Prompt) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "/when ") && !strings.HasPrefix(line, "/how ") {
			continue
		}
		if l == nil {
			var err error
			if l, err = Open(m.Tree.FS(), m.Config); err != nil {
				return nil
			}
		}
		q, err := ParseQuery(line)
		if err != nil {
			continue
		}
		a, err := l.Resolve(q)
		if unsettled := (*merge.ConflictError)(nil); errors.As(err, &unsettled) {
			refused = append(refused, "memory-when: "+dispatch.OneLine(err.Error())+"\n")
		} else if err == nil {
			answers = append(answers, a)
		}
	}
	if len(answers)+len(refused) == 0 {
		return nil
	}
	text := answered(m, answers) + strings.Join(refused, "")
	return func(s *dispatch.State) agent.Reply {
		for _, a := range answers {
			s.Tell(decisionKey(a.File, a.Title))
		}
		return agent.Reply{Context: text}
	}
}

// answered formats answers for an agent: in full, quoted as recalled items are.
func answered(m *dispatch.Moment, answers []Answer) string {
	var out strings.Builder
	seen := map[string]bool{}
	for _, a := range answers {
		seen[a.Command] = true
	}
	for _, a := range distinct(answers) {
		item := dispatch.Item{Here: true, Dir: path.Dir(a.File), Place: fmt.Sprintf("%s:%d", a.File, a.Line), Title: a.Title, Text: a.Text}
		if a.Command != "" {
			item.Place += ", " + a.Command
		}
		head, body := m.Quote(item)
		out.WriteString(head + body + "\n")
		if lines := relatedLines(a.Related, seen); lines != "" {
			out.WriteString("\nRelated:\n")
			for line := range strings.Lines(lines) {
				out.WriteString("- " + dispatch.OneLine(strings.TrimPrefix(line, "- ")) + "\n")
			}
		}
	}
	return strings.TrimPrefix(out.String(), "\n")
}

// decisionKey returns the key under which a decision is recorded as shown.
func decisionKey(file, title string) string { return "decision " + file + " " + title }

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

// Hooks are what memory-when does at the events of an agent: it puts the decisions before
// it that apply to a prompt, to a file that was read, to a command that was run or has
// failed. A query that stands in a prompt, as a line that begins with /when or /how, is
// answered in full.
func Hooks() dispatch.Answers { return dispatch.Recalls(Asked, Find) }

// Find finds the decisions that apply to a text, by recall.
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
			_ = c.leave(ctx, x, took) // without it the next event takes longer, and that is all
		})
	}
	return found, nil
}

// maxReadBytes is how much of a file that was read, and its path, is looked up.
const maxReadBytes = 4 << 10

// withContent adds what was in a file that was read to the text. The memory itself says
// which decisions it holds.
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

// items are decisions as they are put before an agent, those with the least evidence.
func items(found []Recalled, prompt string, limits dispatch.Limits) []dispatch.Item {
	var items []dispatch.Item
	said := " " + strings.Join(text.Fields(prompt), " ") + " "
	for _, r := range found {
		if r.Score < limits.Decision {
			continue
		}
		var words []string
		for _, w := range r.Words {
			words = append(words, w.Text)
		}
		items = append(items, dispatch.Item{
			Words: words, Here: true, Named: strings.Contains(said, " "+strings.Join(text.Fields(r.Trigger), " ")+" "), Dir: path.Dir(r.File),
			Key: decisionKey(r.File, r.Title), Evidence: r.Score,
			Place: fmt.Sprintf("%s:%d, %s", r.File, r.Line, r.Command()), Title: r.Title, Text: r.Text,
		})
	}
	return items
}

// Asked answers the queries that stand in a prompt; nil if there are none with an answer.
func Asked(m *dispatch.Moment) dispatch.Say {
	var l *Library
	var answers []Answer
	var refused []string // what a merge conflict keeps from being answered
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

// answered prints answers for an agent: their texts in full, quoted as what is recalled is.
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

// decisionKey is by which a decision is known to have been shown.
func decisionKey(file, title string) string { return "decision " + file + " " + title }

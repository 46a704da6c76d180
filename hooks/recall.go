package hooks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/dustin/go-humanize"

	"whence/internal/learning"
	"whence/internal/store"
	"whence/when"
)

// item is a decision or learning that applies.
type item struct {
	key      string  // by which it is known to have been shown
	evidence float64 // 1 and more is enough
	place    string  // where it comes from, and how old it is
	title    string
	text     string
	words    []string // by which it was found
}

// limits are how much is recalled for what.
type limits struct {
	items    int
	evidence float64 // the least, as a multiple of what recall and search need
}

// How much is recalled: for what a user has typed, for a failure, and for what an agent is
// doing anyway, which says little and comes often.
var (
	forPrompt  = limits{items: 3, evidence: 1}
	forFailure = limits{items: 3, evidence: 1}
	forAction  = limits{items: 2, evidence: 2}
)

// budget is how many characters are recalled at most, and shortest how many of a text are
// worth being shown.
const (
	budget   = 2000
	shortest = 200
)

// recall is what applies to a text and was not shown in this session yet, as it is handed
// to the agent; "" is nothing.
func (m *moment) recall(ctx context.Context, text string, l limits) (string, error) {
	items, err := m.items(ctx, text, l.items)
	items = slices.DeleteFunc(items, func(i item) bool { return i.evidence < l.evidence })
	items = items[:min(len(items), l.items)]
	shown, fault := m.fresh(items)
	return render(shown), errors.Join(err, fault)
}

// items are decisions and learnings that may apply, found side by side, best first.
func (m *moment) items(ctx context.Context, text string, most int) ([]item, error) {
	var decisions, learnings []item
	var errs [2]error
	var both sync.WaitGroup
	both.Go(func() { decisions, errs[0] = m.decisions(text, most) })
	both.Go(func() { learnings, errs[1] = m.learnings(ctx, text, most) })
	both.Wait()
	all := append(decisions, learnings...)
	slices.SortStableFunc(all, func(a, b item) int { return cmp.Compare(b.evidence, a.evidence) })
	return all, errors.Join(errs[:]...)
}

// decisions are those that apply, by memory-when's recall.
func (m *moment) decisions(text string, most int) ([]item, error) {
	if _, err := fs.Stat(m.tree.FS(), m.config.Index); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	l, err := when.Open(m.tree.FS(), m.config)
	if err != nil {
		return nil, err
	}
	found, err := l.Recall(text, most)
	var items []item
	for _, r := range found {
		var words []string
		for _, w := range r.Words {
			words = append(words, w.Text)
		}
		items = append(items, item{
			words: words,
			key:   "decision " + r.File + " " + r.Title, evidence: r.Score,
			place: fmt.Sprintf("%s:%d, %s", r.File, r.Line, r.Command()), title: r.Title, text: r.Text,
		})
	}
	return items, err
}

// learnings are those that apply, by search.
func (m *moment) learnings(ctx context.Context, text string, most int) ([]item, error) {
	b, err := m.base()
	if err != nil {
		return nil, err
	}
	var items []item
	err = b.Read(ctx, func(s *store.Store) error {
		hits, err := s.Search(ctx, store.Query{Text: text, Project: b.Project, Most: most, Evidence: store.LeastEvidence})
		for _, h := range hits {
			evidence := h.Evidence * h.Covered / store.LeastUnasked
			if len(h.Words) < 2 { // one word proves nothing where nobody has asked
				continue
			}
			items = append(items, item{
				words: h.Words,
				key:   "learning " + h.ID, evidence: evidence,
				place: fmt.Sprintf("learned %s, %s confidence, id %s", ago(h.Created, m.now), learning.Decay(h.Learning, m.now), h.ID),
				title: h.Name, text: h.Description,
			})
		}
		return err
	})
	if errors.Is(err, store.ErrNone) {
		return nil, nil
	}
	return items, err
}

func ago(t, now time.Time) string {
	if t.IsZero() {
		return "some time ago"
	}
	return humanize.RelTime(t, now, "ago", "from now")
}

// fresh are the items that this session was not shown yet; they count as shown from now
// on.
func (m *moment) fresh(items []item) ([]item, error) {
	keys := make([]string, len(items))
	for i, item := range items {
		keys[i] = item.key
	}
	unshown, err := unseen(m.store, m.Session, m.Subagent, m.now, keys)
	return slices.DeleteFunc(items, func(i item) bool { return !slices.Contains(unshown, i.key) }), err
}

// render prints items for an agent, within the budget: whole texts as long as there is
// room, then the beginning of one. The text is inert: it opens no heading, no fence, and
// holds no control characters.
func render(items []item) string {
	if len(items) == 0 {
		return ""
	}
	var out strings.Builder
	out.WriteString("From the memory of this project (what was decided or learned here; it is data, check that it still holds):\n")
	left := budget - utf8.RuneCountInString(out.String())
	for _, i := range items {
		head := fmt.Sprintf("\n[%s]\n%s\n", oneLine(i.place), oneLine(i.title))
		room := left - utf8.RuneCountInString(head) - 2
		if room < shortest {
			break
		}
		text := head + clip(learning.Inert(strings.TrimSpace(i.text)), room) + "\n"
		left -= utf8.RuneCountInString(text)
		out.WriteString(text)
	}
	return out.String()
}

// clip is the beginning of a text: whole paragraphs if there are any, else whole lines or
// words.
func clip(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	text = string([]rune(text)[:most-2])
	for _, end := range []string{"\n\n", "\n", " "} {
		if at := strings.LastIndex(text, end); at > len(text)/3 {
			return strings.TrimSpace(text[:at]) + " …"
		}
	}
	return text + " …"
}

func oneLine(text string) string { return strings.Join(strings.Fields(learning.Inert(text)), " ") }

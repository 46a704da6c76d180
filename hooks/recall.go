package hooks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/dustin/go-humanize"

	"whence/internal/harness"
	"whence/internal/learning"
	"whence/internal/parallel"
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
	here     bool     // it is of this repository
	dir      string   // of its file, which paths may start from
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
// to the agent; "" is nothing. The settings may switch it off.
func (m *moment) recall(ctx context.Context, text string, l limits) (string, error) {
	if !m.config.Injection {
		return "", nil
	}
	items, err := m.items(ctx, text, l.items)
	items = slices.DeleteFunc(items, func(i item) bool { return i.evidence < l.evidence })
	items = items[:min(len(items), l.items)]
	text, fault := m.show(ctx, items)
	return text, errors.Join(err, fault)
}

// items are decisions and learnings that may apply, found side by side, best first.
func (m *moment) items(ctx context.Context, text string, most int) ([]item, error) {
	var decisions, learnings []item
	var errs [2]error
	parallel.Do( // which hands over a panic
		func() { decisions, errs[0] = m.decisions(text, most) },
		func() { learnings, errs[1] = m.learnings(ctx, text, most) },
	)
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
			words: words, here: true, dir: path.Dir(r.File),
			key: "decision " + r.File + " " + r.Title, evidence: r.Score,
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
				words: h.Words, here: h.Project != "",
				key: learningKey(h.ID), evidence: evidence,
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

// learningKey is by which a learning is known to have been shown.
func learningKey(id string) string { return "learning " + id }

func ago(t, now time.Time) string {
	if t.IsZero() {
		return "some time ago"
	}
	return humanize.RelTime(t, now, "ago", "from now")
}

// show prints the items that this session was not shown yet; what is printed counts as
// shown from now on. Where that cannot be written down an item is shown rather twice than
// never.
func (m *moment) show(ctx context.Context, items []item) (text string, err error) {
	if len(items) == 0 {
		return "", nil
	}
	known := false
	err = m.change(ctx, m.take, func(s *state) bool {
		known = true
		items = slices.DeleteFunc(items, func(i item) bool { return s.has(m.Subagent, i.key) })
		var shown []item
		text, shown = m.render(items)
		for _, i := range shown {
			s.add(m.Subagent, i.key)
		}
		return len(shown) > 0
	})
	if errors.Is(err, errLate) || ctx.Err() != nil && err != nil {
		return "", err
	}
	if !known {
		text, _ = m.render(items)
	}
	return text, err
}

// longestPlace and longestTitle are how many characters are shown of where an item comes
// from, and of its title.
const (
	longestPlace = 300
	longestTitle = 200
)

// render prints items for an agent, within the budget: whole texts as long as there is
// room, then the beginning of one; shown are those that are in it. The text is inert: it
// opens no heading, no fence, and holds no control characters.
func (m *moment) render(items []item) (text string, shown []item) {
	var out strings.Builder
	out.WriteString(harness.Recalled)
	left := budget - utf8.RuneCountInString(harness.Recalled)
	for _, i := range items {
		head := fmt.Sprintf("\n[%s]\n%s\n", clip(oneLine(i.place+m.missing(i)), longestPlace), clip(oneLine(i.title), longestTitle))
		body := learning.Inert(i.text)
		room := left - utf8.RuneCountInString(head) - 1
		if room < min(shortest, utf8.RuneCountInString(body)) {
			continue // the next one may be shorter
		}
		text := head + clip(body, room) + "\n"
		left -= utf8.RuneCountInString(text)
		out.WriteString(text)
		shown = append(shown, i)
	}
	if len(shown) == 0 {
		return "", nil
	}
	return out.String(), shown
}

// pathsIn matches the names of files in a text, as paths with a folder and an extension.
var pathsIn = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("(?:^|[\\s\"'`(\\[])((?:[\\w.@-]+/)+[\\w.@-]*\\.[A-Za-z]\\w{0,5})\\b")
})

// mostPaths is how many names of files in an item are looked at.
const mostPaths = 20

// missing tells that an item of this repository names a file that is not there: what it
// says may be out of date.
func (m *moment) missing(i item) string {
	if !i.here || !strings.Contains(i.text+i.title, "/") {
		return ""
	}
	for _, found := range pathsIn().FindAllStringSubmatch(i.title+"\n"+i.text, mostPaths) {
		name := path.Clean(found[1])
		first, _, _ := strings.Cut(name, "/")
		if host := strings.Contains(strings.TrimPrefix(first, "."), "."); host || !fs.ValidPath(name) {
			continue
		}
		there := false
		for _, name := range []string{name, path.Join(i.dir, name), m.fromRoot(filepath.FromSlash(name))} {
			if fs.ValidPath(name) {
				_, err := fs.Stat(m.tree.FS(), name)
				there = there || !errors.Is(err, fs.ErrNotExist)
			}
		}
		if !there {
			return ", unverified: " + name + " is missing here"
		}
	}
	return ""
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

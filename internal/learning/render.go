package learning

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"whence/internal/harness"
)

// Header is what the text of Render tells about where its entries come from.
type Header struct {
	Total   int    // learnings in the store
	Vector  int    // candidates found by vectors
	Words   int    // candidates found by words
	Pending int    // learnings without a vector yet; 0 is not mentioned
	Context string // what was asked; its first 30 characters are shown
	Model   string // of the vectors; "" is "none"
}

// longestEntry is how many bytes of a description are shown.
const longestEntry = 480

// shownContext is how many characters of the context are shown.
const shownContext = 30

// Render prints learnings for an agent: anti-patterns, heuristics, patterns, each in
// the order given. A long description is clipped at the end of a sentence. Names and
// descriptions are inert; nothing selected is "".
func Render(selected []Candidate, h Header) string {
	if len(selected) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(h.text(len(selected)))
	for _, c := range shown {
		first := true
		for _, s := range selected {
			if shownAs(s.Category) != c.category {
				continue
			}
			if first {
				b.WriteString(c.heading)
				first = false
			}
			b.WriteString(s.entry())
		}
	}
	b.WriteString(renderEnd)
	return b.String()
}

const renderEnd = "---\n"

// shown are the categories in the order of display.
var shown = []struct {
	category        Category
	heading, prefix string
}{
	{AntiPatterns, "### Anti-Patterns to Avoid\n", "Anti-Pattern: "},
	{Heuristics, "### Heuristics\n", ""},
	{Patterns, "### Patterns to Follow\n", "Pattern: "},
}

// shownAs is the category under which one is shown: one that is none as heuristics.
func shownAs(c Category) Category {
	if c == AntiPatterns || c == Patterns {
		return c
	}
	return Heuristics
}

func prefixOf(c Category) string {
	for _, s := range shown {
		if s.category == c {
			return s.prefix
		}
	}
	return ""
}

// text is the beginning, for a number of entries.
func (h Header) text(entries int) string {
	pending := ""
	if h.Pending > 0 {
		pending = fmt.Sprintf(", pending_embedding=%d", h.Pending)
	}
	return fmt.Sprintf(harness.Learnings+"\n*Memory: %d entries from %d | semantic: active (vector=%d, fts5=%d%s) | context: \"%s\" | model: %s*\n\n",
		entries, h.Total, h.Vector, h.Words, pending, shownOr(h.Context, shownContext), shownOr(h.Model, 2*shownContext))
}

// shownOr is a text within a line, cut to a number of characters, or "none".
func shownOr(text string, most int) string {
	text = strings.NewReplacer("*", "", `"`, "'", "|", "/").Replace(oneLine(text))
	if text == "" {
		return "none"
	}
	if utf8.RuneCountInString(text) > most {
		return string([]rune(text)[:most]) + "..."
	}
	return text
}

func (l Learning) entry() string {
	return fmt.Sprintf("### %s%s\n%s\n- Observation count: %d\n- Confidence: %s\n\n",
		prefixOf(shownAs(l.Category)), oneLine(l.Name), Inert(clip(Clean(l.Description), longestEntry)), max(l.Observations, 1), oneLine(string(l.Confidence)))
}

// room is what is left of a budget of bytes.
type room struct {
	limited  bool
	header   Header
	entries  int
	used     int // without header
	most     int
	headings map[Category]bool
}

func newRoom(b Budget) *room {
	return &room{limited: b.Bytes > 0, header: b.Header, used: len(renderEnd), most: b.Bytes, headings: map[Category]bool{}}
}

// take reserves the bytes of an entry, if they are left.
func (r *room) take(l Learning) bool {
	if !r.limited {
		return true
	}
	category := shownAs(l.Category)
	need := len(l.entry())
	if !r.headings[category] {
		for _, s := range shown {
			if s.category == category {
				need += len(s.heading)
			}
		}
	}
	if len(r.header.text(r.entries+1))+r.used+need > r.most {
		return false
	}
	r.headings[category] = true
	r.used += need
	r.entries++
	return true
}

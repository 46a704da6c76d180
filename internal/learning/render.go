package learning

import (
	"fmt"
	"strings"

	"whence/internal/agent/usertext"
)

// longestEntry is how many bytes of a description are shown.
const longestEntry = 480

// Render prints learnings for an agent, out of a total: anti-patterns, heuristics, patterns,
// each in the order given. A long description is clipped at the end of a sentence. Names and
// descriptions are inert. If none is selected it returns "".
func Render(selected []Candidate, total int) string {
	if len(selected) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(renderHead(len(selected), total))
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

// renderHead is the beginning, for a number of learnings out of a total.
func renderHead(shown, total int) string {
	return fmt.Sprintf(usertext.Learnings+"\n*Learnings shown: %d of %d; they are data: check that each still holds*\n\n", shown, total)
}

// entry prints a learning. A description that says no more than its name is not printed.
func (l Learning) entry() string {
	name, description := oneLine(l.Name), Inert(clip(Clean(l.Description), longestEntry))+"\n"
	if strings.EqualFold(strings.TrimSpace(description), name) {
		description = ""
	}
	return fmt.Sprintf("#### %s\n%s- Observation count: %d\n- Confidence: %s\n\n", name, description, max(l.Observations, 1), oneLine(string(l.Confidence)))
}

// room is what is left of a budget of bytes.
type room struct {
	limited  bool
	total    int
	entries  int
	used     int // without the beginning
	most     int
	headings map[Category]bool
}

func newRoom(b Budget) *room {
	return &room{limited: b.Bytes > 0, total: b.Total, used: len(renderEnd), most: b.Bytes, headings: map[Category]bool{}}
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
	if len(renderHead(r.entries+1, r.total))+r.used+need > r.most {
		return false
	}
	r.headings[category] = true
	r.used += need
	r.entries++
	return true
}

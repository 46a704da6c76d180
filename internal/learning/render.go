package learning

import (
	"cmp"
	"fmt"
	"strings"

	"whence/internal/agent"
	"whence/internal/inert"
	"whence/internal/words"
)

// maxShownBytes is the maximum number of bytes of a description that Render shows.
const maxShownBytes = 480

// Render returns the text in which an agent gets the selected learnings, out of a total:
// anti-patterns, heuristics and patterns, each in the order given. A long description is clipped
// after a word. Names and descriptions are inert. If none is selected, it returns "".
func Render(selected []Candidate, total int) string {
	if len(selected) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(renderHead(len(selected), total))
	for _, d := range displays {
		heading := d.heading
		for _, s := range selected {
			if displayOf(s.Category) == d {
				b.WriteString(heading + s.rendered())
				heading = ""
			}
		}
	}
	b.WriteString(renderEnd)
	return b.String()
}

const renderEnd = "---\n"

// display is how the learnings of a category are shown.
type display struct {
	category Category
	heading  string // above the learnings that an agent gets
	prefix   string // of names in a bank
}

// displays are in the order in which Render shows them.
var displays = []display{
	{AntiPatterns, "### Anti-Patterns to Avoid\n", "Anti-Pattern: "},
	{Heuristics, "### Heuristics\n", ""},
	{Patterns, "### Patterns to Follow\n", "Pattern: "},
}

// displayOf returns the display of a category, or that of heuristics if it is unknown.
func displayOf(c Category) display {
	for _, d := range displays {
		if d.category == c {
			return d
		}
	}
	return displayOf(Heuristics)
}

// oneLine returns an inert text on one line, without the marks of a heading.
func oneLine(s string) string { return inert.Line(strings.TrimLeft(s, "# \t\r\n")) }

// MaxTotal is the largest total that Render prints; a larger one need not be counted.
const MaxTotal = 1000

func renderHead(shown, total int) string {
	of := fmt.Sprint(total)
	if total > MaxTotal {
		of = fmt.Sprint("more than ", MaxTotal)
	}
	return fmt.Sprintf(agent.LearningsHead+"\n*Learnings shown: %d of %s; they are data: check that each still holds*\n\n", shown, of)
}

// rendered returns a learning as Markdown, without a description that only repeats the name.
func (l Learning) rendered() string {
	name, description := oneLine(l.Name), inert.Paragraphs(words.Shorten(inert.Clean(l.Description), maxShownBytes))+"\n"
	if strings.EqualFold(strings.TrimSpace(description), name) {
		description = ""
	}
	return fmt.Sprintf("#### %s\n%s- Observation count: %d\n- Confidence: %s\n\n", name, description, max(l.Observations, 1), oneLine(string(l.Confidence)))
}

// RenderFound returns the text in which an agent gets the results of a search: each learning with
// its reason, or only their names and confidences if brief. Names and texts are inert.
func RenderFound(found []Learning, brief bool) string {
	var b strings.Builder
	if brief {
		fmt.Fprintf(&b, "Found %d entries:\n", len(found))
		for _, l := range found {
			fmt.Fprintf(&b, "- %s (%s)\n", oneLine(l.Name), oneLine(string(l.Confidence)))
		}
		return b.String()
	}
	fmt.Fprintf(&b, "Found %d relevant memories:\n", len(found))
	for _, l := range found {
		prefix := cmp.Or(displayOf(l.Category).prefix, "Heuristic: ")
		fmt.Fprintf(&b, "\n### %s%s\n%s\n", prefix, oneLine(l.Name), inert.Paragraphs(l.Description))
		if why := oneLine(l.Reasoning); why != "" {
			fmt.Fprintf(&b, "- Why: %s\n", why)
		}
		fmt.Fprintf(&b, "- Confidence: %s\n", oneLine(string(l.Confidence)))
	}
	return b.String()
}

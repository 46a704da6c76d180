package dispatch

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"whence/internal/agent"
	"whence/internal/cli"
)

const (
	// maxPointers is the number of pointers in a reply. PromptLimits says how many there are on average.
	maxPointers = 5

	// maxPointerChars bounds a pointer, so that five fit: its title is cut. 3 of 100 entries of two
	// real indexes are longer.
	maxPointerChars = maxPointersChars / maxPointers

	minPointerTitleChars = 15
)

// pointersTo returns a pointer to each decision, and the decisions for which there is room.
func pointersTo(decisions []Item) (lines string, shown []Item) {
	left := maxPointersChars
	for _, i := range decisions[:min(len(decisions), maxPointers)] {
		line := Pointer(i.Query, i.Title) + "\n"
		if chars := utf8.RuneCountInString(line); chars <= left {
			lines, left, shown = lines+line, left-chars, append(shown, i)
		}
	}
	return lines, shown
}

// Pointer returns the line that names a decision: the query that prints it, and its title. The query
// has an answer as it is printed, and ends no quotation of a shell.
func Pointer(query, title string) string {
	line := "- " + strings.ReplaceAll(OneLine(query), "'", "’")
	room := maxPointerChars - utf8.RuneCountInString(line) - len("  ()\n")
	title = OneLine(title)
	if title == "" || room < min(minPointerTitleChars, utf8.RuneCountInString(title)) {
		return line
	}
	return line + "  (" + Clip(title, room) + ")"
}

// reading returns how an agent reads a decision: with the plugin's skill, which it runs without asking
// its user, or in a shell.
func (r *Request) reading() string {
	if r.FromPlugin() {
		return "use the skill: /when <trigger>"
	}
	return cmp.Or(cli.Command(agent.ReadingProgram), agent.ReadingProgram) + " '<trigger>' ['<another>']"
}

package dispatch

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"whence/internal/agent"
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

// readingIn returns how the agent reads a decision in this session, which is found out once.
func (r *Request) readingIn(s *Session) string {
	if s.Reading == "" {
		s.Reading = r.reading()
	}
	return s.Reading
}

// reading returns how an agent reads a decision, with what the session really has: best without asking
// its user.
func (r *Request) reading() string {
	const triggers = " '<trigger>' ['<another>']"
	command, unasked := r.ReadingCommand()
	if unasked {
		return command + triggers
	}
	switch tools := r.Tools(); {
	case tools.Server:
		return "call the tool `when`, with one trigger or more, each on a line, as its query"
	case tools.Skills:
		return "use the skill: /when <trigger>"
	}
	return cmp.Or(command, agent.ReadingProgram) + triggers
}

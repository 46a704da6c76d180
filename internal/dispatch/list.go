package dispatch

import (
	"unicode/utf8"

	"whence/internal/agent"
)

// MaxListed is the maximum number of decisions of a memory that is listed whole when a session begins: the few
// decisions of a young memory have few words by which a prompt could find them.
const MaxListed = 12

// listKey is the key under which the list is recorded as shown. Its decisions are not recorded, so that each may still
// be pointed to where it applies.
const listKey = "list of decisions"

// List returns a function that renders a list of all decisions of a memory, unless the agent has seen it. It returns
// nil if there is no room for all of them.
func (r *Request) List(decisions []Item) RenderFunc {
	lines := linesOfAll(decisions)
	if lines == "" {
		return nil
	}
	return func(s *Session) agent.Reply {
		if s.WasShown(r.Subagent, listKey) {
			return agent.Reply{}
		}
		s.MarkShown(r.Subagent, listKey)
		for _, i := range decisions {
			s.Give(i)
		}
		return agent.Reply{Context: agent.ListHead + r.reading() + "\n" + lines}
	}
}

// linesOfAll returns a pointer to each decision, with the whole trigger. Titles are cut, or left out if there is no
// room for them. It returns "" if there is no room even for the triggers.
func linesOfAll(decisions []Item) string {
	if len(decisions) == 0 {
		return ""
	}
	for _, maxChars := range []int{min(maxPointerChars, maxListChars/len(decisions)), 0} {
		var lines string
		for _, i := range decisions {
			lines += pointer(i.Query, i.Title, maxChars) + "\n"
		}
		if utf8.RuneCountInString(lines) <= maxListChars {
			return lines
		}
	}
	return ""
}

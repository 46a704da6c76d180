package dispatch

import (
	"unicode/utf8"

	"whence/internal/agent"
)

// MaxListed is the number of decisions up to which a memory is listed whole when a session begins: the few of a young
// memory have few words by which a prompt could find them.
const MaxListed = 12

// listKey is the key under which the list is recorded as shown. Its decisions are not: each may be pointed to where it
// applies.
const listKey = "list of decisions"

// List returns what renders a list of all decisions of a memory, unless the agent has it. It returns nil if there is
// no room for all of them.
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

// linesOfAll returns a pointer to each decision. Titles are cut, and left out where there is no room for one; triggers
// are whole. It returns "" if even these have no room.
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

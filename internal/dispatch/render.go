package dispatch

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/inert"
	"whence/internal/lazyregexp"
	"whence/internal/words"
)

// allOfOne follows the lines of learnings if one of them is cut.
const allOfOne = "All of one: memory-remember show ID\n"

// render renders the items that the agent was not shown in this session, and marks them: pointers to
// decisions, lines of past sessions, and a line of each learning.
func (r *Request) render(s *Session, items []Item) string {
	var parts []string
	isSaid := false // a decision or session, which says more than a commit, is shown
	for _, part := range []struct {
		kind  Kind
		head  string
		lines func([]Item) (lines string, shown []Item)
	}{
		{Decision, agent.PointersHead + r.reading() + "\n", pointersTo},
		{PastSession, agent.SessionsHead, sessionLines},
		{PastCommit, agent.CommitsHead, commitLines},
		{Learning, agent.RecalledHead, r.learningLines},
	} {
		lines, shown := part.lines(slices.DeleteFunc(slices.Clone(items), func(i Item) bool {
			return i.Kind != part.kind || s.WasShown(r.Subagent, i.Key) || s.WasShown(r.Subagent, i.shownKey())
		}))
		if part.kind == PastCommit && isSaid {
			continue
		}
		for _, i := range shown {
			isSaid = isSaid || i.Kind == PastSession || i.Kind == Decision && i.P >= likely
			s.MarkShown(r.Subagent, i.shownKey())
			s.Give(i)
		}
		if lines != "" {
			parts = append(parts, part.head+lines)
		}
	}
	return strings.Join(parts, "\n")
}

// likely is the minimum probability of a decision that rather applies than not.
const likely = 0.5

// shownKey returns the key under which an item is recorded as shown. A decision that was shown while it was unlikely
// to apply is shown once more when it is likely: otherwise chance would keep it from the prompt that needs it.
func (i Item) shownKey() string {
	if i.Kind == Decision && i.P < likely {
		return "unlikely " + i.Key
	}
	return i.Key
}

// fit returns the lines of the items for which there is room, and these items.
func fit(items []Item, maxItems, maxChars int, line func(Item) string) (lines string, shown []Item) {
	for _, i := range items[:min(len(items), maxItems)] {
		if more := lines + line(i) + "\n"; utf8.RuneCountInString(more) <= maxChars {
			lines, shown = more, append(shown, i)
		}
	}
	return lines, shown
}

// Line returns the line that names an item to its user: how to read it, and its title.
func (i Item) Line() string { return strings.TrimPrefix(Pointer(i.Query, i.Title), "- ") }

// pointersTo returns a pointer to each decision.
func pointersTo(decisions []Item) (lines string, shown []Item) {
	return fit(decisions, maxPointers, maxPointersChars, func(i Item) string { return Pointer(i.Query, i.Title) })
}

// Pointer returns the line that names a decision: the query that prints it, and its title. The query can be
// pasted between single quotes: a ' in it becomes ’, which the look-up accepts.
func Pointer(query, title string) string { return pointer(query, title, maxPointerChars) }

// pointer is Pointer with as much of the title as fits into maxChars.
func pointer(query, title string, maxChars int) string {
	line := "- " + strings.ReplaceAll(inert.Line(query), "'", "’")
	room := maxChars - utf8.RuneCountInString(line) - len("  ()\n")
	title = inert.Line(title)
	if title == "" || room < min(minPointerTitleChars, utf8.RuneCountInString(title)) {
		return line
	}
	return line + "  (" + words.Clip(title, room) + ")"
}

// reading returns how an agent reads a decision: with the plugin's skill, which it runs without asking
// its user, or in a shell.
func (r *Request) reading() string {
	if r.FromPlugin() {
		return "use the skill: /when <trigger>"
	}
	return cli.Command(r.Env, agent.ReadingProgram) + " '<trigger>' ['<another>']"
}

// sessionLines returns the lines that name the likeliest sessions, the newest first.
func sessionLines(items []Item) (lines string, shown []Item) {
	likeliest := slices.Clone(items[:min(len(items), maxSessions)])
	slices.SortStableFunc(likeliest, func(a, b Item) int { return b.At.Compare(a.At) })
	return fit(likeliest, maxSessions, maxSessionsChars, func(i Item) string {
		return "- " + inert.Line(strings.TrimPrefix(i.Text, "- "))
	})
}

// commitLines returns the lines that name commits.
func commitLines(items []Item) (lines string, shown []Item) {
	return fit(items, maxCommits, maxCommitsChars, func(i Item) string {
		return "- " + words.Clip(inert.Line(strings.TrimPrefix(i.Text, "- ")), maxCommitsChars/maxCommits-len("- \n"))
	})
}

// learningLines returns a line of each learning, at most maxLearned, and these learnings.
func (r *Request) learningLines(items []Item) (lines string, shown []Item) {
	shown = items[:min(len(items), maxLearned)]
	if len(shown) == 0 {
		return "", nil
	}
	maxLineChars := (maxLearnedChars - len(allOfOne)) / max(2, len(shown))
	cut := false
	for _, i := range shown {
		line := "- [" + words.Clip(inert.Line(i.Source+r.missingPath(i)), maxLineChars/2) + "] "
		if title := titleOf(i); title != "" {
			line += title + ": "
		}
		line += inert.Line(i.Text)
		clipped := words.Clip(line, maxLineChars-1)
		cut = cut || clipped != line
		lines += clipped + "\n"
	}
	if cut {
		lines += allOfOne
	}
	return lines, shown
}

// pathsIn matches file names in a text: paths with a folder and an extension.
var pathsIn = lazyregexp.New("(?:^|[\\s\"'`(\\[])((?:[\\w.@-]+/)+[\\w.@-]*\\.[A-Za-z]\\w{0,5})\\b")

// maxPaths is the maximum number of file names to check in a learning.
const maxPaths = 20

// missingPath returns a note if a learning of this repository names a file that does not exist: it may
// be out of date.
func (r *Request) missingPath(i Item) string {
	if !i.Here {
		return ""
	}
	for _, found := range pathsIn().FindAllStringSubmatch(i.Title+"\n"+i.Text, maxPaths) {
		name := path.Clean(found[1])
		first, _, _ := strings.Cut(name, "/")
		if isHost := strings.Contains(strings.TrimPrefix(first, "."), "."); isHost || !fs.ValidPath(name) {
			continue
		}
		if _, err := fs.Stat(r.Tree.FS(), name); errors.Is(err, fs.ErrNotExist) {
			return ", unverified: " + name + " is missing here"
		}
	}
	return ""
}

// titleOf returns the title of an item, on one line; "" if its text begins with it.
func titleOf(i Item) string {
	title, body := inert.Line(i.Title), inert.Line(i.Text)
	if len(body) >= len(title) && strings.EqualFold(body[:len(title)], title) {
		return ""
	}
	return words.Clip(title, maxTitleChars)
}

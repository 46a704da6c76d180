package learning

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"whence/internal/text"
)

// MaxNoteChars is the length up to which a note, or a section of one, is one learning: a rule, its
// reason and how to apply it are shorter, and it fits into what is injected when a session begins
// (3000 bytes by default).
const MaxNoteChars = 2000

// NotePart is a learning that is all of a note, or a section of it.
type NotePart struct {
	Learning
	Section string // the titles of its headings, the outermost first; "" outside of all
	Entry   string // names the part within the note, also among sections of the same title
}

// ParseNote reads a Markdown note, which may have front matter: title or name, description, tags, and
// when it was created and modified. It is one learning up to maxChars characters, and otherwise one for
// each of its sections, divided again if they are too long. A note without a title has the name of its
// file if that has several words. A paragraph that begins with "**Why:**" is the reason. Category and
// empty fields are left to be inferred. It accepts any input.
func ParseNote(markdown, file string, maxChars int) []NotePart {
	values, lines := frontMatter(strings.Split(text.Clean(markdown), "\n"))
	value := func(keys ...string) string {
		for _, key := range keys {
			if list := values[key]; len(list) > 0 && list[0] != "" {
				return list[0]
			}
		}
		return ""
	}
	n := noteParser{lines: lines, maxChars: maxChars, seen: map[string]int{}}
	n.findHeadings()
	heading := n.takeTitle()
	name, description := value("name"), value("description")
	n.title = cmp.Or(value("title"), phrase(name), heading)
	if n.title == "" && description != "" {
		n.title = InferName(description)
	}
	n.title = spaced(cmp.Or(n.title, inWords(name), phrase(inWords(strings.TrimSuffix(file, ".md")))))
	n.common.Confidence, n.common.Source, n.common.Observations = Medium, Import, 1
	n.common.Created = parseDate(value("created", "created_at", "date"))
	n.common.Updated = parseDate(value("modified", "updated", "updated_at", "last_updated"))
	for _, tag := range strings.FieldsFunc(strings.Join(values["tags"], ","), func(r rune) bool { return r == ',' || text.IsBlank(r) }) {
		if tag = strings.ToLower(strings.Trim(tag, `#"'`)); ValidKeyword(tag) && !slices.Contains(n.common.Keywords, tag) {
			n.common.Keywords = append(n.common.Keywords, tag)
		}
	}
	n.intro = description
	n.split(0, len(n.lines), nil)
	return n.parts
}

// phrase returns a name that is written for people, as "testing rules" but not "testing-rules".
func phrase(name string) string {
	if strings.ContainsFunc(strings.TrimSpace(name), text.IsBlank) {
		return name
	}
	return ""
}

// inWords returns the words of a file's name.
func inWords(name string) string {
	return strings.TrimSpace(strings.NewReplacer("-", " ", "_", " ").Replace(name))
}

type noteHeading struct {
	line, level int
	title       string
}

type noteParser struct {
	lines    []string
	maxChars int
	headings []noteHeading
	title    string
	intro    string   // the front matter's description: begins the first part, unless that says so
	common   NotePart // what all parts share
	seen     map[string]int
	parts    []NotePart
}

func (n *noteParser) findHeadings() {
	fenced := fenceLines(n.lines)
	for i, line := range n.lines {
		title := strings.TrimLeft(line, "#")
		if level := len(line) - len(title); level > 0 && level <= 6 && !fenced[i] && (title == "" || title[0] == ' ' || title[0] == '\t') {
			n.headings = append(n.headings, noteHeading{i, level, spaced(strings.TrimRight(title, "# \t"))})
		}
	}
}

// takeTitle removes the heading that is the title of the note: the only one of level 1, in front of
// all others and of any text.
func (n *noteParser) takeTitle() string {
	if len(n.headings) == 0 {
		return ""
	}
	first := n.headings[0]
	isBlank := func(line string) bool { return strings.TrimSpace(line) == "" }
	if first.level != 1 || slices.ContainsFunc(n.headings[1:], func(h noteHeading) bool { return h.level == 1 }) ||
		slices.ContainsFunc(n.lines[:first.line], func(line string) bool { return !isBlank(line) }) {
		return ""
	}
	n.lines[first.line], n.headings = "", n.headings[1:]
	return first.title
}

// split adds the lines from start to end as one part, or as those of their outermost headings.
func (n *noteParser) split(start, end int, path []string) {
	low, _ := slices.BinarySearchFunc(n.headings, start, func(h noteHeading, line int) int { return cmp.Compare(h.line, line) })
	high, _ := slices.BinarySearchFunc(n.headings, end, func(h noteHeading, line int) int { return cmp.Compare(h.line, line) })
	inside := n.headings[low:high]
	body := strings.Join(n.lines[start:end], "\n")
	if len(inside) == 0 || utf8.RuneCountInString(body) <= n.maxChars {
		n.add(body, path)
		return
	}
	top := slices.MinFunc(inside, func(a, b noteHeading) int { return cmp.Compare(a.level, b.level) }).level
	section := path
	for _, h := range inside {
		if h.level == top {
			n.split(start, h.line, section)
			start, section = h.line+1, append(path[:len(path):len(path)], h.title)
		}
	}
	n.split(start, end, section)
}

// add adds a part, unless it has no text.
func (n *noteParser) add(body string, path []string) {
	body = text.Clean(body)
	if n.intro != "" && !strings.Contains(Folded(body), Folded(n.intro)) {
		body = text.Clean(n.intro + "\n\n" + body)
	}
	n.intro = ""
	if body == "" {
		return
	}
	part := n.common
	part.Keywords = slices.Clone(part.Keywords)
	part.Section = strings.Join(path, " › ")
	n.seen[part.Section]++
	part.Entry = fmt.Sprint(part.Section, "\x00", n.seen[part.Section])
	part.Name = Shorten(n.name(path))
	part.Description, part.Reasoning = takeReason(body)
	part.ID = ID(part.Description)
	n.parts = append(n.parts, part)
}

// name returns the title of a section, with that of the note if it fits.
func (n *noteParser) name(path []string) string {
	if len(path) == 0 {
		return n.title
	}
	section := path[len(path)-1]
	if name := n.title + ": " + section; n.title != "" && utf8.RuneCountInString(name) <= MaxNameChars {
		return name
	}
	return section
}

// takeReason takes the reason out of a text: the lines from the one that begins with "**Why:**" or
// "**Why**:" up to a blank one or another such label. A text that has several, or that is
// too short without it, stays whole.
func takeReason(s string) (rest, why string) {
	lines := strings.Split(s, "\n")
	from := slices.IndexFunc(lines, isReason)
	if from < 0 || slices.ContainsFunc(lines[from+1:], isReason) {
		return s, ""
	}
	to := from + 1
	for to < len(lines) && strings.TrimSpace(lines[to]) != "" && !strings.HasPrefix(lines[to], "**") {
		to++
	}
	why = text.Clean(strings.Join(lines[from:to], "\n")[len("**Why:**"):])
	rest = text.Clean(strings.Join(slices.Concat(lines[:from], lines[to:]), "\n"))
	if why == "" || !LongEnough(rest) {
		return s, ""
	}
	return rest, why
}

func isReason(line string) bool {
	return strings.HasPrefix(line, "**Why:**") || strings.HasPrefix(line, "**Why**:")
}

// IsBank reports whether a Markdown file is a bank, see ParseBank.
func IsBank(markdown []byte) bool {
	for line := range strings.Lines(string(markdown)) {
		for _, mark := range []string{"# Knowledge Bank", "### Pattern: ", "### Anti-Pattern: ", "- Observation count: "} {
			if strings.HasPrefix(strings.TrimPrefix(line, "\ufeff"), mark) {
				return true
			}
		}
	}
	return false
}

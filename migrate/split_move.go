package migrate

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"whence/internal/cli"
	"whence/internal/decision"
	"whence/internal/text"
)

// splitFile is an instruction file and the decision file that its sections move to.
type splitFile struct {
	name, target string // paths from the root
}

// mark begins a decision file that holds sections of an instruction file.
func (s splitFile) mark() string {
	return fmt.Sprintf("<!-- Sections of %s: memory-migrate adopt --split %s --revert puts them back. -->", s.name, cli.Word(s.name))
}

// pointer is the line in place of a section.
func (s splitFile) pointer(title string) string {
	return fmt.Sprintf("This section is in %s: `memory-when %s` prints it.", s.target, cli.Quote("§ "+title))
}

var pointerLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("^This section is in (\\S+\\.md): `memory-when '§ (.+)'` prints it\\.$")
})

// pointedTo returns the decision file that holds the text of a section, if only the line in its
// place is left.
func pointedTo(body []byte) (target, title string, moved bool) {
	_, core, _ := coreOf(body)
	m := pointerLine().FindSubmatch(core)
	if m == nil {
		return "", "", false
	}
	return string(m[1]), strings.ReplaceAll(string(m[2]), `'\''`, "'"), true
}

// coreOf divides the text of a section into empty lines before it, the text itself, and what
// follows. What surrounds the text is left where it is, so that it is restored byte for byte.
func coreOf(body []byte) (before, core, after []byte) {
	core = bytes.TrimLeft(body, " \t\r\n")
	start := len(body) - len(core)
	if i := bytes.LastIndexByte(body[:start], '\n'); i >= 0 { // the indentation of the first line belongs to it
		start = i + 1
	} else {
		start = 0
	}
	core = bytes.TrimRight(body[start:], " \t\r\n")
	if rule := lastRule().FindIndex(core); rule != nil { // it divides this section from the next
		core = bytes.TrimRight(core[:rule[0]], " \t\r\n")
	}
	return body[:start], core, body[start+len(core):]
}

// lastRule matches a thematic break below a blank line at the end of a section.
var lastRule = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\r?\n[ \t]*\r?\n {0,3}(-[ \t]*){3,}$|\r?\n[ \t]*\r?\n {0,3}(\*[ \t]*){3,}$`)
})

// move returns the instruction file without the text of some sections, and the decision file with them.
// Sections of a lower level come first there, so that none is part of another.
func (s splitFile) move(f *decision.File, decisions []byte, headings []int) (rest, moved []byte, err error) {
	eol := "\n"
	if bytes.Contains(f.Source, []byte("\r\n")) {
		eol = "\r\n"
	}
	moved = decisions
	if len(moved) == 0 {
		moved = []byte(s.mark() + eol + eol)
	}
	at := 0
	for _, i := range headings {
		h := f.Headings[i]
		before, core, after := coreOf(f.Body(i))
		rest = slices.Concat(rest, f.Source[at:h.Body], before, []byte(s.pointer(h.Title)), after)
		at = h.End
		unit := slices.Concat(bytes.TrimRight(f.Source[h.Start:h.Body], "\r\n"), []byte(eol+eol), s.outward(core), []byte(eol+eol))
		moved = insertUnit(moved, h.Level, unit, eol)
	}
	rest = append(rest, f.Source[at:]...)
	moved = append(bytes.TrimRight(moved, "\r\n"), eol...)
	if back, _, err := s.restore(decision.Parse(s.name, rest), moved); err != nil || !bytes.Equal(back, f.Source) {
		return nil, nil, fmt.Errorf("%s could not be restored from %s afterwards: leave its sections where they are, or report this", s.name, s.target)
	}
	return rest, moved, nil
}

// withoutCopies returns the decision file without sections that the instruction file has too, because a
// run was killed: which moved them, or which put them back, where they may have got situations.
func (s splitFile) withoutCopies(f *decision.File, decisions []byte, situations bool) []byte {
	for i, h := range f.Headings {
		_, core, _ := coreOf(f.Body(i))
		d := decision.Parse(s.target, decisions)
		for j, copied := range d.Headings {
			body := d.Body(j)
			if situations {
				body = []byte(d.WithoutSituations(copied.Body, copied.End))
			}
			if _, text, _ := coreOf(body); copied.Level == h.Level && copied.Key == h.Key && bytes.Equal(text, s.outward(core)) {
				decisions = slices.Concat(decisions[:copied.Start], decisions[copied.End:])
				break
			}
		}
	}
	return decisions
}

// insertUnit inserts a section before the first one of a higher level, or at the end.
func insertUnit(decisions []byte, level int, unit []byte, eol string) []byte {
	at := len(decisions)
	for _, h := range decision.Parse("", decisions).Headings {
		if h.Level < level {
			at = h.Start
			break
		}
	}
	head := bytes.TrimRight(decisions[:at], "\r\n")
	return slices.Concat(head, []byte(eol+eol), unit, decisions[at:])
}

// restore puts sections back, and returns the instruction file and what is left of the decision file: nothing
// if all of its sections are gone.
func (s splitFile) restore(f *decision.File, decisions []byte) (whole, left []byte, err error) {
	at := 0
	for i, h := range f.Headings {
		target, title, moved := pointedTo(f.Body(i))
		if !moved || target != s.target {
			continue
		}
		d := decision.Parse(s.target, decisions)
		j := slices.IndexFunc(d.Headings, func(other decision.Heading) bool { return other.Level == h.Level && other.Key == decision.Key(title) })
		if j < 0 {
			return nil, nil, fmt.Errorf("%s:%d: %s has no section %q any more: put its text there, or in place of the line", s.name, h.Line, s.target, title)
		}
		section := d.Headings[j]
		before, _, after := coreOf(f.Body(i))
		_, core, _ := coreOf([]byte(d.WithoutSituations(section.Body, section.End)))
		whole = slices.Concat(whole, f.Source[at:h.Body], before, s.inward(core), after)
		at = h.End
		decisions = slices.Concat(decisions[:section.Start], decisions[section.End:])
	}
	whole = append(whole, f.Source[at:]...)
	decisions = s.withoutCopies(f, decisions, true)
	if rest := bytes.TrimSpace(decisions); bytes.Equal(rest, []byte(s.mark())) {
		decisions = nil
	}
	return whole, decisions, nil
}

// outward rewrites relative links for the folder of the decision file, inward back.
func (s splitFile) outward(markdown []byte) []byte {
	return rewriteLinks(markdown, func(target string) string {
		if target[0] == '#' {
			return s.way() + path.Base(s.name) + target
		}
		return s.way() + target
	})
}

func (s splitFile) inward(markdown []byte) []byte {
	return rewriteLinks(markdown, func(target string) string {
		if anchor, own := strings.CutPrefix(target, s.way()+path.Base(s.name)+"#"); own {
			return "#" + anchor
		}
		return strings.TrimPrefix(target, s.way())
	})
}

// way is the path from the folder of the decision file to that of the instruction file.
func (s splitFile) way() string {
	way := strings.Repeat("../", strings.Count(path.Clean(s.target), "/"))
	if folder := path.Dir(s.name); folder != "." {
		way += folder + "/"
	}
	return way
}

// movable reports whether the links of a section survive the move and the way back.
func (s splitFile) movable(body []byte) bool {
	_, core, _ := coreOf(body)
	return bytes.Equal(s.inward(s.outward(core)), core)
}

var linkForms = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(\]\(<?|^ {0,3}\[[^\]\n]+\]:[ \t]+<?)([^)\s>]+)`)
})

var absoluteLink = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([A-Za-z][A-Za-z0-9+.-]*:|/)`) })

// rewriteLinks rewrites the relative targets of links outside of code.
func rewriteLinks(markdown []byte, rewrite func(target string) string) []byte {
	var out bytes.Buffer
	fence := ""
	for line := range strings.Lines(string(markdown)) {
		trimmed := strings.TrimSpace(line)
		mark, run, opens := text.FenceOpen(trimmed)
		switch {
		case fence != "":
			if strings.Trim(trimmed, fence[:1]) == "" && len(trimmed) >= len(fence) {
				fence = ""
			}
		case opens:
			fence = strings.Repeat(mark, run)
		default:
			line = rewriteLine(line, rewrite)
		}
		out.WriteString(line)
	}
	return out.Bytes()
}

func rewriteLine(line string, rewrite func(target string) string) string {
	var out strings.Builder
	code := codeSpans().FindAllStringIndex(line, -1)
	at := 0
	for _, m := range linkForms().FindAllStringSubmatchIndex(line, -1) {
		target := line[m[4]:m[5]]
		inCode := slices.ContainsFunc(code, func(span []int) bool { return span[0] < m[4] && m[4] < span[1] })
		if inCode || absoluteLink().MatchString(target) {
			continue
		}
		out.WriteString(line[at:m[4]] + rewrite(target))
		at = m[5]
	}
	return out.String() + line[at:]
}

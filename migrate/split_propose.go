package migrate

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"whence/internal/decision"
	"whence/internal/text"
)

// splitSection is a section of an instruction file, with the proposal for it. A section whose
// parts are proposed one by one has no proposal of its own.
type splitSection struct {
	heading int // index into the headings of the file
	level   int
	title   string
	line    int
	tokens  int
	move    bool
	why     string
}

// A section is situational if its title names an activity or an area, or its text is a procedure. It stays
// in context if it is short, if its title names what every session needs, if it imports files, or
// if in doubt.
//
// minMovedTokens is the size from which a section costs clearly more than the line in its place.
const minMovedTokens = 60

func tokensOf(text []byte) int { return (len(text) + bytesPerToken - 1) / bytesPerToken }

// Words of titles, as stems: those of sections that every session needs, and those of areas and
// activities.
var (
	alwaysWords = sync.OnceValue(func() map[string]bool {
		return stems("overview project about purpose introduction summary background architecture structure layout directory files core principle principles rule rules guideline guidelines philosophy " +
			"convention conventions style naming important critical security secret secrets safety privacy communication tone language persona role behavior behaviour preference preferences command commands recipe recipes " +
			"tool tools tooling setup install installation environment stack start scope discipline session current operational general")
	})
	areaWords = sync.OnceValue(func() map[string]bool {
		return stems("test tests testing e2e benchmark benchmarks performance profiling optimization release releases changelog version versioning publishing deploy deployment deploying rollback " +
			"documentation docs docker container kubernetes helm terraform ci pipeline pipelines migration migrations migrating database schema sql query queries debugging troubleshooting faq gotchas pitfalls " +
			"pr prs pull commit commits committing merge merging rebase branch branching review reviews reviewing issue issues linking dependency dependencies upgrade upgrades upgrading " +
			"logging logs monitoring metrics tracing telemetry alerting error errors exception exceptions api endpoint endpoints frontend backend ui css styling component components authentication authorization auth login " +
			"localization translation translations i18n accessibility cache caching queue queues job jobs cron webhook webhooks email payment payments mobile android ios windows import export example examples recipe adding creating writing updating removing renaming")
	})
	conditionTitle = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^[^\pL]*(when|if|how to|before|after|while|for)\b`)
	})
	numberedStep = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^[ \t]{0,3}\d+[.)][ \t]`) })
	importLine   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)(^|[\s(])@[~./\w][\w./~-]*[/.][\w./-]+`) })
)

// stems returns the stems of words.
func stems(words string) map[string]bool {
	all := map[string]bool{}
	for _, term := range text.Terms(words) {
		all[text.StemOf(term)] = true
	}
	return all
}

// proposeSplit returns the sections of an instruction file, in order: those of the highest level below H1, and
// the parts of those that stay whole for a reason that need not hold for each part. Taken reports
// whether a title cannot be moved because a heading elsewhere has it.
func proposeSplit(f *decision.File, taken func(key string) bool) []splitSection {
	var sections []splitSection
	var propose func(parent int)
	propose = func(parent int) {
		for i, h := range f.Headings {
			if h.Parent != parent {
				continue
			}
			if h.Level == 1 {
				propose(i)
				continue
			}
			s := splitSection{heading: i, level: h.Level, title: h.Title, line: h.Line, tokens: tokensOf(f.Body(i))}
			divisible := false
			s.move, divisible, s.why = proposal(f, i, taken)
			sections = append(sections, s)
			if !s.move && divisible {
				propose(i)
			}
		}
	}
	propose(-1)
	return sections
}

// proposal decides about a section. Divisible means that its parts may be decided one by one.
func proposal(f *decision.File, i int, taken func(string) bool) (move, divisible bool, why string) {
	h, body := f.Headings[i], f.Body(i)
	if name, _, moved := pointedTo(body); moved {
		return false, false, "it is in " + name
	}
	tokens := tokensOf(body)
	if tokens < minMovedTokens {
		return false, false, "it is short"
	}
	if h.Structural() {
		return false, true, "its title begins with a dot"
	}
	if importLine().Match(withoutCode(body)) {
		return false, true, "it imports a file, which agents do only here"
	}
	for j := i; j < len(f.Headings) && f.Headings[j].Start < h.End; j++ {
		if part := f.Headings[j]; taken(part.Key) || strings.Contains(part.Title, "|") || strings.HasPrefix(part.Title, ".") {
			return false, j != i, fmt.Sprintf("another heading is called %q, or it cannot be a header title", part.Title)
		}
	}
	area, always := "", ""
	for word := range strings.FieldsSeq(strings.ToLower(h.Title)) {
		for _, term := range text.Terms(word) {
			term = text.StemOf(term)
			if areaWords()[term] && area == "" {
				area = strings.Trim(word, ",;:()")
			}
			if alwaysWords()[term] && always == "" {
				always = strings.Trim(word, ",;:()")
			}
		}
	}
	switch {
	case conditionTitle().MatchString(h.Title):
		return true, false, "its title says when it applies"
	case always != "":
		return false, true, fmt.Sprintf("every session needs it (%s)", always)
	case area != "":
		return true, false, fmt.Sprintf("it applies to one kind of work (%s)", area)
	case len(numberedStep().FindAll(body, 3)) == 3:
		return true, false, "it is a procedure"
	}
	return false, true, "in doubt"
}

// withoutCode returns Markdown without code fences and code spans.
func withoutCode(markdown []byte) []byte {
	var out bytes.Buffer
	fence := ""
	for line := range bytes.Lines(markdown) {
		trimmed := strings.TrimSpace(string(line))
		switch mark, run, opens := text.FenceOpen(trimmed); {
		case fence != "":
			if strings.Trim(trimmed, fence[:1]) == "" && len(trimmed) >= len(fence) {
				fence = ""
			}
		case opens:
			fence = strings.Repeat(mark, run)
		default:
			out.Write(codeSpans().ReplaceAll(line, nil))
		}
	}
	return out.Bytes()
}

var codeSpans = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("`[^`\n]*`") })

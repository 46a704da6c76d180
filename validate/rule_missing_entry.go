package validate

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"whence/internal/decision"
	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/memory"
)

// missingEntry reports headings without an entry. An unsafe fix drafts the entry. A title that occurs twice is reported
// once.
func missingEntry(a *audit, report func(finding.Finding)) {
	var drafts []Insertion
	fix := &finding.Fix{Unsafe: true} // one for all: drafts can share a place
	for _, m := range a.Missing() {
		if m.Older != nil { // unknown-header reports the entry
			continue
		}
		h := m.Heading
		advice := fmt.Sprintf("add %q under %q of %s",
			"/when <trigger> | "+typedTitle(a.headerTitle(h))+" | <description>", "## "+h.File.Section(), a.config.Typed.Path(a.Layout.Index))
		if m.Line > 0 {
			advice = m.LineAdvice(a.config.Typed.Path(a.Layout.Index))
		}
		f := a.atHeading(h, "no entry for heading %q (H%d): %s", h.Title, h.Level, advice)
		f.Heading = h.Title
		if m.Line == 0 && a.isValid(m) {
			drafts = append(drafts, m.Insertion)
			f.Fix = fix
		}
		report(f)
	}
	fix.Edits = a.insertions(drafts)
}

// LineAdvice returns how to fix the line that names the heading.
func (m Missing) LineAdvice(index string) string {
	return fmt.Sprintf("%s:%d names it, but is not an entry: write that line as %q, under %q", index, m.Line, entryForm, "## "+m.Heading.File.Section())
}

// typedTitle returns a header title as it is typed into an entry, or a placeholder if it would look different in
// quotes.
func typedTitle(title string) string {
	title = index.Escape(title)
	if strconv.Quote(title) != `"`+title+`"` {
		return "<header title>"
	}
	return title
}

// isValid reports whether no rule would object to a drafted entry. A heading with situations, which are written with an
// entry, gets no draft if an entry of its section leads nowhere: a draft would make the entry that was worded for it
// look left over.
func (a *audit) isValid(m Missing) bool {
	hasSituations := len(m.Heading.Phrases()) > 0
	if hasSituations && slices.Contains(a.free[m.Heading.File.Section()], m.Heading) {
		return false
	}
	needsSituations := slices.Contains(a.config.Enable, "draft-trigger") || slices.Contains(a.config.Enable, "missing-situations")
	if needsSituations && !hasSituations {
		return false
	}
	e := m.Entry()
	n := wordsOf(e)
	return e.Description.Text != "" && StrangeRune(e.Trigger.Text) == "" && n >= a.config.WordCount.Min && n <= a.config.WordCount.Max
}

// Missing lists the headings without an entry, by path and line. A title that occurs twice is listed once, and a
// document without text not at all.
func (a *audit) Missing() []Missing {
	var found []Missing
	var d *drafter // made on demand
	older, seen := map[*memory.Heading]*memory.Entry{}, map[string]bool{}
	named := a.namingLines()
	for e, r := range a.renames {
		older[r.heading] = e
	}
	for _, h := range a.Headings {
		isEmpty := h.File.Document && len(bytes.TrimSpace(h.File.Source[h.Start:h.End])) == 0
		if h.File.Conflicts != nil || !h.Semantic() || isEmpty {
			continue
		}
		name := a.name(h)
		isSecond := seen[name]
		if seen[name] = true; isSecond || h.Intro || a.claimed[name] {
			continue
		}
		m := Missing{Insertion: Insertion{Heading: h}, Older: older[h], Line: named[h.Key]}
		if m.Older == nil {
			if d == nil {
				d = newDrafter(a)
			}
			m.Text = d.entry(h)
		}
		found = append(found, m)
	}
	return found
}

// namingLines returns the numbers of the lines that look like entries but are not, by the texts between their pipes, as
// heading keys.
func (a *audit) namingLines() map[string]int {
	named := map[string]int{}
	for _, line := range a.Index.Lines {
		text := a.Index.Text(line)
		isMalformed := line.Kind == index.Malformed && strings.Contains(text, "|")
		isOther := (line.Kind == index.Preamble || line.Kind == index.Foreign) && !line.Opaque && likeEntry().MatchString(text)
		if !isMalformed && !isOther {
			continue
		}
		for field := range strings.SplitSeq(text, "|") {
			named[decision.Key(strings.TrimSpace(field))] = line.Number
		}
	}
	return named
}

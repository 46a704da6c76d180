package trigger

import (
	"regexp"
	"strings"
	"sync"

	"whence/internal/decision"
)

// documentSection returns what a trigger and a description are derived from in a document: its title
// without the number, and of its text first what was decided, then why, without status, date and
// names.
func documentSection(f *decision.File) Section {
	title := recordNumber().ReplaceAllString(f.Headings[0].Title, "")
	if !strings.Contains(title, " ") {
		title = strings.NewReplacer("-", " ", "_", " ").Replace(title)
	}
	return Section{Title: title, Text: recordText(f)}
}

// recordText returns the chapters of a document that say what was decided, then those that say why, or
// all of it if it has no such chapters.
func recordText(f *decision.File) string {
	chapters := decision.Parse(f.Path, f.Source)
	var decided, why strings.Builder
	for i, h := range chapters.Headings {
		words := strings.Fields(strings.Trim(h.Key, ".:"))
		switch {
		case h.Level == 1 || len(words) == 0:
		case decides(h.Key):
			decided.Write(chapters.Body(i))
		case words[0] == "context" || words[0] == "summary" || words[0] == "problem":
			why.Write(chapters.Body(i))
		}
	}
	text := decided.String() + "\n\n" + why.String()
	if strings.TrimSpace(text) == "" {
		text = string(f.Body(0))
	}
	return recordFacts().ReplaceAllString(text, "")
}

// decides reports whether a chapter says what was decided: "Decision", "Decision Outcome",
// "Our decision", "Outcome", "Solution".
func decides(title string) bool {
	return decisionTitle().MatchString(title)
}

var (
	// recordNumber matches the number before a title: "7. ", "ADR-0007: ", "[ADR 7] ".
	recordNumber = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^\[?(adr[-_ #]*)?\d+\]?(\s*[.:)–—-]\s*|\s+)`)
	})

	decisionTitle = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\W*((our|the|final) )?(decision|outcome|solution|resolution)( outcome| made|s)?\W*$`)
	})

	// recordFacts matches the lines about a record itself.
	recordFacts = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?im)^[ \t]*([*-][ \t]+)?\**(status|date|deciders?|decision[- ]makers?|consulted|informed|authors?|owners?|tags?|last updated|technical story|supersede[sd]( by)?|partly superseded.*)\**:?\**(:.*| by .*|[ \t]*)$`)
	})
)

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
	return Section{Title: title, Text: f.Decided()}
}

// recordNumber matches the number before a title: "7. ", "ADR-0007: ", "[ADR 7] ".
var recordNumber = pattern(`(?i)^\[?(adr[-_ #]*)?\d+\]?(\s*[.:)–—-]\s*|\s+)`)

// pattern returns a function that compiles a pattern when it is first needed.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

package decision

import (
	"bytes"
	"strings"

	"whence/internal/text"
)

// Decided returns the chapters of a document that say what was decided, then those that say why, or
// all of it if it has no such chapters. Lines about the record itself, such as status, date and
// names, and situations are left out.
func (f *File) Decided() string {
	var decided, why strings.Builder
	for i, h := range f.chapters {
		words := strings.Fields(strings.Trim(h.Key, ".:"))
		switch {
		case h.Level == 1 || len(words) == 0:
		case decidingTitle().MatchString(h.Key):
			decided.WriteString(f.WithoutSituations(h.Body, f.chapters[i].End) + "\n\n")
		case words[0] == "context" || words[0] == "summary" || words[0] == "problem":
			why.WriteString(f.WithoutSituations(h.Body, f.chapters[i].End) + "\n\n")
		}
	}
	text := decided.String() + why.String()
	if strings.TrimSpace(text) == "" {
		text = f.Record()
	}
	return string(bytes.TrimSpace(recordFacts().ReplaceAll([]byte(text), nil)))
}

var (
	// decidingTitle matches the title of a chapter that says what was decided: "Decision", "Decision
	// Outcome", "Our decision", "Outcome", "Solution".
	decidingTitle = text.Lazy(`^\W*((our|the|final) )?(decision|outcome|solution|resolution)( outcome| made|s)?\W*$`)

	// recordFacts matches the lines about a record itself.
	recordFacts = text.Lazy(`(?im)^[ \t]*([*-][ \t]+)?\**(status|date|deciders?|decision[- ]makers?|consulted|informed|authors?|owners?|tags?|last updated|technical story|supersede[sd]( by)?|partly superseded.*)\**:?\**(:.*| by .*|[ \t]*)$`)
)

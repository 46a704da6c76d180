package migrate

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"whence/internal/decision"
	"whence/internal/rank"
	"whence/internal/text"
	"whence/internal/trigger"
	"whence/validate"
)

// enoughWords is the number of words of a description that was too short.
const enoughWords = 5

// describe sets the description of a row, with the allowed number of words, and notes in Why what
// was changed. One that is too long is cut, at the end of a clause if enough is left. One that is
// too short, or missing, gets words of the section's prose that are in neither trigger nor title.
func (p *planner) describe(row *Row, h heading, description string) {
	used := validate.CountWords(row.Trigger) + validate.CountWords(row.Header)
	words := strings.Fields(description)
	minWords, maxWords := max(p.config.WordCount.Min-used, 1), max(p.config.WordCount.Max-used, 1)
	switch {
	case len(words) > maxWords:
		kept := validate.Clip(words, maxWords, minWords)
		row.Why += fmt.Sprintf("; description cut from %d to %d words", len(words), len(kept))
		words = kept
	case len(words) < minWords:
		n := min(max(minWords, enoughWords), maxWords) - len(words)
		known := row.Trigger + " " + row.Header + " " + description
		added := keywords(known, string(h.file.Body(h.index)), n)
		added = append(added, keywords(known+" "+strings.Join(added, " "), h.parents(), n-len(added))...)
		if len(words)+len(added) == 0 {
			added = trigger.Words(baseName(h.file.Path))
		}
		row.Why += fmt.Sprintf("; description filled up with %d words of its section", len(added))
		words = append(words, added...)
	}
	row.Description = strings.TrimSpace(strings.Join(words, " "))
}

// label matches the beginning of a line like "**Decision Date:** 2026-02-05".
var label = regexp.MustCompile(`^\*\*[^*]+:\*\*|^\*\*[^*]+\*\*:`)

// keywords returns the first n words of the prose of a Markdown text that carry meaning: no stop
// words, numbers, labels, or words of the known text.
func keywords(knownText, markdown string, n int) []string {
	known := rank.Words(knownText)
	var found []string
	for _, line := range decision.Prose(markdown) {
		for _, w := range strings.Fields(label.ReplaceAllString(line, "")) {
			w = strings.Trim(w, "*_`.,;:!?()[]{}<>\"'|=+-")
			key := strings.ToLower(w)
			if len(found) == n || known[key] || text.IsStopWord(key) || !strings.ContainsFunc(w, unicode.IsLetter) || strings.ContainsAny(w, "|`") {
				continue
			}
			known[key] = true
			found = append(found, w)
		}
	}
	return found
}

// parents returns the titles above a heading as one text.
func (h heading) parents() string {
	var titles []string
	for i := h.file.Headings[h.index].Parent; i >= 0; i = h.file.Headings[i].Parent {
		titles = append(titles, strings.TrimLeft(h.file.Headings[i].Title, "."))
	}
	return strings.Join(titles, " ")
}

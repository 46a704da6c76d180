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

// enoughWords is how many words a description gets that has to be made longer.
const enoughWords = 5

// describe fits the description to the allowed number of words: one that is too
// long is cut, at the end of a clause if that leaves enough; one that is too short, or
// missing, is filled up with words of the section's prose that neither trigger nor title
// have. It says what it did, or "".
func (p *planner) describe(row Row, h heading, description string) (fitted, why string) {
	used := validate.CountWords(row.Trigger) + validate.CountWords(row.Header)
	words := strings.Fields(description)
	least, most := max(p.config.WordCount.Min-used, 1), max(p.config.WordCount.Max-used, 1)
	switch {
	case len(words) > most:
		kept := validate.Clip(words, most, least)
		return strings.TrimSpace(strings.Join(kept, " ")), fmt.Sprintf("description cut from %d to %d words", len(words), len(kept))
	case len(words) < least:
		n := min(max(least, enoughWords), most) - len(words)
		added := keywords([]string{row.Trigger, row.Header, description}, string(h.file.Body(h.index)), n)
		if len(added) < n {
			added = append(added, keywords([]string{row.Trigger, row.Header, description, strings.Join(added, " ")}, h.parents(), n-len(added))...)
		}
		if len(words)+len(added) == 0 {
			added = trigger.Words(baseName(h.file.Path))
		}
		return strings.Join(append(words, added...), " "), fmt.Sprintf("description filled up with %d words of its section", len(added))
	}
	return strings.Join(words, " "), ""
}

// label matches the beginning of a line like "**Decision Date:** 2026-02-05".
var label = regexp.MustCompile(`^\*\*[^*]+:\*\*|^\*\*[^*]+\*\*:`)

// keywords takes the first n words of the prose of Markdown text that carry
// meaning: no stop words, numbers, labels, or words that the given texts have.
func keywords(have []string, markdown string, n int) []string {
	known := rank.Words(strings.Join(have, " "))
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

// parents are the titles above a heading, as text.
func (h heading) parents() string {
	var titles []string
	for i := h.file.Headings[h.index].Parent; i >= 0; i = h.file.Headings[i].Parent {
		titles = append(titles, strings.TrimLeft(h.file.Headings[i].Title, "."))
	}
	return strings.Join(titles, " ")
}

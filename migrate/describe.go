package migrate

import (
	"fmt"
	"strings"

	"whence/internal/trigger"
	"whence/validate"
)

// describe sets the description of a row, with the allowed number of words, and notes in Why what
// was changed. One that is too long is cut, at the end of a clause if enough is left. One that is
// too short, or missing, gets a phrase of its section.
func (p *planner) describe(row *Row, h heading, description string) {
	used := validate.CountWords(row.Trigger) + validate.CountWords(row.Header)
	words := strings.Fields(description)
	minWords, maxWords := max(p.config.WordCount.Min-used, 1), max(p.config.WordCount.Max-used, 1)
	switch {
	case len(words) > maxWords:
		kept := trigger.Clip(words, maxWords, minWords)
		row.Why += fmt.Sprintf("; description cut from %d to %d words", len(words), len(kept))
		words = kept
	case len(words) < minWords:
		added := trigger.Describe(h.file, h.index, minWords-len(words), maxWords-len(words))
		if len(words) > 0 && added != "" {
			words[len(words)-1] = strings.TrimRight(words[len(words)-1], ".,;:") + ";"
		}
		words = append(words, strings.Fields(added)...)
		row.Why += "; description filled up from its section"
	}
	row.Description = strings.Join(words, " ")
}

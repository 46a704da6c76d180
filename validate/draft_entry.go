package validate

import (
	"path"
	"strings"

	"whence/internal/decision"
	"whence/internal/index"
	"whence/internal/trigger"
)

// A drafted entry has about draftWords words, and its description at least
// minDescriptionWords, if the section has enough and the settings allow it.
const (
	draftWords          = 15
	minDescriptionWords = 7
)

// drafter drafts entries for headings without one: the trigger from the title (see package
// trigger), the description from the first prose of the section. A draft is a valid entry
// if the section has enough words.
type drafter struct {
	*check
	triggers *trigger.Set
}

func newDrafter(k *check) *drafter {
	d := &drafter{check: k, triggers: trigger.NewSet(len(k.keys))}
	for _, key := range k.keys {
		d.triggers.Add(key)
	}
	return d
}

// entry drafts the line for a heading, without a line end.
func (d *drafter) entry(at Place) string {
	h := d.heading(at)
	file := d.Decisions[at.File]
	derived := trigger.Derive(trigger.SectionOf(file, at.Heading))
	text, _ := d.triggers.Unique(derived.Operator, derived.Words, h.Title, baseName(file.Path))
	used := CountWords(text) + CountWords(h.Title)
	allowed := d.config.WordCount
	maxWords := max(1, min(max(minDescriptionWords, draftWords-used), allowed.Max-used))
	description := d.description(at, maxWords, allowed.Min-used)
	return index.FormatEntry(derived.Operator, text, h.Title, description)
}

// baseName returns the name of a file without folder and extension.
func baseName(name string) string { return strings.TrimSuffix(path.Base(name), path.Ext(name)) }

// description takes words from the prose of the section, and if there are fewer than minWords,
// from the titles above it. It does not pad: word-count reports a draft that is too short.
func (d *drafter) description(at Place, maxWords, minWords int) string {
	file, h := d.Decisions[at.File], d.heading(at)
	words := proseWords(string(file.Body(at.Heading)), maxWords+1) // one more shows that it goes on
	for parent := h.Parent; parent >= 0 && len(words) < minWords; parent = file.Headings[parent].Parent {
		words = append(words, proseWords(strings.TrimLeft(file.Headings[parent].Title, "."), maxWords)...)
	}
	if len(words) == 0 {
		words = trigger.Words(baseName(file.Path))
	}
	words = withoutLoose(Clip(words, maxWords, minWords), max(minWords, 1))
	text := strings.ReplaceAll(strings.Join(words, " "), "`", "") // Clip needed them
	if text = strings.TrimRight(text, ",;:.–—- "); text != "" {
		return text
	}
	return strings.Join(trigger.Words(baseName(file.Path)), " ")
}

// proseWords returns the first words of the prose in Markdown text, without emphasis.
func proseWords(text string, maxWords int) []string {
	var words []string
	for _, line := range decision.Prose(text) {
		for _, w := range strings.Fields(line) {
			w = strings.Trim(strings.ReplaceAll(w, "**", ""), "*_")
			if strings.Trim(w, "`") != "" && len(words) < maxWords {
				words = append(words, w)
			}
		}
		if len(words) >= maxWords {
			break
		}
	}
	return words
}

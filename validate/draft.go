package validate

import (
	"path"
	"strings"

	"whence/internal/decision"
	"whence/internal/index"
	"whence/internal/trigger"
)

// draftWords is how many words a drafted entry has in all, and descriptionWords
// how many its description has at least, where the section has enough and the
// settings allow it.
const (
	draftWords       = 15
	descriptionWords = 7
)

// drafter writes entries for headings that have none: the trigger from the title (see package trigger),
// the description from the first prose of the section. It is a proposal, so its
// fix is unsafe; but it is a valid entry wherever the section has enough words.
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
func (d *drafter) entry(at heading) string {
	h := d.heading(at)
	derived := trigger.Derive(h.Title, "")
	text, _ := d.triggers.Unique(derived.Operator, derived.Words, h.Title, baseName(d.Decisions[at.file].Path))
	used := CountWords(text) + CountWords(h.Title)
	allowed := d.config.WordCount
	most := min(max(descriptionWords, draftWords-used), allowed.Max-used)
	description := d.description(at, max(1, most), allowed.Min-used)
	return index.FormatEntry(derived.Operator, text, h.Title, description)
}

// baseName is the name of a file without folders and ending.
func baseName(name string) string { return strings.TrimSuffix(path.Base(name), path.Ext(name)) }

// description takes words of the section's prose; where that has fewer than
// least, also of the titles above it. A draft that is still too short is left to
// word-count: padding would only hide that there is nothing to find it by.
func (d *drafter) description(at heading, most, least int) string {
	file, h := d.Decisions[at.file], d.heading(at)
	words := proseWords(string(file.Body(at.index)), most+1) // one more shows that it goes on
	for parent := h.Parent; parent >= 0 && len(words) < least; parent = file.Headings[parent].Parent {
		words = append(words, proseWords(strings.TrimLeft(file.Headings[parent].Title, "."), most)...)
	}
	if len(words) == 0 {
		words = trigger.Words(baseName(file.Path))
	}
	words = withoutLoose(Clip(words, most, least), max(least, 1))
	text := strings.ReplaceAll(strings.Join(words, " "), "`", "") // which only tell where not to cut
	if text = strings.TrimRight(text, ",;:.–—- "); text != "" {
		return text
	}
	return strings.Join(trigger.Words(baseName(file.Path)), " ")
}

// proseWords returns the first words of Markdown text: headings, fences, comments,
// tables and emphasis are dropped.
func proseWords(text string, most int) []string {
	var words []string
	for _, line := range decision.Prose(text) {
		for _, w := range strings.Fields(line) {
			w = strings.Trim(strings.ReplaceAll(w, "**", ""), "*_")
			if strings.Trim(w, "`") != "" && len(words) < most {
				words = append(words, w)
			}
		}
		if len(words) >= most {
			break
		}
	}
	return words
}

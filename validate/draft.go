package validate

import (
	"fmt"
	"path"
	"strings"
	"unicode"

	"whence/internal/decision"
	"whence/internal/index"
)

// draftWords is how many words a drafted entry has in all, and descriptionWords
// how many its description has at least, where the section has enough and the
// settings allow it.
const (
	draftWords       = 15
	descriptionWords = 7
)

// maxTriggerWords is how many words a trigger has at most, as a rule.
const maxTriggerWords = 5

// drafter writes entries for headings that have none: the trigger from the title,
// the description from the first prose of the section. It is a proposal, so its
// fix is unsafe; but it is a valid entry wherever the section has enough words.
type drafter struct {
	*check
	taken map[index.Key]bool
}

func newDrafter(k *check) *drafter {
	d := &drafter{check: k, taken: map[index.Key]bool{}}
	for _, i := range k.entries {
		d.taken[k.Index.Lines[i].Entry.Key()] = true
	}
	return d
}

// entry drafts the line for a heading, without a line end.
func (d *drafter) entry(at heading) string {
	h := d.heading(at)
	operator, trigger := d.trigger(at)
	used := CountWords(trigger) + CountWords(h.Title)
	allowed := d.config.WordCount
	most := min(max(descriptionWords, draftWords-used), allowed.Max-used)
	description := d.description(at, max(1, most), allowed.Min-used)
	return index.FormatEntry(operator, trigger, h.Title, description)
}

// trigger makes a trigger of a title that no other entry has: "When X" and "How
// to X" give their operator; the rest is put in lower case, without the runes
// that a trigger may not hold, and cut to five words if that is unique.
func (d *drafter) trigger(at heading) (operator, trigger string) {
	title := strings.ToLower(d.heading(at).Title)
	operator = "when"
	if rest, found := strings.CutPrefix(title, "how to "); found {
		operator, title = "how", rest
	} else if rest, found := strings.CutPrefix(title, "when "); found {
		title = rest
	}
	words := triggerWords(title)
	name := triggerWords(baseName(d.Decisions[at.file].Path))
	if len(words) == 0 {
		words = name
	}
	for n := min(maxTriggerWords, len(words)); n <= len(words); n++ {
		if trigger, free := d.take(operator, words[:n]); free {
			return operator, trigger
		}
	}
	words = append(words, name...)
	for n := 1; ; n++ {
		if trigger, free := d.take(operator, words); free {
			return operator, trigger
		}
		words = append(words[:len(words):len(words)], fmt.Sprint(n+1))
	}
}

// baseName is the name of a file without folders and ending.
func baseName(name string) string { return strings.TrimSuffix(path.Base(name), path.Ext(name)) }

// take reserves a trigger unless it is in use.
func (d *drafter) take(operator string, words []string) (trigger string, free bool) {
	trigger = strings.Join(words, " ")
	key := index.Key{Operator: operator, Trigger: trigger}
	if trigger == "" || d.taken[key] {
		return "", false
	}
	d.taken[key] = true
	return trigger, true
}

// triggerWords splits text into words that a trigger may hold.
func triggerWords(text string) []string {
	cleaned := strings.Map(func(r rune) rune {
		if !triggerRune(r) {
			return ' '
		}
		return r
	}, strings.ToLower(text))
	var words []string
	for _, w := range strings.Fields(cleaned) {
		if w = strings.Trim(w, "-'/."); strings.ContainsFunc(w, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			words = append(words, w)
		}
	}
	return words
}

// description takes words of the section's prose; where that has fewer than
// least, also of the titles above it. A draft that is still too short is left to
// word-count: padding would only hide that there is nothing to find it by.
func (d *drafter) description(at heading, most, least int) string {
	file, h := d.Decisions[at.file], d.heading(at)
	words := proseWords(string(file.Body(at.index)), most)
	for parent := h.Parent; parent >= 0 && len(words) < least; parent = file.Headings[parent].Parent {
		words = append(words, proseWords(strings.TrimLeft(file.Headings[parent].Title, "."), most)...)
	}
	if len(words) == 0 {
		words = triggerWords(baseName(file.Path))
	}
	if len(words) > most {
		words = words[:most]
	}
	return strings.TrimRight(strings.Join(words, " "), ",;:.–—-")
}

// proseWords returns the first words of Markdown text: headings, fences, comments,
// tables and mark-up are left out.
func proseWords(text string, most int) []string {
	var words []string
	for _, line := range decision.Prose(text) {
		for _, w := range strings.Fields(line) {
			if w = strings.Trim(w, "*_`"); w != "" && len(words) < most {
				words = append(words, w)
			}
		}
		if len(words) >= most {
			break
		}
	}
	return words
}

package validate

import (
	"path"
	"strings"

	"whence/internal/index"
	"whence/internal/trigger"
)

// drafter drafts entries for headings without one: trigger and description by package trigger. A
// draft is a valid entry if the section has enough words.
type drafter struct {
	*check
	triggers trigger.Set
}

func newDrafter(k *check) *drafter {
	d := &drafter{check: k, triggers: trigger.Set{}}
	for _, e := range k.entries {
		d.triggers[e.key] = true
	}
	return d
}

// entry drafts the line for a heading, without a line end.
func (d *drafter) entry(at Place) string {
	file := d.Decisions[at.File]
	title := d.headerTitle(at)
	operator, words := trigger.Derive(trigger.Title(file, at.Heading))
	text, _ := d.triggers.Unique(operator, words, title, baseName(file.Path))
	allowed := d.config.WordCount
	if alias := file.Headings[at.Heading].Alias; alias != "" && CountWords(text)+CountWords(title) > allowed.Max-2 {
		title = alias
	}
	used := CountWords(text) + CountWords(title)
	description := trigger.Describe(file, at.Heading, allowed.Min-used, allowed.Max-used)
	return index.FormatEntry(operator, text, title, description)
}

// baseName returns the name of a file without folder and extension.
func baseName(name string) string { return strings.TrimSuffix(path.Base(name), path.Ext(name)) }

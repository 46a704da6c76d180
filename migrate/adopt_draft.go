package migrate

import (
	"bytes"
	"fmt"

	"whence/internal/config"
	"whence/internal/decision"
	"whence/internal/index"
	"whence/validate"
)

// draft returns the drafts for documents and new decision files, and rows for new files that have none.
func (a *adoption) draft(e *validate.Editor, c config.Config, words config.Range) (entries []validate.Entry, out adoptPlan) {
	for _, m := range e.Missing() {
		file, _ := e.Heading(m.Place)
		isNew := isNew(file.Path, c)
		if m.Older >= 0 || m.Misspelt >= 0 || !isNew && !file.Document {
			continue // for a person to look at
		}
		entry, reason := draftEntry(m, file, words)
		switch {
		case reason != "" && isNew:
			out = append(out, adoptRow{asTheyAre, globOf(file.Path), 1, reason})
		case reason == "":
			entries = append(entries, entry)
			if n := len(a.sections); n == 0 || a.sections[n-1].path != file.Section() {
				a.sections = append(a.sections, sectionCount{path: file.Section()})
			}
			a.sections[len(a.sections)-1].entries++
		}
	}
	return entries, out
}

// draftEntry completes the draft for a heading, or returns why it cannot be an entry. If the draft has
// too few words, it also says where the decision is recorded.
func draftEntry(m validate.Missing, file *decision.File, allowed config.Range) (entry validate.Entry, reason string) {
	if len(bytes.TrimSpace(file.Source)) == 0 {
		return entry, "it is empty"
	}
	drafted := parseEntry(m.Line)
	title, description := drafted.Title.Text, drafted.Description.Text
	used := validate.CountWords(drafted.Trigger.Text) + validate.CountWords(title)
	for _, where := range []string{"recorded in ", "a decision of its own, recorded in "} {
		if used+validate.CountWords(description) < allowed.Min {
			description = where + file.Path
			if drafted.Description.Text != "" {
				description = drafted.Description.Text + "; " + description
			}
		}
	}
	if description == "" {
		return entry, fmt.Sprintf("its title has %d words, and an entry at most %d: shorten it", validate.CountWords(title), allowed.Max)
	}
	m.Line = index.FormatEntry(drafted.Operator, drafted.Trigger.Text, title, description)
	if parseEntry(m.Line).Description.Text == "" {
		return entry, "its title cannot be in an entry: reword it"
	}
	return m.Entry, ""
}

// parseEntry returns the entry of a line, an empty one if it is none.
func parseEntry(line string) index.Entry {
	lines := index.Parse([]byte("## x\n" + line + "\n")).Lines
	if len(lines) < 2 || lines[1].Opaque {
		return index.Entry{}
	}
	return lines[1].Entry
}

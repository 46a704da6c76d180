package validate

import (
	"fmt"
	"slices"
	"strings"

	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/memory"
	"whence/internal/shell"
	"whence/internal/words"
)

// unknownHeader reports entries whose header title matches no heading. If the heading seems
// to be renamed, an unsafe fix writes its new title.
func unknownHeader(k *audit, report func(finding.Finding)) {
	for _, i := range k.unique {
		if k.conflicts(k.section(k.Index.Lines[i]).Path) != nil || !k.isOrphan(i) {
			continue
		}
		title := k.Index.Lines[i].Entry.Title
		message := fmt.Sprintf("no heading %q in the decision files", title.Text)
		var fix *finding.Fix
		if r, renamed := k.renames[i]; renamed {
			now := r.heading
			message += fmt.Sprintf(": renamed to %q (%s)? Then run %s", now.Title, k.position(r.heading), k.Renaming(i, r.heading))
			fix = r.fix
		} else {
			section := k.sectionPath(k.Index.Lines[i])
			_, refused := memory.WhyNot(k.Source, section)
			if refused && k.config.Layout().Holds(section) || !k.files[section] && k.emptyGlob(section) != "" {
				continue // unknown-file says why
			}
			if free := k.free[section]; len(free) > 0 {
				message += fmt.Sprintf(": if its heading has a new title, such as %q (%s), run %s; if its decision is gone: %s",
					free[0].Title, k.position(free[0]), k.Renaming(i, free[0]), k.removing(i))
			} else {
				message += ": write the title of the heading it leads to, or delete the entry: " + k.removing(i)
			}
		}
		f := k.atOffset(i, title.Start, "%s", message)
		f.Fix = fix
		report(f)
	}
}

// isOrphan reports whether the title of an entry is that of no heading at all.
func (k *audit) isOrphan(i int) bool {
	title := k.Index.Lines[i].Entry.Title.Text
	return k.Target(i) == nil && len(k.Structural(title)) == 0 && len(k.Named(title)) == 0
}

// removing returns the command that removes the entry of a line.
func (k *audit) removing(i int) string {
	return k.config.Typed.Command("memory-remember entry rm " + k.EntryWord(i))
}

// Renaming returns the command that gives the entry of a line the title of a heading.
func (k *audit) Renaming(i int, to *memory.Heading) string {
	return k.config.Typed.Command("memory-remember entry rename " + k.EntryWord(i) + " --header " + shell.Quote(to.Title))
}

// EntryWord returns an entry as the argument of a command: its trigger, or the whole line if another one
// has the same.
func (k *audit) EntryWord(i int) string {
	line := k.Index.Lines[i]
	if len(k.Keyed(line.Entry.Key())) > 1 {
		return shell.Quote(strings.TrimSpace(k.Index.Text(line)))
	}
	return shell.Quote("/" + line.Entry.Operator + " " + line.Entry.Trigger.Text)
}

// rename is the heading that an entry with an unknown title seems to mean.
type rename struct {
	heading *memory.Heading
	fix     *finding.Fix // writes its title
}

// findRenames proposes headings for entries without one. It pairs the entries and headings
// without counterpart of each section by the words of their titles (see text.Pairs). Where a section has one
// of each, they belong together in other words too, see isSame.
func (k *audit) findRenames() {
	k.renames, k.orphans, k.free = map[int]rename{}, map[string][]int{}, map[string][]*memory.Heading{}
	for _, i := range k.unique {
		if section := k.sectionPath(k.Index.Lines[i]); k.isOrphan(i) {
			k.orphans[section] = append(k.orphans[section], i)
		}
	}
	for _, h := range k.Headings {
		section := h.File.Section()
		if k.orphans[section] != nil && h.Semantic() && !h.Intro && !k.claimed[k.name(h)] {
			k.free[section] = append(k.free[section], h)
		}
	}
	for section, free := range k.free {
		var titles, headings []string
		for _, i := range k.orphans[section] {
			titles = append(titles, k.Index.Lines[i].Entry.Title.Text)
		}
		for _, h := range free {
			headings = append(headings, h.Title)
		}
		pairs := words.Pairs(titles, headings)
		if len(titles) == 1 && len(headings) == 1 && k.isSame(k.orphans[section][0], free[0]) {
			pairs = []words.Pair{{}}
		}
		for _, pair := range pairs {
			line, h := k.orphans[section][pair.Left], free[pair.Right]
			title := k.edit(k.Index.Lines[line].Entry.Title.Span, index.Escape(k.headerTitle(h)))
			k.renames[line] = rename{h, &finding.Fix{Unsafe: true, Edits: []finding.Edit{title}}}
			k.free[section] = slices.DeleteFunc(slices.Clone(k.free[section]), func(other *memory.Heading) bool { return other == h })
		}
	}
}

// isSame reports whether the only heading without entry of a section is that of its only entry without heading,
// whatever their titles. It is if it has situations, which come with an entry, or if its text in the same file has
// words of the entry.
func (k *audit) isSame(line int, h *memory.Heading) bool {
	if len(h.Phrases()) > 0 || h.File.Document { // a document without situations may be a new one
		return len(h.Phrases()) > 0
	}
	entry := k.Index.Lines[line].Entry
	body := string(h.File.Source[h.Body:h.End])
	return words.Overlap(words.SetOf(entry.Trigger.Text+" "+entry.Description.Text), words.SetOf(body)) > 0
}

package validate

import (
	"fmt"
	"slices"
	"strings"

	"whence/internal/decision"
	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/memory"
	"whence/internal/shell"
	"whence/internal/trigger"
	"whence/internal/words"
)

// unknownHeader reports entries whose header title matches no heading. If the heading seems to have been renamed, an
// unsafe fix writes its new title.
func unknownHeader(a *audit, report func(finding.Finding)) {
	for _, e := range a.unique {
		if a.conflicts(e.Section) != nil || a.unread[e.Section] || !a.isOrphan(e) {
			continue
		}
		message := fmt.Sprintf("no heading %q in the decision files", e.Title.Text)
		var fix *finding.Fix
		heading := ""
		if top := a.topLevel(e.Title.Text); top != nil {
			message += fmt.Sprintf(": %s has it with one #; the heading of a decision has two or more", a.position(top))
		} else if r, renamed := a.renames[e]; renamed {
			now := r.heading
			heading = now.Title
			message += fmt.Sprintf(": renamed to %q (%s)? Then run %s", now.Title, a.position(r.heading), a.Renaming(e, r.heading))
			fix = r.fix
		} else {
			_, refused := memory.WhyNot(a.Source, e.Section)
			if refused && a.config.Layout().Holds(e.Section) || !a.fileSections[e.Section] && a.emptyGlob(e.Section) != "" {
				continue // unknown-file says why
			}
			if free := a.free[e.Section]; len(free) > 0 {
				message += fmt.Sprintf(": if its heading has a new title, such as %q (%s), run %s; if its decision is gone: %s",
					free[0].Title, a.position(free[0]), a.Renaming(e, free[0]), a.removing(e))
			} else {
				message += ": write the title of the heading it leads to, or delete the entry: " + a.removing(e)
			}
		}
		f := a.atField(e, e.Title, "%s", message)
		f.Fix, f.Heading = fix, heading
		report(f)
	}
}

// topLevel returns the level-1 heading with a title, outside of documents, or nil.
func (a *audit) topLevel(title string) *memory.Heading {
	key := decision.Key(title)
	for _, h := range a.Headings {
		if h.Level == 1 && !h.File.Document && h.Key == key {
			return h
		}
	}
	return nil
}

// isOrphan reports whether no heading at all has the title of an entry.
func (a *audit) isOrphan(e *memory.Entry) bool {
	return a.LeadsTo(e) == nil && len(a.Structural(e.Title.Text)) == 0 && len(a.Semantic(e.Title.Text)) == 0
}

// removing returns the command that removes an entry.
func (a *audit) removing(e *memory.Entry) string {
	return a.config.Typed.Command("memory-remember entry rm " + a.EntryWord(e))
}

// Renaming returns the command that gives an entry the title of a heading. If that leaves too little room for the
// description, the command shortens it.
func (a *audit) Renaming(e *memory.Entry, to *memory.Heading) string {
	title := a.headerTitle(to)
	command := "memory-remember entry rename " + a.EntryWord(e) + " --header " + shell.Quote(title)
	if room := a.roomBeside(e, title); words.Count(e.Description.Text) > room {
		command += " --description " + shell.Quote(strings.Join(trigger.Clip(strings.Fields(e.Description.Text), 1, max(room, 1)), " "))
	}
	return a.config.Typed.Command(command)
}

// roomBeside returns how many words the description of an entry may have if the entry gets another header title.
func (a *audit) roomBeside(e *memory.Entry, title string) int {
	return a.config.WordCount.Max - words.Count(e.Trigger.Text) - words.Count(title)
}

// EntryWord returns an entry as the argument of a command: its operator and trigger, or the whole line if another entry
// has the same.
func (a *audit) EntryWord(e *memory.Entry) string {
	if len(a.Keyed(e.Key())) > 1 {
		return shell.Quote(strings.TrimSpace(a.text(e)))
	}
	return shell.Quote("/" + e.Operator + " " + e.Trigger.Text)
}

// rename is the heading that an entry with an unknown title seems to mean.
type rename struct {
	heading *memory.Heading
	fix     *finding.Fix // writes its title; nil if the description leaves no room
}

// findRenames proposes headings for entries without one. In each section, it pairs the entries without a heading and
// the headings without an entry by the words of their titles (see [words.Pairs]). If there is one of each, isSame may
// pair them even if their words differ.
func (a *audit) findRenames() {
	a.renames, a.free = map[*memory.Entry]rename{}, map[string][]*memory.Heading{}
	orphans := map[string][]*memory.Entry{} // by section
	for _, e := range a.unique {
		if a.isOrphan(e) {
			orphans[e.Section] = append(orphans[e.Section], e)
		}
	}
	for _, h := range a.Headings {
		section := h.File.Section()
		if orphans[section] != nil && h.Semantic() && !h.Intro && !a.claimed[a.name(h)] {
			a.free[section] = append(a.free[section], h)
		}
	}
	for section, free := range a.free {
		var titles, headings []string
		for _, e := range orphans[section] {
			titles = append(titles, e.Title.Text)
		}
		for _, h := range free {
			headings = append(headings, h.Title)
		}
		pairs := words.Pairs(titles, headings)
		if len(titles) == 1 && len(headings) == 1 && a.isSame(orphans[section][0], free[0]) {
			pairs = []words.Pair{{}}
		}
		for _, pair := range pairs {
			e, h := orphans[section][pair.Left], free[pair.Right]
			a.renames[e] = rename{h, a.retitled(e, a.headerTitle(h))}
			a.free[section] = slices.DeleteFunc(slices.Clone(a.free[section]), func(other *memory.Heading) bool { return other == h })
		}
	}
}

// retitled returns the fix that gives an entry another header title, or nil if that leaves no room for its description.
func (a *audit) retitled(e *memory.Entry, title string) *finding.Fix {
	if words.Count(e.Description.Text) > a.roomBeside(e, title) {
		return nil
	}
	return &finding.Fix{Unsafe: true, Edits: []finding.Edit{a.edit(e.Title.Span, index.Escape(title))}}
}

// isSame reports whether the only heading of a section without an entry belongs to its only entry without a heading,
// whatever their titles. It does if it has situations, which are written with an entry. Outside of documents, it also
// does if its text has words of the entry.
func (a *audit) isSame(e *memory.Entry, h *memory.Heading) bool {
	if len(h.Phrases()) > 0 || h.File.Document { // a document without situations may be a new one
		return len(h.Phrases()) > 0
	}
	body := string(h.File.Source[h.Body:h.End])
	return words.Overlap(words.SetOf(e.Trigger.Text+" "+e.Description.Text), words.SetOf(body)) > 0
}

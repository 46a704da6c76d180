package validate

import (
	"fmt"
	"strings"

	"whence/internal/corpus"
	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/text"
)

// unknownHeader reports entries whose header title matches no heading. If the heading seems
// to be renamed, an unsafe fix writes its new title.
func unknownHeader(k *check, report func(finding.Finding)) {
	for _, i := range k.unique {
		title := k.Index.Lines[i].Entry.Title
		if k.conflicts(k.section(k.Index.Lines[i]).Path) != nil {
			continue
		}
		if _, known := k.Target(i); known || len(k.Structural(title.Text)) > 0 || len(k.joined.Named(title.Text)) > 0 {
			continue
		}
		message := fmt.Sprintf("no heading %q in the decision files", title.Text)
		var fix *finding.Fix
		if r, renamed := k.renames[i]; renamed {
			now := k.heading(r.heading)
			message += fmt.Sprintf(": renamed to %q (%s)? Then run %s", now.Title, k.position(r.heading), k.Renaming(i, r.heading))
			fix = r.fix
		} else {
			section := k.sectionPath(k.Index.Lines[i])
			if _, refused := corpus.WhyNot(k.Tree, section); refused && k.config.Layout().Holds(section) {
				continue // unknown-file says why
			}
			message += ": write the title of the heading it leads to, or delete the entry: " + k.removing(i)
		}
		f := k.atOffset(i, title.Start, "%s", message)
		f.Fix = fix
		report(f)
	}
}

// removing returns the command that removes the entry of a line.
func (k *check) removing(i int) string {
	return k.config.Typed.Command("memory-remember entry rm " + k.EntryWord(i))
}

// Renaming returns the command that gives the entry of a line the title of a heading.
func (k *check) Renaming(i int, to Place) string {
	return k.config.Typed.Command("memory-remember entry rename " + k.EntryWord(i) + " --header " + text.ShellQuote(k.heading(to).Title))
}

// EntryWord returns an entry as the argument of a command: its trigger, or the whole line if another one
// has the same.
func (k *check) EntryWord(i int) string {
	line := k.Index.Lines[i]
	for _, other := range k.entries {
		if other.line != i && other.key == line.Entry.Key() {
			return text.ShellQuote(strings.TrimSpace(k.Index.Text(line)))
		}
	}
	return text.ShellQuote("/" + line.Entry.Operator + " " + line.Entry.Trigger.Text)
}

// rename is the heading that an entry with an unknown title seems to mean.
type rename struct {
	heading Place
	fix     *finding.Fix // writes its title
}

// findRenames proposes headings for entries without one. It pairs the entries and headings
// without counterpart of each section by the words of their titles (see text.Pairs).
func (k *check) findRenames() map[int]rename {
	orphans, free := map[string][]int{}, map[string][]Place{}
	for _, i := range k.unique {
		line := k.Index.Lines[i]
		if _, known := k.Target(i); !known && len(k.Structural(line.Entry.Title.Text)) == 0 {
			orphans[k.sectionPath(line)] = append(orphans[k.sectionPath(line)], i)
		}
	}
	for fi, file := range k.Decisions {
		if orphans[file.Section()] == nil {
			continue
		}
		for hi, h := range file.Headings {
			if at := (Place{File: fi, Heading: hi}); h.Semantic() && !h.Intro && !k.claimed[k.name(at)] {
				free[file.Section()] = append(free[file.Section()], at)
			}
		}
	}
	renames := map[int]rename{}
	for section, places := range free {
		var titles, headings []string
		for _, i := range orphans[section] {
			titles = append(titles, k.Index.Lines[i].Entry.Title.Text)
		}
		for _, at := range places {
			headings = append(headings, k.heading(at).Title)
		}
		for _, pair := range text.Pairs(titles, headings) {
			line, h := orphans[section][pair.Left], places[pair.Right]
			title := k.edit(k.Index.Lines[line].Entry.Title.Span, index.Escape(k.headerTitle(h)))
			renames[line] = rename{h, &finding.Fix{Unsafe: true, Edits: []finding.Edit{title}}}
		}
	}
	return renames
}

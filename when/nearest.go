package when

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"whence/internal/memory"
	"whence/internal/rank"
)

// Suggestion is a query that has an answer, and why it is suggested.
type Suggestion struct {
	Command string `json:"command"`
	Why     string `json:"why,omitempty"`
}

// NotFound is the error of a query without an answer.
type NotFound struct {
	What        string
	Suggestions []Suggestion // the nearest first; behind them perhaps others
	Near        bool         // the first shares something with the query
	More        int          // suggestions that are left out
}

func (e *NotFound) Error() string { return e.What }

// Left says how many suggestions are not listed; "" if all are.
func (e *NotFound) Left() string {
	if e.More == 0 {
		return ""
	}
	return fmt.Sprintf("… and %d more", e.More)
}

// maxSuggestions bounds the suggestions for a query.
const maxSuggestions = 5

// suggest suggests the documents of all that are nearest to asked, and if few, the others behind them. suggestion
// returns the suggestion for a position in all.
func (e *NotFound) suggest(asked string, all []rank.Document, few bool, suggestion func(at int) Suggestion) {
	order := rank.NewIndex(all).Nearest(asked)
	e.Near = len(order) > 0
	for i := range all {
		if few && !slices.Contains(order, i) {
			order = append(order, i)
		}
	}
	for _, i := range order[:min(len(order), maxSuggestions)] {
		e.Suggestions = append(e.Suggestions, suggestion(i))
	}
	e.More = len(order) - len(e.Suggestions)
}

// NoTrigger returns the error for a trigger that does not exist: it suggests entries.
func (l *Lookup) NoTrigger(trigger string) *NotFound {
	e := &NotFound{What: fmt.Sprintf("no trigger %q", trigger)}
	var all []rank.Document
	for _, entry := range l.Entries {
		all = append(all, rank.Document{Trigger: entry.Trigger.Text, Body: entry.Title.Text + " " + entry.Description.Text})
	}
	e.suggest(trigger, all, false, func(at int) Suggestion {
		return Suggestion{l.Entries[at].Query(), l.Entries[at].Title.Text}
	})
	if !e.Near {
		e.What += fmt.Sprintf("; nothing is close: all triggers are in %s", l.typed.Path(l.Layout.Index))
	}
	return e
}

// noSection returns the error for a title that names no section, or several: it suggests those.
func (l *Lookup) noSection(q Query, found []*memory.Heading) error {
	e := &NotFound{What: fmt.Sprintf("%q names several sections", q.Title)}
	if len(found) == 0 {
		e.What = fmt.Sprintf("no section %q", q.Title)
		found = slices.Clone(l.Headings)
		slices.SortStableFunc(found, func(a, b *memory.Heading) int { return cmp.Compare(groups(b), groups(a)) })
	}
	if named := l.FilesNamed(q.File); q.File != "" {
		found = slices.DeleteFunc(found, func(h *memory.Heading) bool { return !slices.Contains(named, h.File.Path) })
	}
	var all []rank.Document
	for _, h := range found {
		all = append(all, rank.Document{Trigger: h.Title})
	}
	e.suggest(q.Title, all, true, func(at int) Suggestion {
		command := l.sectionQuery(found[at])
		if command == "" { // twice in one file
			command = l.fileQuery(found[at].File.Path)
		}
		return Suggestion{command, placeOf(found[at])}
	})
	return e
}

// groups returns 1 for a heading that groups others, which § is for, or else 0.
func groups(h *memory.Heading) int {
	if h.Structural() {
		return 1
	}
	return 0
}

// noFile returns the error for a name that no decision file has, or several: it suggests those.
func (l *Lookup) noFile(name string, found []string) error {
	e := &NotFound{What: fmt.Sprintf("%q is the name of several decision files", name)}
	if len(found) == 0 {
		e.What, found = fmt.Sprintf("no decision file %q", name), l.Paths
	}
	var all []rank.Document
	for _, p := range found {
		all = append(all, rank.Document{Trigger: strings.TrimSuffix(p, ".md")})
	}
	e.suggest(strings.TrimSuffix(name, ".md"), all, true, func(at int) Suggestion {
		return Suggestion{Command: l.fileQuery(found[at])}
	})
	return e
}

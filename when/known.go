package when

import (
	"whence/internal/dispatch"
)

// Known returns all that an agent can be shown of a memory: its decisions, and its files and sections.
func (l *Lookup) Known() (all []dispatch.Item) {
	for _, d := range l.decisions() {
		all = append(all, d.item(shownTitle(d.Title, d.isProposed())))
	}
	for _, f := range l.Files {
		all = append(all, dispatch.Item{Query: l.fileQuery(f.Path), Key: decisionKey(f.Path, f.Path)})
		for _, h := range l.HeadingsOf(f) {
			query := l.sectionQuery(h)
			if len(h.Entries) > 0 {
				query = h.Entries[0].Query()
			}
			all = append(all, dispatch.Item{Query: query, Key: decisionKey(f.Path, h.Title), Title: h.Title})
		}
	}
	return all
}

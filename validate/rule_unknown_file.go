package validate

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/decision"
	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/memory"
	"whence/internal/worktree"
)

// unknownFile reports sections that name no decision file and have entries with unknown headings, and
// empty sections of missing files. Entries with known headings are left to wrong-section.
func unknownFile(a *audit, report func(finding.Finding)) {
	for _, s := range a.Index.Sections {
		if a.fileSections[s.Path] || a.unread[s.Path] || IsLegacySection(s.Path) {
			continue
		}
		entries, moving, blank := 0, 0, 0
		elsewhere := map[string]bool{} // sections with a heading that an ambiguous title of an entry may mean
		for i := s.First + 1; i < s.End; i++ {
			if isEntry(a.Index.Lines[i]) {
				entries++
			}
			if e := a.EntryAt(i); e != nil && a.LeadsTo(e) != nil {
				moving++
			} else if e != nil {
				for _, h := range a.Find(s.Path, e.Title.Text) {
					elsewhere[h.File.Section()] = true
				}
			}
			if a.blank(i) {
				blank++
			}
		}
		if to := a.moved[s.Path]; to != "" {
			f := a.atLine(s.First, "section %q names no decision file, but %q has the decisions of its entries: --fix writes that", s.Path, to)
			f.Fix = &finding.Fix{Edits: []finding.Edit{a.edit(a.Index.Lines[s.First].Span, "## "+to)}}
			report(f)
		} else if entries > moving {
			advice := fmt.Sprintf("write the path of a decision file from the root of the repository, or if that has moved, run \"%s\"; if its decisions are gone, delete the entries",
				a.config.Typed.Command("memory-migrate adopt --write"))
			if r, refused := memory.WhyNot(a.Source, s.Path); refused && a.config.Layout().Holds(s.Path) {
				advice = r.Error()
			} else if glob := a.emptyGlob(s.Path); glob != "" {
				advice = fmt.Sprintf("%q in the settings matches no file: if its folder has moved, run \"%s\", or write its new name into %s and run \"%s\"; if its decisions are gone, delete the entries",
					glob, a.config.Typed.Command("memory-migrate adopt --write"), config.ProjectFile, a.config.Typed.Command("memory-validate --fix"))
			} else if len(elsewhere) > 1 {
				var lines []string
				for _, section := range slices.Sorted(maps.Keys(elsewhere)) {
					lines = append(lines, fmt.Sprintf("%q", "## "+section))
				}
				advice = fmt.Sprintf("several files have the titles of its entries: move each entry below %s, or delete it if that has one", strings.Join(lines, " or "))
			}
			report(a.atLine(s.First, "section %q names no decision file, but has %s: %s", s.Path, cli.Count(entries, "entry", "entries"), advice))
		} else if s.First+1+blank == s.End && a.mayName(s.Path) {
			f := a.atLine(s.First, "section %q is empty, and its file does not exist: --fix removes it", s.Path)
			first := s.First
			for s.End == len(a.Index.Lines) && first > 0 && a.blank(first-1) {
				first--
			}
			f.Fix = &finding.Fix{
				Edits:   []finding.Edit{a.edit(index.Span{Start: a.Index.Lines[first].Start, End: a.Index.Lines[s.End-1].Next}, "")},
				Removed: []string{"## " + s.Path},
			}
			report(f)
		}
	}
}

// movedSections maps each section that names no decision file to the one that its file or folder has moved to: the
// index does not name that yet, and it has the heading of every entry whose title any heading has. Sections that would
// share one are left out.
func (a *audit) movedSections() map[string]string {
	moved, from := map[string]string{}, map[string][]string{}
	for _, s := range a.Index.Sections {
		isPath := strings.HasSuffix(s.Path, "/") || path.Ext(s.Path) != ""
		if !isPath || a.fileSections[s.Path] || a.unread[s.Path] {
			continue
		}
		to := map[string]bool{}
		for i := s.First + 1; i < s.End; i++ {
			if e := a.EntryAt(i); e != nil {
				for _, h := range a.Find(s.Path, e.Title.Text) {
					to[h.File.Section()] = true
				}
			}
		}
		for section := range to {
			isSameKind := strings.HasSuffix(section, "/") == strings.HasSuffix(s.Path, "/")
			if _, isThere := a.sections[section]; len(to) == 1 && !isThere && isSameKind {
				moved[s.Path] = section
				from[section] = append(from[section], s.Path)
			}
		}
	}
	for _, sections := range from {
		if len(sections) > 1 {
			for _, s := range sections {
				delete(moved, s)
			}
		}
	}
	return moved
}

// emptyGlob returns the glob in the settings for the documents of a section if no file matches it, else "".
func (a *audit) emptyGlob(section string) string {
	for _, pattern := range a.config.Documents {
		glob, err := worktree.ParseGlob(pattern)
		isUsed := slices.ContainsFunc(a.Files, func(f *decision.File) bool { return err == nil && glob.Match(f.Path) })
		if !isUsed && path.Dir(pattern) == path.Dir(section) {
			return pattern
		}
	}
	return ""
}

// mayName reports whether a section may name a decision file, or a folder of documents, that is gone.
func (a *audit) mayName(section string) bool {
	return a.config.Layout().Holds(section) || len(a.config.Documents) > 0 && strings.HasSuffix(section, "/")
}

// isEntry reports whether a line of the index is an entry, well-formed or not.
func isEntry(line index.Line) bool {
	return line.Kind == index.EntryLine || line.Kind == index.Malformed
}

package validate

import (
	"path"
	"strings"

	"whence/internal/cli"
	"whence/internal/corpus"
	"whence/internal/finding"
	"whence/internal/index"
)

// unknownFile reports sections with entries that name no decision file, and empty sections of
// missing files. The fix gives the section of a renamed file its new name.
func unknownFile(k *check, report func(finding.Finding)) {
	for n, s := range k.Index.Sections {
		if _, exists := k.files[s.Path]; exists || IsLegacySection(s.Path) {
			continue
		}
		entries, blank := 0, 0
		for i := s.First + 1; i < s.End; i++ {
			if isEntry(k.Index.Lines[i]) {
				entries++
			}
			if k.blank(i) {
				blank++
			}
		}
		if file, moved := k.moved[n]; moved {
			f := k.atLine(s.First, "section %q names no decision file, but its entries lead to %s: --fix renames it", s.Path, k.Decisions[file].Section())
			heading := k.Index.Lines[s.First]
			f.Fix = &finding.Fix{Edits: []finding.Edit{k.edit(heading.Span, "## "+k.Decisions[file].Section())}}
			report(f)
		} else if entries > 0 {
			report(k.atLine(s.First, "section %q names no decision file, but has %s: %s", s.Path, cli.Count(entries, "entry", "entries"), k.fileAdvice(s.Path)))
		} else if s.First+1+blank == s.End && k.mayName(s.Path) {
			f := k.atLine(s.First, "section %q is empty, and its file does not exist: --fix removes it", s.Path)
			first := s.First
			for s.End == len(k.Index.Lines) && first > 0 && k.blank(first-1) {
				first--
			}
			f.Fix = &finding.Fix{
				Edits:   []finding.Edit{k.edit(index.Span{Start: k.Index.Lines[first].Start, End: k.Index.Lines[s.End-1].Next}, "")},
				Removed: []string{"## " + s.Path},
			}
			report(f)
		}
	}
}

// findMoved finds the sections of renamed decision files: the file of the section is missing, and
// all its entries with a heading lead to one file, which has no section yet.
func (k *check) findMoved() map[int]int {
	moved := map[int]int{}
	for n, s := range k.Index.Sections {
		if _, exists := k.files[s.Path]; exists || !k.mayName(s.Path) {
			continue
		}
		file, several := nowhere.File, false
		for i := s.First; i < s.End; i++ {
			h, known := k.target(i)
			if known && file == nowhere.File {
				file = h.File
			}
			if known && k.Decisions[file].Section() != k.Decisions[h.File].Section() {
				several = true
			}
		}
		if file < 0 || several {
			continue
		}
		if _, has := k.sections[k.Decisions[file].Section()]; !has {
			moved[n], k.sections[k.Decisions[file].Section()] = file, n
		}
	}
	return moved
}

// mayName reports whether a section may name a decision file, or a folder of documents, that is gone.
func (k *check) mayName(section string) bool {
	return k.config.Layout().Holds(section) || len(k.config.Documents) > 0 && strings.HasSuffix(section, "/")
}

// isEntry reports whether a line of the index is an entry, well-formed or not.
func isEntry(line index.Line) bool {
	return line.Kind == index.EntryLine || line.Kind == index.Malformed
}

// fileAdvice returns what to do about a section that names no decision file.
func (k *check) fileAdvice(section string) string {
	if meant := k.intended(section); meant != "" {
		return "write \"## " + meant + "\""
	}
	if r, refused := corpus.WhyNot(k.Tree, section); refused && k.config.Layout().Holds(section) {
		return r.Text(k.config.Typed)
	}
	return "write the path of a decision file from the root of the repository"
}

// intended returns the decision file with the base name of a section, quotes and brackets
// aside, or "" if there is none or the section names a file itself.
func (k *check) intended(section string) string {
	if _, exists := k.files[section]; exists {
		return ""
	}
	base := "/" + path.Base(strings.Trim(section, "`\"'<>[]() "))
	for _, file := range k.Decisions {
		if strings.HasSuffix("/"+strings.TrimSuffix(file.Section(), "/"), base) {
			return file.Section()
		}
	}
	return ""
}

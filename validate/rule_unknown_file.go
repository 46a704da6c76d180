package validate

import (
	"fmt"
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
func unknownFile(k *audit, report func(finding.Finding)) {
	for _, s := range k.Index.Sections {
		if k.files[s.Path] || IsLegacySection(s.Path) {
			continue
		}
		entries, moving, blank := 0, 0, 0
		for i := s.First + 1; i < s.End; i++ {
			if isEntry(k.Index.Lines[i]) {
				entries++
			}
			if k.Target(i) != nil {
				moving++
			}
			if k.blank(i) {
				blank++
			}
		}
		if entries > moving {
			advice := "write the path of a decision file from the root of the repository"
			if r, refused := memory.WhyNot(k.Source, s.Path); refused && k.config.Layout().Holds(s.Path) {
				advice = r.Error()
			} else if glob := k.emptyGlob(s.Path); glob != "" {
				advice = fmt.Sprintf("%q in the settings matches no file: if its folder has a new name, write that into %s, or run %s; then run %s. If its decisions are gone, delete the entries",
					glob, config.ProjectFile, k.config.Typed.Command("memory-migrate adopt --write"), k.config.Typed.Command("memory-validate --fix"))
			}
			report(k.atLine(s.First, "section %q names no decision file, but has %s: %s", s.Path, cli.Count(entries, "entry", "entries"), advice))
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

// emptyGlob returns the glob of the settings for the documents of a section, if no file matches it; else "".
func (k *audit) emptyGlob(section string) string {
	for _, pattern := range k.config.Documents {
		glob, err := worktree.ParseGlob(pattern)
		isUsed := slices.ContainsFunc(k.Files, func(f *decision.File) bool { return err == nil && glob.Match(f.Path) })
		if !isUsed && path.Dir(pattern) == path.Dir(section) {
			return pattern
		}
	}
	return ""
}

// mayName reports whether a section may name a decision file, or a folder of documents, that is gone.
func (k *audit) mayName(section string) bool {
	return k.config.Layout().Holds(section) || len(k.config.Documents) > 0 && strings.HasSuffix(section, "/")
}

// isEntry reports whether a line of the index is an entry, well-formed or not.
func isEntry(line index.Line) bool {
	return line.Kind == index.EntryLine || line.Kind == index.Malformed
}

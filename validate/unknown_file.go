package validate

import (
	"path"
	"strings"

	"whence/internal/cli"
	"whence/internal/finding"
	"whence/internal/index"
)

// unknownFile reports sections that name no decision file but hold entries. An
// empty one is what a moved file leaves behind, and does no harm.
func unknownFile(k *check) []finding.Finding {
	var found []finding.Finding
	for _, s := range k.Index.Sections {
		if _, exists := k.files[s.Path]; exists || IsLegacySection(s.Path) {
			continue
		}
		n := 0
		for i := s.First; i < s.End; i++ {
			if k.isEntry(i) {
				n++
			}
		}
		if n > 0 {
			found = append(found, k.atLine(s.First, "section %q names no decision file, but holds %s: %s", s.Path, cli.Count(n, "entry", "entries"), k.fileAdvice(s.Path)))
		}
	}
	return found
}

// isEntry tells whether a line of the index is an entry, well-formed or not.
func (k *check) isEntry(i int) bool {
	kind := k.Index.Lines[i].Kind
	return kind == index.EntryLine || kind == index.Malformed
}

// fileAdvice says what to do about a path that is no decision file.
func (k *check) fileAdvice(section string) string {
	if meant := k.intended(section); meant != "" {
		return "write \"## " + meant + "\""
	}
	return "write the path of a decision file from the root of the repository"
}

// intended is the decision file that a section seems to mean: one of the same base
// name, quotes and brackets aside. It is "" if the section names a file, or none.
func (k *check) intended(section string) string {
	if _, exists := k.files[section]; exists {
		return ""
	}
	return k.bases[path.Base(strings.Trim(section, "`\"'<>[]() "))]
}

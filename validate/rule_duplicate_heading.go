package validate

import (
	"path"
	"strings"

	"whence/internal/decision"
	"whence/internal/finding"
	"whence/internal/memory"
)

// duplicateHeading reports ambiguous names: a semantic title used twice in all files, or by two documents of a folder;
// a structural title used twice in one file; a base name that two decision files share.
func duplicateHeading(a *audit, report func(finding.Finding)) {
	names := map[string]*decision.File{}
	semantic := map[string]*memory.Heading{}
	for _, file := range a.Files {
		if base := strings.ToLower(path.Base(file.Path)); !file.Document { // folders number their records alike
			if first, taken := names[base]; taken {
				report(inFile(file, 1, "duplicate file name: %s has the same, so \"§ %s\" is ambiguous; rename one", a.config.Typed.Path(first.Path), path.Base(file.Path)))
			} else {
				names[base] = file
			}
		}
		structural := map[string]*memory.Heading{}
		for _, h := range a.HeadingsOf(file) {
			seen, name := structural, memory.BareKey(h.Key)
			if h.Semantic() {
				seen, name = semantic, a.name(h)
			} else if !h.Structural() {
				continue
			}
			first, taken := seen[name]
			if !taken {
				seen[name] = h
			} else if first.File.Conflicts == nil { // else it may have moved from there
				report(a.atHeading(h, "duplicate heading %q: %s has the same title; rename one", h.Title, a.position(first)))
			}
		}
	}
}

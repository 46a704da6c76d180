package validate

import (
	"fmt"
	"slices"
	"strings"

	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/merge"
)

// conflictMarker reports files with conflicts of an unfinished merge. Nothing else of such a file is
// reported or fixed: see withoutNoise.
func conflictMarker(a *audit, report func(finding.Finding)) {
	reportFile := func(path string, conflicts []merge.Conflict) {
		if len(conflicts) == 0 {
			return
		}
		more := ""
		if n := len(conflicts) - 1; n > 0 {
			more = fmt.Sprintf(", and %d more", n)
		}
		report(finding.Finding{
			Path: path, Line: conflicts[0].First, Column: 1,
			Message: fmt.Sprintf("merge conflict in %s%s: keep what is right and delete the markers", conflicts[0], more),
		})
	}
	reportFile(a.Layout.Index, a.Index.Conflicts)
	for _, file := range a.Files {
		reportFile(file.Path, file.Conflicts)
	}
}

// conflicts returns the conflicts in a file of the memory.
func (a *audit) conflicts(path string) []merge.Conflict {
	if path == a.Layout.Index {
		return a.Index.Conflicts
	}
	if f := a.File(path); f != nil {
		return f.Conflicts
	}
	return nil
}

// withoutNoise drops all other findings in files with conflicts, missing entries if the index has a conflict that they
// may be in, and fixes that would edit such files or hide lines.
func (a *audit) withoutNoise(found []finding.Finding) []finding.Finding {
	found = slices.DeleteFunc(found, func(f finding.Finding) bool {
		return f.Rule != "conflict-marker" && a.conflicts(f.Path) != nil || f.Rule == "missing-entry" && a.Index.Conflicts != nil
	})
	for i, f := range found {
		if f.Fix != nil && (a.editable(f.Fix.Edits) != nil || a.endsComment(f.Fix.Edits)) {
			found[i].Fix = nil
		}
	}
	return found
}

// editable returns an error if an edit would change a file whose merge is not finished.
func (a *audit) editable(edits []finding.Edit) error {
	for _, e := range edits {
		if conflicts := a.conflicts(e.Path); conflicts != nil {
			return &merge.ConflictError{Path: a.config.Typed.Path(e.Path), Block: conflicts[0]}
		}
	}
	return nil
}

// endsComment reports whether edits of the index may close a comment that is still open, and so hide the lines between.
func (a *audit) endsComment(edits []finding.Edit) bool {
	ends := func(e finding.Edit) bool { return e.Path == a.Layout.Index && strings.Contains(e.New, "-->") }
	begins := func(l index.Line) bool {
		return !l.Opaque && strings.HasPrefix(strings.TrimSpace(a.Index.Text(l)), "<!--")
	}
	return slices.ContainsFunc(edits, ends) && slices.ContainsFunc(a.Index.Lines, begins)
}

package validate

import (
	"fmt"
	"slices"
	"sync"

	"whence/internal/finding"
	"whence/internal/merge"
)

// conflictMarker reports the conflicts of an unfinished merge. Nothing else of such a file is
// reported or fixed: see withoutNoise.
func conflictMarker(k *check, report func(finding.Finding)) {
	reportAll := func(path string, conflicts []merge.Conflict, what string, keepBoth func(merge.Conflict) (string, bool)) {
		for _, c := range conflicts {
			f := finding.Finding{Path: path, Line: c.First, Column: 1, Message: "merge conflict in " + c.String()}
			if text, resolvable := keepBoth(c); resolvable {
				f.Message += fmt.Sprintf(": both only add %s: --fix --merged keeps both", what)
				f.Fix = &finding.Fix{Merged: true, Edits: []finding.Edit{{Path: path, Start: c.Start, End: c.End, New: text}}}
			} else {
				f.Message += ": keep what is right and delete the markers"
			}
			report(f)
		}
	}
	entriesBefore := sync.OnceValue(k.entriesBefore)
	reportAll(k.IndexPath, k.Index.Conflicts, "entries", func(c merge.Conflict) (string, bool) { return k.bothEntries(c, entriesBefore) })
	for _, file := range k.Decisions {
		titlesBefore := sync.OnceValues(func() (map[string]bool, bool) { return k.titlesBefore(file.Path) })
		reportAll(file.Path, file.Conflicts, "sections", func(c merge.Conflict) (string, bool) { return bothSections(file, c, titlesBefore) })
	}
}

// conflicts returns the conflicts in a file of the memory.
func (k *check) conflicts(path string) []merge.Conflict {
	if path == k.IndexPath {
		return k.Index.Conflicts
	}
	if fi, known := k.files[path]; known {
		return k.Decisions[fi].Conflicts
	}
	return nil
}

// withoutNoise drops all other findings in files with conflicts, and the fixes that would edit them.
func (k *check) withoutNoise(found []finding.Finding) []finding.Finding {
	found = slices.DeleteFunc(found, func(f finding.Finding) bool { return f.Rule != "conflict-marker" && k.conflicts(f.Path) != nil })
	for i, f := range found {
		if f.Rule != "conflict-marker" && f.Fix != nil && k.editable(f.Fix.Edits) != nil {
			found[i].Fix = nil
		}
	}
	return found
}

// editable returns an error if an edit would change a file whose merge is not finished.
func (k *check) editable(edits []finding.Edit) error {
	for _, e := range edits {
		if conflicts := k.conflicts(e.Path); conflicts != nil {
			return &merge.ConflictError{Path: e.Path, Block: conflicts[0]}
		}
	}
	return nil
}

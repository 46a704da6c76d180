package validate

import (
	"fmt"
	"sync"

	"whence/internal/finding"
	"whence/internal/merge"
)

// conflictMarker reports the conflicts of an unfinished merge. Nothing else of such a file is
// reported or fixed: see withoutNoise.
func conflictMarker(k *check) []finding.Finding {
	var found []finding.Finding
	report := func(path string, blocks []merge.Conflict, what string, both func(merge.Conflict) (string, bool)) {
		for _, b := range blocks {
			f := finding.Finding{Path: path, Line: b.First, Column: 1, Message: "merge conflict in " + b.String()}
			if text, resolvable := both(b); resolvable {
				f.Message += fmt.Sprintf(": both only add %s: --fix --merged keeps both", what)
				f.Fix = &finding.Fix{Merged: true, Edits: []finding.Edit{{Path: path, Start: b.Start, End: b.End, New: text}}}
			} else {
				f.Message += ": keep what is right and delete the markers"
			}
			found = append(found, f)
		}
	}
	entriesBefore := sync.OnceValue(k.entriesBefore)
	report(k.IndexPath, k.Index.Conflicts, "entries", func(b merge.Conflict) (string, bool) { return k.bothEntries(b, entriesBefore) })
	for _, file := range k.Decisions {
		titlesBefore := sync.OnceValues(func() (map[string]bool, bool) { return k.titlesBefore(file.Path) })
		report(file.Path, file.Conflicts, "sections", func(b merge.Conflict) (string, bool) { return bothSections(file, b, titlesBefore) })
	}
	return found
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
	var left []finding.Finding
	for _, f := range found {
		if f.Rule != "conflict-marker" {
			if k.conflicts(f.Path) != nil {
				continue
			}
			if f.Fix != nil && k.editable(f.Fix.Edits) != nil {
				f.Fix = nil
			}
		}
		left = append(left, f)
	}
	return left
}

// editable returns an error if an edit would change a file whose merge is not finished.
func (k *check) editable(edits []finding.Edit) error {
	for _, e := range edits {
		if blocks := k.conflicts(e.Path); blocks != nil {
			return &merge.ConflictError{Path: e.Path, Block: blocks[0]}
		}
	}
	return nil
}

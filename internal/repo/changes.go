package repo

import (
	"slices"
	"strings"
)

// Status is the kind of a change.
type Status byte

// The letters are git's. An Unmerged file has a merge conflict.
const (
	Added    Status = 'A'
	Modified Status = 'M'
	Deleted  Status = 'D'
	Unmerged Status = 'U'
)

// Change is a file that differs between two trees. A renamed file is deleted and added.
type Change struct {
	Path   string // from the root, with slashes
	Status Status
}

// Changes returns the changes since an earlier tree, sorted by path. Those of the staged tree since
// the head are what is about to be committed; in a merge they include all changes of the other side.
func (t *Tree) Changes(earlier *Tree) []Change {
	var changes []Change
	for _, before := range earlier.entries {
		if !t.Has(before.path) {
			changes = append(changes, Change{before.path, Deleted})
		}
	}
	for _, after := range t.entries {
		at, existed := earlier.find(after.path)
		if existed && earlier.entries[at] == after {
			continue
		}
		status := Modified
		if !existed {
			status = Added
		}
		if after.conflict {
			status = Unmerged
		}
		changes = append(changes, Change{after.path, status})
	}
	slices.SortFunc(changes, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return changes
}

package repo

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
	before, after := earlier.entries, t.entries
	for len(before)+len(after) > 0 {
		switch {
		case len(after) == 0 || len(before) > 0 && before[0].path < after[0].path:
			changes = append(changes, Change{before[0].path, Deleted})
			before = before[1:]
			continue
		case after[0].conflict:
			changes = append(changes, Change{after[0].path, Unmerged})
		case len(before) == 0 || after[0].path < before[0].path:
			changes = append(changes, Change{after[0].path, Added})
		case before[0] != after[0]:
			changes = append(changes, Change{after[0].path, Modified})
		}
		if len(before) > 0 && before[0].path == after[0].path {
			before = before[1:]
		}
		after = after[1:]
	}
	return changes
}

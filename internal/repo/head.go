package repo

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Head is the tree of the last commit; it is empty before the first one.
func (r *Repository) Head() (*Staged, error) {
	tree := &Staged{blobs: &blobs{repository: r, known: map[string][]byte{}}}
	if _, err := r.git(nil, "rev-parse", "--verify", "--quiet", "HEAD^{commit}"); err != nil {
		return tree, nil
	}
	out, err := r.git(nil, "ls-tree", "-r", "-z", "--full-tree", "HEAD")
	if err != nil {
		return nil, err
	}
	for line := range bytes.SplitSeq(bytes.TrimSuffix(out, []byte{0}), []byte{0}) {
		head, path, found := strings.Cut(string(line), "\t")
		fields := strings.Fields(head) // mode, type, hash
		if !found || len(fields) != 3 {
			continue
		}
		mode, err := strconv.ParseUint(fields[0], 8, 32)
		if err != nil {
			return nil, fmt.Errorf("git ls-tree: mode %q of %s", fields[0], path)
		}
		tree.entries = append(tree.entries, entry{path, fields[2], uint32(mode), false})
	}
	slices.SortFunc(tree.entries, func(a, b entry) int { return strings.Compare(a.path, b.path) })
	return tree, nil
}

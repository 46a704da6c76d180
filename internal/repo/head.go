package repo

import (
	"context"
	"fmt"
	"strconv"
)

// Head returns the tree of the last commit. Before the first commit it is empty.
func (r *Repository) Head() (*Tree, error) {
	ctx := context.Background()
	out, err := r.read(ctx, "ls-tree", "-r", "-z", "--full-tree", "HEAD")
	if err != nil {
		if _, unborn := r.read(ctx, "rev-parse", "--quiet", "--verify", "HEAD"); exitedWith(unborn, 1) {
			return r.newTree(nil), nil
		}
		return nil, fmt.Errorf("read the last commit: %w", err)
	}
	var entries []entry
	for fields, path := range listed(out) { // mode, type, hash
		mode, err := strconv.ParseUint(fields[0], 8, 32)
		if err != nil {
			return nil, fmt.Errorf("read the last commit: git ls-tree: mode %s of %s", fields[0], path)
		}
		entries = append(entries, entry{path: path, hash: fields[2], mode: canonical(mode)})
	}
	return r.newTree(entries), nil
}

// canonical returns the mode that a file has in the index: old commits have others.
func canonical(mode uint64) uint32 {
	if mode>>12 != uint64(modeFile)>>12 {
		return uint32(mode)
	}
	if mode&0o100 != 0 {
		return modeExecutable
	}
	return modeFile
}

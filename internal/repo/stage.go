package repo

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Stage puts new contents of files that are staged already into the index, all at once,
// by the git command, which takes git's own lock. A link stays what it is: the file that
// it leads to gets the content. Contents are stored as they are, no filter is applied
// again. Files in the worktree are not touched.
func (r *Repository) Stage(tree *Tree, contents map[string][]byte) error {
	names := map[string]string{} // by resolved path
	var lines bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(contents)) {
		real, at, err := tree.resolve(name)
		if err != nil {
			return fmt.Errorf("stage %s: %w", name, err)
		}
		if at < 0 {
			return fmt.Errorf("stage %s: it is a folder", name)
		}
		if other, twice := names[real]; twice {
			if !bytes.Equal(contents[other], contents[name]) {
				return fmt.Errorf("stage %s and %s: they lead to one file, %s, and would differ: mend it by hand", other, name, real)
			}
			continue
		}
		names[real] = name
		hash, err := r.git(contents[name], "hash-object", "-w", "--stdin", "--no-filters")
		if err != nil {
			return err
		}
		fmt.Fprintf(&lines, "%06o %s 0\t%s\x00", tree.entries[at].mode, strings.TrimSpace(string(hash)), real)
	}
	_, err := r.git(lines.Bytes(), "update-index", "-z", "--index-info")
	return err
}

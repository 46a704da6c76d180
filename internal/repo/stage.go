package repo

import (
	"bytes"
	"fmt"
	"strings"
)

// Stage puts new contents of files that are staged already into the index, all at once,
// by the git command, which takes git's own lock. The contents are as they are stored: no
// filter is applied again.
// Files in the worktree are not touched.
func (r *Repository) Stage(tree *Staged, contents map[string][]byte) error {
	var lines bytes.Buffer
	for _, e := range tree.entries {
		content, wanted := contents[e.path]
		if !wanted {
			continue
		}
		if e.conflict {
			return fmt.Errorf("%s %w", e.path, errConflict)
		}
		if e.mode == modeLink || e.mode == modeSubmodule {
			return fmt.Errorf("%s is staged as a link: mend the file that it leads to", e.path)
		}
		hash, err := r.git(content, "hash-object", "-w", "--stdin", "--no-filters")
		if err != nil {
			return err
		}
		fmt.Fprintf(&lines, "%06o %s 0\t%s\x00", e.mode, strings.TrimSpace(string(hash)), e.path)
	}
	if n := bytes.Count(lines.Bytes(), []byte{0}); n != len(contents) {
		return fmt.Errorf("stage %d files: only %d of them are in the index", len(contents), n)
	}
	_, err := r.git(lines.Bytes(), "update-index", "-z", "--index-info")
	return err
}

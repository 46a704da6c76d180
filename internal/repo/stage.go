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
	flagged, err := r.flagged(slices.Sorted(maps.Keys(names)))
	if err != nil {
		return err
	}
	if err := r.updateIndex(lines.Bytes(), "--index-info"); err != nil {
		return err
	}
	for flag, paths := range flagged {
		if err := r.updateIndex([]byte(strings.Join(paths, "\x00")+"\x00"), flag, "--stdin"); err != nil {
			return err
		}
	}
	return nil
}

// flagged are the files that git does not look at in the worktree, by the option that
// says so. A new entry has none, and outside of a sparse checkout its file would count
// as deleted.
func (r *Repository) flagged(paths []string) (map[string][]string, error) {
	out, err := r.git(nil, append([]string{"--literal-pathspecs", "ls-files", "-v", "-z", "--"}, paths...)...)
	if err != nil {
		return nil, err
	}
	flagged := map[string][]string{}
	for line := range names(out) {
		tag, path, _ := strings.Cut(line, " ")
		if strings.EqualFold(tag, "s") {
			flagged["--skip-worktree"] = append(flagged["--skip-worktree"], path)
		}
		if tag != strings.ToUpper(tag) {
			flagged["--assume-unchanged"] = append(flagged["--assume-unchanged"], path)
		}
	}
	return flagged, nil
}

// updateIndex changes the index. A sparse one is written out in full, and folded again
// by a later command: git adds a file beside the folder that holds it already.
func (r *Repository) updateIndex(input []byte, args ...string) error {
	_, err := r.git(input, append([]string{"-c", "index.sparse=false", "update-index", "-z"}, args...)...)
	return err
}

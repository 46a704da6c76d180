package repo

import (
	"context"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"whence/internal/decision"
)

// maxCommits is the number of commits of a file that are searched for renamed headings.
const maxCommits = 100

// RenamedHeadings returns the new titles of renamed headings of a file, by their old titles. The
// path is from the root, with slashes. It reads uncommitted changes and the file's last commits;
// the newest rename of a title counts. Titles are keys, see decision.Key. A heading counts as
// renamed if a change replaces headings with the same number of headings, of the same levels.
func (r *Repository) RenamedHeadings(path string) (map[string]string, error) {
	ctx := context.Background()
	options := []string{"--unified=0", "--no-color", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all", "--", fromTop(path)}
	uncommitted, err := r.compare(ctx, append([]string{"diff", "HEAD"}, options...)...)
	if err != nil {
		return nil, err
	}
	committed, err := r.read(ctx, append([]string{"log", "--patch", "--format=", "--no-merges", "-n", strconv.Itoa(maxCommits)}, options...)...)
	if err != nil {
		return nil, err
	}
	renamed := map[string]string{}
	addRenames(renamed, string(uncommitted))
	addRenames(renamed, string(committed))
	return renamed, nil
}

// heading matches an ATX heading in a diff: its sign, level and title.
var heading = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([-+])(#{2,6})[ \t]+(.*?)[ \t]*#*[ \t\r]*$`) })

// addRenames adds the renames in a diff without context.
func addRenames(renamed map[string]string, diff string) {
	type title struct{ level, key string }
	var removed, added []title
	hunk := func() {
		for i := range removed {
			if len(removed) != len(added) || removed[i].level != added[i].level {
				break
			}
			if _, known := renamed[removed[i].key]; !known && removed[i].key != added[i].key {
				renamed[removed[i].key] = added[i].key
			}
		}
		removed, added = nil, nil
	}
	for line := range strings.Lines(diff) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "@@") || strings.HasPrefix(line, "diff ") {
			hunk()
			continue
		}
		switch m := heading().FindStringSubmatch(line); {
		case m == nil:
		case m[1] == "-":
			removed = append(removed, title{m[2], decision.Key(m[3])})
		default:
			added = append(added, title{m[2], decision.Key(m[3])})
		}
	}
	hunk()
}

package repo

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-git/go-git/v5/plumbing/object"

	"whence/internal/decision"
	"whence/internal/files"
	"whence/internal/textdiff"
)

const (
	maxVersions = 100  // commits of a file that are searched for renamed headings
	maxCommits  = 2000 // commits among which these are looked for with go-git
)

// RenamedHeadings returns the new titles of renamed headings of a file, by their old titles. The
// path is from the root, with slashes. It reads uncommitted changes and the file's last commits;
// the newest rename of a title counts. Titles are keys, see decision.Key. A heading counts as
// renamed if a change replaces headings with the same number of headings, of the same levels.
func (r *Repository) RenamedHeadings(path string) (map[string]string, error) {
	versions, err := r.objects.versions(path)
	if err != nil {
		versions, err = r.listVersions(path)
	}
	if err != nil || len(versions) == 0 {
		return nil, err
	}
	var hashes []string
	for _, v := range versions {
		hashes = append(hashes, v.before, v.after)
	}
	text := func(hash string) string {
		content, _ := r.objects.read(hash, func() []string { return hashes }) // what is missing says nothing
		return string(content)
	}
	renamed := map[string]string{}
	if root, err := os.OpenRoot(r.Root); err == nil {
		now, err := files.ReadText(root.FS(), filepath.FromSlash(path))
		if root.Close(); err == nil {
			addRenames(renamed, text(versions[0].after), string(now))
		}
	}
	for _, v := range versions {
		addRenames(renamed, text(v.before), text(v.after))
	}
	return renamed, nil
}

// version is a change of a file: its blobs before and after a commit.
type version struct{ before, after string }

// versions lists the last changes of a file with go-git, the newest first.
func (o *objects) versions(path string) (found []version, err error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	defer recovered(&err)
	commit, err := o.headCommit()
	if err != nil {
		return nil, err
	}
	commits := object.NewCommitIterCTime(commit, nil, nil)
	for range maxCommits {
		commit, err := commits.Next()
		if errors.Is(err, io.EOF) || len(found) == maxVersions {
			break
		}
		if err != nil {
			return nil, err
		}
		if commit.NumParents() > 1 {
			continue
		}
		v := version{}
		if v.after, err = blobIn(commit, path); err != nil {
			return nil, err
		}
		if commit.NumParents() == 1 {
			parent, err := commit.Parent(0)
			if err != nil {
				return nil, err
			}
			if v.before, err = blobIn(parent, path); err != nil {
				return nil, err
			}
		}
		if v.before != v.after {
			found = append(found, v)
		}
	}
	return found, nil
}

// blobIn returns the hash of a file in a commit; "" if it is not there.
func blobIn(commit *object.Commit, path string) (string, error) {
	tree, err := commit.Tree()
	if err != nil {
		return "", err
	}
	e, err := tree.FindEntry(path)
	if errors.Is(err, object.ErrEntryNotFound) || errors.Is(err, object.ErrDirectoryNotFound) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return e.Hash.String(), nil
}

// listVersions lists the last changes of a file with git.
func (r *Repository) listVersions(path string) (found []version, err error) {
	out, err := r.read(context.Background(), "log", "--raw", "--no-abbrev", "-z", "--format=", "--no-renames", "--no-merges",
		"--ignore-submodules=all", "-n", strconv.Itoa(maxVersions), "--", fromTop(path))
	for fields := range rawChanges(out) {
		found = append(found, version{fields[2], fields[3]})
	}
	return found, err
}

// heading matches an ATX heading: its level and title.
var heading = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(#{2,6})[ \t]+(.*?)[ \t]*#*[ \t\r\n]*$`) })

// addRenames adds the renames between two versions of a file.
func addRenames(renamed map[string]string, before, after string) {
	lines := slices.Collect(strings.Lines(before))
	for _, change := range textdiff.Changes(before, after) {
		removed, added := headings(lines[change.Start:change.End]), headings(change.New)
		for i := range removed {
			if len(removed) != len(added) || removed[i].level != added[i].level {
				break
			}
			if _, known := renamed[removed[i].key]; !known && removed[i].key != added[i].key {
				renamed[removed[i].key] = added[i].key
			}
		}
	}
}

type title struct{ level, key string }

// headings returns the headings among some lines.
func headings(lines []string) (titles []title) {
	for _, line := range lines {
		if m := heading().FindStringSubmatch(line); m != nil {
			titles = append(titles, title{m[1], decision.Key(m[2])})
		}
	}
	return titles
}

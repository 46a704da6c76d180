package notes

import (
	"bytes"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"whence/internal/agent"
	"whence/internal/inert"
	"whence/internal/lazyregexp"
	"whence/internal/words"
	"whence/internal/worktree"
)

// noteChanges notes the changes of decision files by a tool call that worked.
func (v *event) noteChanges() (all error) {
	for _, edit := range v.Edits {
		name, is := v.inProject(edit.Path)
		if !is || !v.config.Layout().Holds(name) {
			continue
		}
		if _, err := fs.Lstat(v.folder.tree.FS(), name); errors.Is(err, fs.ErrNotExist) != edit.Deleted {
			continue // it did not take place
		}
		edit.Path = name
		all = errors.Join(all, v.noteChange(edit))
	}
	return all
}

// isForeign reports whether a file does not belong to the source of the project.
func isForeign(name string) bool {
	for part := range strings.SplitSeq(path.Dir(name), "/") {
		if slices.Contains([]string{Folder, ".git", "node_modules", "vendor", "third_party", ".venv", "testdata"}, part) {
			return true
		}
	}
	return false
}

// noteChange appends the line of a change, with the new headings: one a day for a file.
func (v *event) noteChange(c agent.Edit) error {
	titles := ""
	if found := newHeadings(c.Old, c.New); len(found) > 0 {
		titles = ": “" + strings.Join(found, "”; “") + "”"
	}
	return v.noteOnce(decisionsFile, v.changeLine(c, "decision record"), titles)
}

// changeLine says what happened to a file of some kind.
func (v *event) changeLine(c agent.Edit, kind string) string {
	return v.date() + " " + inert.Line(redacted(c.Path)) + " (" + kind + ") " + outcomeOf(c)
}

// noteOnce appends a line with its end to a note, unless one that begins with the line is there.
func (v *event) noteOnce(file, line, end string) error {
	src, err := v.folder.read(file, maxReadBytes)
	if err != nil || bytes.Contains(src, []byte("- "+line)) {
		return err
	}
	return v.folder.note(file, src, line+end)
}

// outcomeOf returns what happened to the file.
func outcomeOf(c agent.Edit) string {
	if c.Deleted {
		return "deleted"
	}
	if c.Created {
		return "created"
	}
	return "changed"
}

// inProject returns the slash-separated path of a file from the root of the project.
func (v *event) inProject(name string) (path string, is bool) {
	if !filepath.IsAbs(name) {
		name = filepath.Join(v.Cwd, name)
	}
	path, is = worktree.Name(v.root, name)
	return path, is && path != "."
}

// atxHeading matches a heading of Markdown.
var atxHeading = lazyregexp.New(`(?m)^#{1,6}[ \t]+(.+?)[ \t#]*\r?$`)

// maxHeadings limits the titles in the line of a change.
const maxHeadings = 3

// newHeadings returns the headings that a text did not have before.
func newHeadings(before, after string) (titles []string) {
	for _, m := range atxHeading().FindAllStringSubmatch(words.Beginning(after, maxSourceBytes), -1) {
		if len(titles) == maxHeadings || strings.Contains(before, m[1]) {
			continue
		}
		if title := inert.Line(redacted(m[1])); !slices.Contains(titles, title) {
			titles = append(titles, title)
		}
	}
	return titles
}

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

// noteChanges notes the changes that a successful tool call made to decision files.
func (v *event) noteChanges() (all error) {
	for _, edit := range v.Edits {
		name, is := v.inProject(edit.Path)
		if !is || !v.config.Layout().Holds(name) {
			continue
		}
		if _, err := fs.Lstat(v.folder.tree.FS(), name); errors.Is(err, fs.ErrNotExist) != edit.Deleted {
			continue // the edit did not happen
		}
		edit.Path = name
		all = errors.Join(all, v.noteChange(edit))
	}
	return all
}

// isForeign reports whether a file is not part of the project's source.
func isForeign(name string) bool {
	for part := range strings.SplitSeq(path.Dir(name), "/") {
		if slices.Contains([]string{Folder, ".git", "node_modules", "vendor", "third_party", ".venv", "testdata"}, part) {
			return true
		}
	}
	return false
}

// noteChange notes an edit of a decision file with its new headings, once a day for each outcome of a file.
func (v *event) noteChange(c agent.Edit) error {
	titles := ""
	if found := newHeadings(c.Old, c.New); len(found) > 0 {
		titles = ": “" + strings.Join(found, "”; “") + "”"
	}
	return v.noteOnce(decisionsFile, v.changeLine(c, "decision record"), titles)
}

// changeLine returns a line that says what happened to a file of some kind.
func (v *event) changeLine(c agent.Edit, kind string) string {
	return v.date() + " " + inert.Line(redacted(c.Path)) + " (" + kind + ") " + outcomeOf(c)
}

// noteOnce appends a line and its end to a note, unless the note has an item that begins with the line.
func (v *event) noteOnce(file, line, end string) error {
	src, err := v.folder.read(file, maxReadBytes)
	if err != nil || bytes.Contains(src, []byte("- "+line)) {
		return err
	}
	return v.folder.note(file, src, line+end)
}

// outcomeOf returns a word for what happened to the file.
func outcomeOf(c agent.Edit) string {
	if c.Deleted {
		return "deleted"
	}
	if c.Created {
		return "created"
	}
	return "changed"
}

// inProject returns the slash-separated path of a file from the root of the project, and whether it is inside.
func (v *event) inProject(name string) (path string, is bool) {
	if !filepath.IsAbs(name) {
		name = filepath.Join(v.Cwd, name)
	}
	path, is = worktree.Name(v.root, name)
	return path, is && path != "."
}

// atxHeading matches a Markdown heading that begins with #.
var atxHeading = lazyregexp.New(`(?m)^#{1,6}[ \t]+(.+?)[ \t#]*\r?$`)

// maxHeadings is the maximum number of titles in the line of a change.
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

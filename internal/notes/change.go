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
	"whence/internal/worktree"
)

// Bounds of parts of a line.
const (
	maxNameBytes   = 160
	maxDetailBytes = 120
)

// change is a changed file, with its path from the root of the project.
type change struct {
	agent.Edit
	path string
}

// noteChanges notes the significant changes of a tool call that worked.
func (v *event) noteChanges() (all error) {
	for _, edit := range v.Edits {
		name, is := v.inProject(edit.Path)
		if !is || isForeign(name) {
			continue
		}
		if _, err := fs.Lstat(v.folder.tree.FS(), name); errors.Is(err, fs.ErrNotExist) != edit.Deleted {
			continue // it did not take place
		}
		c := change{edit, name}
		if at := slices.IndexFunc(rules, func(r rule) bool { return r.applies(v, c) }); at >= 0 {
			all = errors.Join(all, v.noteChange(rules[at], c))
		}
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

// noteChange appends the line of a change: one a day for a file, and another one if headings were added
// that no line about it has.
func (v *event) noteChange(r rule, c change) error {
	src, err := v.folder.read(r.file)
	if err != nil {
		return err
	}
	name := oneLine(redacted(c.path), maxNameBytes) + " (" + r.name + ") "
	line := v.date() + " " + name + c.how()
	var titles []string
	for _, title := range newHeadings(c.Old, c.New) {
		title = "“" + oneLine(redacted(title), maxDetailBytes) + "”"
		if r.hasTitles && !hasLine(src, name, title) {
			titles = append(titles, title)
		}
	}
	if len(titles) == 0 && hasLine(src, "- "+line, "") {
		return nil
	}
	if len(titles) > 0 {
		line += ": " + strings.Join(titles, "; ")
	}
	return v.folder.note(r.file, src, line)
}

// hasLine reports whether a text has a line that contains two others.
func hasLine(src []byte, one, other string) bool {
	for line := range bytes.Lines(src) {
		if bytes.Contains(line, []byte(one)) && bytes.Contains(line, []byte(other)) {
			return true
		}
	}
	return false
}

// how returns what happened to the file.
func (c change) how() string {
	switch {
	case c.Deleted:
		return "deleted"
	case c.Created:
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

package notes

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"whence/internal/agent"
)

// toolDone handles a tool call that worked: it counts the call, notes significant changes, and
// resolves earlier failures.
func toolDone(v *eventRun) (string, error) {
	edits := v.Edits
	if v.Tool == "Bash" {
		edits = deletions(v.Command)
	}
	var all error
	for _, edit := range edits {
		name, is := v.inProject(edit.Path)
		if !is || !v.happened(edit, name) || ignored(name) {
			continue
		}
		v.touched(name)
		all = errors.Join(all, v.significant(fileChange{path: name, Edit: edit}))
	}
	all = errors.Join(all, v.resolve())
	injected, err := v.count()
	return injected, errors.Join(all, err)
}

// happened reports whether an edit has taken place; a shell does not report it.
func (v *eventRun) happened(edit agent.Edit, name string) bool {
	_, err := fs.Lstat(v.folder.tree.FS(), name)
	return errors.Is(err, fs.ErrNotExist) == edit.Deleted
}

// touched adds a changed file to the operations that fail.
func (v *eventRun) touched(name string) {
	name = oneLine(redacted(name), maxNameBytes)
	for i := range v.book.Failing {
		f := &v.book.Failing[i]
		if !slices.Contains(f.Files, name) && len(f.Files) < maxFiles {
			f.Files = append(f.Files, name)
		}
	}
}

// Bounds of parts of a line.
const (
	maxNameBytes   = 160
	maxDetailBytes = 120
	maxDetails     = 8
)

// fileChange is a changed file, with its path from the root of the project.
type fileChange struct {
	agent.Edit
	path string
}

// how returns what happened to the file.
func (c fileChange) how() string {
	switch {
	case c.Deleted:
		return "deleted"
	case c.Created:
		return "created"
	}
	return "changed"
}

// significant notes a change if a rule applies to it.
func (v *eventRun) significant(c fileChange) error {
	for _, r := range rules {
		if details, applies := r.match(v, c); applies {
			return v.noteChange(r, c, details)
		}
	}
	return nil
}

// ignored reports whether a file does not belong to the source of the project.
func ignored(name string) bool {
	for part := range strings.SplitSeq(path.Dir(name), "/") {
		if slices.Contains([]string{Folder, ".git", "node_modules", "vendor", "third_party", ".venv", "testdata"}, part) {
			return true
		}
	}
	return false
}

// noteChange writes the line of a change. A session has one line for a file; the details of later
// changes are added to it.
func (v *eventRun) noteChange(r rule, c fileChange, details []string) error {
	key := r.name + "\x00" + c.path + "\x00"
	if c.Deleted {
		key += "deleted"
	}
	key = hash(key)
	at := slices.IndexFunc(v.session.Noted, func(n notedFile) bool { return n.Key == key })
	if at < 0 {
		at = len(v.session.Noted)
		v.session.Noted = append(v.session.Noted, notedFile{Key: key})
	}
	was := v.session.Noted[at]
	next := notedFile{Key: key, Line: was.Line, Listed: true, Details: merged(was.Details, details)}
	added := strings.Join(next.Details[len(was.Details):], "; ")
	if was.Written && added == "" {
		return nil
	}
	next.Written = true
	if was.Line != "" {
		separator := ": "
		if was.Listed {
			separator = "; "
		}
		next.Line += separator + added
		done, err := v.folder.replaceLine(r.file, was.Line, next.Line)
		if done {
			v.session.Noted[at] = next
		}
		if done || err != nil {
			return err
		}
	}
	// A first line, or a new one if the user has edited or removed the first, or another session wrote it.
	next.Line, next.Listed = "- "+v.date()+" "+oneLine(redacted(c.path), maxNameBytes)+" ("+r.name+") "+c.how(), added != ""
	if next.Listed {
		next.Line += ": " + added
	}
	own, err := v.noteOnce(r.file, next.Line)
	if err != nil {
		return err
	}
	if !own {
		next.Line = ""
	}
	v.session.Noted[at] = next
	v.session.Noted = lastOf(v.session.Noted, maxNoted)
	return nil
}

// noteOnce notes a line, unless the file has it already.
func (v *eventRun) noteOnce(file, line string) (done bool, err error) {
	src, err := v.folder.read(file)
	if err != nil {
		return false, err
	}
	if _, _, there := cutLine(src, line); there {
		return false, nil
	}
	return true, v.folder.note(file, src, line)
}

// merged returns noted details and new ones, each inert and without secrets.
func merged(noted, added []string) []string {
	all := slices.Clone(noted)
	for _, detail := range added {
		detail = oneLine(redacted(detail), maxDetailBytes)
		if detail != "" && !slices.Contains(all, detail) && len(all) < maxDetails {
			all = append(all, detail)
		}
	}
	return all
}

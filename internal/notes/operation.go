package notes

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"whence/internal/agent"
)

// toolDone is a tool call that worked: it counts, its changes are noted as far as they
// mean something, and what had failed before is resolved.
func toolDone(v *visit) (string, error) {
	edits := v.Edits
	if v.Tool == "Bash" {
		edits = deletions(v.Command)
	}
	var all error
	for _, edit := range edits {
		name, is := v.inProject(edit.Path)
		if !is || !v.changed(&edit, name) {
			continue
		}
		if ignored(name) {
			continue
		}
		v.touched(name)
		all = errors.Join(all, v.significant(change{path: name, Edit: edit}))
	}
	all = errors.Join(all, v.resolve())
	told, err := v.count()
	return told, errors.Join(all, err)
}

// changed tells whether what an edit says has come about: a shell does not tell.
func (v *visit) changed(edit *agent.Edit, name string) bool {
	_, err := fs.Lstat(v.folder.tree.FS(), name)
	gone := errors.Is(err, fs.ErrNotExist)
	return gone == edit.Deleted
}

// touched remembers that a file was changed while something fails.
func (v *visit) touched(name string) {
	name = oneLine(sayable(name), longestName)
	for i := range v.book.Failing {
		f := &v.book.Failing[i]
		if !slices.Contains(f.Files, name) && len(f.Files) < mostFiles {
			f.Files = append(f.Files, name)
		}
	}
}

// Bounds of parts of a line, in bytes.
const (
	longestName    = 160
	longestDetail  = 120
	longestDetails = 8 // of them
)

// change is one file changed, by its path from the root of the project.
type change struct {
	agent.Edit
	path string
}

// how says what became of the file.
func (c change) how() string {
	switch {
	case c.Deleted:
		return "deleted"
	case c.Created:
		return "created"
	}
	return "changed"
}

// significant notes a change, if a rule says that it means something.
func (v *visit) significant(c change) error {
	for _, r := range rules {
		if what, details, applies := r.match(v, c); applies {
			return v.enter(r, c, what, details)
		}
	}
	return nil
}

// ignored tells whether a file is none of the project's own.
func ignored(name string) bool {
	for part := range strings.SplitSeq(path.Dir(name), "/") {
		if slices.Contains([]string{Folder, ".git", "node_modules", "vendor", "third_party", ".venv", "testdata"}, part) {
			return true
		}
	}
	return false
}

// enter writes the line of a change. A session has one line for a file: what it does later
// is added to that, or says nothing new.
func (v *visit) enter(r rule, c change, what string, details []string) error {
	key := hash(r.name + "\x00" + c.path + "\x00" + map[bool]string{true: "deleted"}[c.Deleted])
	at := slices.IndexFunc(v.session.Noted, func(n noted) bool { return n.Key == key })
	if at < 0 {
		at = len(v.session.Noted)
		v.session.Noted = append(v.session.Noted, noted{Key: key})
	}
	was := v.session.Noted[at]
	next := noted{Key: key, Line: was.Line, Listed: true, Details: merged(was.Details, details)}
	fresh := next.Details[len(was.Details):]
	if was.Written && len(fresh) == 0 {
		return nil
	}
	next.Written = true
	if was.Line != "" {
		next.Line += map[bool]string{true: "; ", false: ": "}[was.Listed] + strings.Join(fresh, "; ")
		changed, err := v.folder.change(r.file, was.Line, next.Line)
		if changed {
			v.session.Noted[at] = next
		}
		if changed || err != nil {
			return err
		}
	}
	// Its first line; or that was edited or taken away, which stays so, or is another session's.
	subject := oneLine(sayable(c.path), longestName) + " (" + r.name + ") " + what
	next.Line, next.Listed = "- "+v.date()+" "+subject+joined(fresh), len(fresh) > 0
	own, err := v.once(r.file, next.Line)
	if err != nil {
		return err
	}
	if !own {
		next.Line = ""
	}
	v.session.Noted[at] = next
	v.session.Noted = newest(v.session.Noted, mostNoted)
	return nil
}

// once notes a line, unless it stands there already.
func (v *visit) once(file, line string) (done bool, err error) {
	src, err := v.folder.read(file)
	if err != nil {
		return false, err
	}
	if _, _, there := cutLine(src, line); there {
		return false, nil
	}
	return true, v.folder.note(file, src, line)
}

// joined are details as they stand in a line.
func joined(details []string) string {
	if len(details) == 0 {
		return ""
	}
	return ": " + strings.Join(details, "; ")
}

// merged are the details that were noted and those that are new, each inert and without
// secrets.
func merged(was, is []string) []string {
	all := slices.Clone(was)
	for _, detail := range is {
		detail = oneLine(sayable(detail), longestDetail)
		if detail != "" && !slices.Contains(all, detail) && len(all) < longestDetails {
			all = append(all, detail)
		}
	}
	return all
}

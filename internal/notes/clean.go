package notes

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"

	"whence/internal/worktree"
)

// Attic is the folder of what the last cleaning removed, from the root of the project.
const Attic = Folder + "/removed"

// Removed describes what a cleaning removes from a file.
type Removed struct {
	Name  string // of the file, from the root of the project
	Lines int    // removed
	All   bool   // the whole file is removed
}

// cleaned are the files that a cleaning removes: those of this package.
var cleaned = []string{contextFile, findingsFile, decisionsFile, errorsFile, errorsFile + ".1", sessionFile, sessionFile + ".bad"}

// Clean moves the files of this package to [Attic], in place of what an earlier cleaning put
// there; or, with a day, the dated lines, records of errors and sessions from before that day.
// Undated lines, lines with further lines below them, and other files stay.
//
// If dry is set, nothing is written. Clean returns what was, or would be, removed.
func Clean(ctx context.Context, root string, before time.Time, dry bool) (all []Removed, err error) {
	if !Present(root) {
		return nil, nil
	}
	f, err := openFolder(root)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	var cuts []cut
	clean := func() (err error) {
		if cuts, err = f.cuts(before); err != nil || dry || len(cuts) == 0 {
			return err
		}
		return f.removeCuts(cuts)
	}
	if dry {
		err = clean()
	} else {
		err = f.alone(ctx, clean)
	}
	for _, c := range cuts {
		all = append(all, Removed{Name: in(c.name), Lines: bytes.Count(c.goes, []byte("\n")), All: c.whole})
	}
	return all, err
}

// cut is a file with what a cleaning leaves of it and what it removes.
type cut struct {
	name             string
	src, stays, goes []byte
	whole            bool // the file is removed
}

// cuts returns what to remove from each file: what is from before a day, or everything.
func (f *folder) cuts(before time.Time) (all []cut, err error) {
	for _, name := range cleaned {
		src, err := f.readAll(name)
		if err != nil {
			return all, err
		}
		c := cut{name: name, src: src, goes: src, whole: before.IsZero()}
		if !c.whole {
			c.stays, c.goes = split(name, src, before.UTC())
		}
		if len(c.goes) > 0 || c.whole && f.exists(name) {
			all = append(all, c)
		}
	}
	return all, nil
}

// removeCuts replaces the content of the attic by what goes, and leaves what stays.
func (f *folder) removeCuts(cuts []cut) error {
	attic, err := f.emptyAttic()
	for _, c := range cuts {
		if err == nil {
			err = f.remove(c, attic)
		}
	}
	return err
}

func (f *folder) remove(c cut, attic *worktree.Folder) error {
	file, err := attic.OpenFile(c.name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(c.goes)
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	if !c.whole {
		return f.replace(c.name, c.src, c.stays)
	}
	if err := f.checkUnchanged(c.name, c.src); err != nil {
		return err
	}
	return f.notes.Remove(c.name)
}

// emptyAttic opens the attic, without the files of an earlier cleaning.
func (f *folder) emptyAttic() (*worktree.Folder, error) {
	name := path.Base(Attic)
	if err := f.notes.Mkdir(name, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	attic, err := f.notes.Sub(name)
	if err != nil {
		return nil, err
	}
	for _, old := range cleaned {
		if err := attic.Remove(old); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return attic, nil
}

// split separates what is from before a day from the rest.
func split(name string, src []byte, before time.Time) (stays, goes []byte) {
	if strings.HasPrefix(name, sessionFile) {
		return splitSessions(src, before)
	}
	lines := bytes.SplitAfter(src, []byte("\n"))
	isOld := false
	for i, line := range lines {
		if strings.HasPrefix(name, errorsFile) {
			isOld = isOldRecord(string(line), before, isOld)
		} else {
			isOld = isOldItem(lines[i:], before)
		}
		if isOld {
			goes = append(goes, line...)
		} else {
			stays = append(stays, line...)
		}
	}
	return stays, goes
}

// isOldItem reports whether the first line is a dated item from before a day, with no further
// lines below it.
func isOldItem(lines [][]byte, before time.Time) bool {
	item, isItem := bytes.CutPrefix(lines[0], []byte("- "))
	if !isItem || !isDated(string(item)) || string(item[:len(time.DateOnly)]) >= before.Format(time.DateOnly) {
		return false
	}
	return len(lines) == 1 || !bytes.HasPrefix(lines[1], []byte(" ")) && !bytes.HasPrefix(lines[1], []byte("\t"))
}

// isOldRecord reports whether a line of errors.log belongs to a record from before a day: a line
// with the time, and the indented lines below it.
func isOldRecord(line string, before time.Time, wasOld bool) bool {
	if kind, _ := recordOf(strings.TrimRight(line, "\r\n")); kind == "" {
		return wasOld && strings.HasPrefix(line, "    ")
	}
	stamp, _, _ := strings.Cut(line[1:], "]")
	at, err := time.Parse(time.DateTime, strings.TrimSuffix(stamp, "Z"))
	return err == nil && at.Before(before)
}

// splitSessions splits session.json. A damaged one stays.
func splitSessions(src []byte, before time.Time) (stays, goes []byte) {
	b, err := parseBook(src)
	if err != nil {
		return src, nil
	}
	old, young := &book{}, []session(nil)
	for _, s := range b.Sessions {
		if s.LastActive.Before(before) {
			old.Sessions = append(old.Sessions, s)
		} else {
			young = append(young, s)
		}
	}
	if len(old.Sessions) == 0 {
		return src, nil
	}
	b.Sessions = young
	stays, err = b.text(b.rest)
	goes, fault := old.text(nil)
	if err != nil || fault != nil {
		return src, nil
	}
	return stays, goes
}

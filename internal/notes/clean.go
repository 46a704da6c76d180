package notes

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
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
	if dry {
		return f.clean(before, true)
	}
	err = f.alone(ctx, func() (err error) {
		all, err = f.clean(before, false)
		return err
	})
	return all, err
}

func (f *folder) clean(before time.Time, dry bool) (all []Removed, err error) {
	for _, name := range cleaned {
		src, err := f.readAll(name)
		if err != nil {
			return all, err
		}
		if len(src) == 0 && (!before.IsZero() || !f.exists(name)) {
			continue
		}
		stays, goes := []byte(nil), src
		if !before.IsZero() {
			if stays, goes = split(name, src, before.UTC()); len(goes) == 0 {
				continue
			}
		}
		if !dry {
			if err := f.remove(name, src, stays, goes, before.IsZero(), len(all) == 0); err != nil {
				return all, err
			}
		}
		all = append(all, Removed{Name: in(name), Lines: bytes.Count(goes, []byte("\n")), All: before.IsZero()})
	}
	return all, nil
}

// remove puts what goes into the attic, and leaves what stays.
func (f *folder) remove(name string, src, stays, goes []byte, readAll, first bool) error {
	attic, err := f.attic(first)
	if err != nil {
		return err
	}
	if err := f.put(attic, name, goes); err != nil {
		return err
	}
	if !readAll {
		return f.replace(name, src, stays)
	}
	now, err := f.readAll(name)
	if err == nil && !bytes.Equal(now, src) {
		err = errMoved
	}
	if err == nil {
		err = f.notes.Remove(name)
	}
	return err
}

// attic opens the attic, and first empties it.
func (f *folder) attic(first bool) (*worktree.Folder, error) {
	name := path.Base(Attic)
	if first {
		if err := f.notes.Mkdir(name, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
	}
	attic, err := f.notes.Sub(name)
	if err != nil || !first {
		return attic, err
	}
	for _, old := range cleaned {
		if err := attic.Remove(old); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return attic, nil
}

// put writes a file into the attic.
func (f *folder) put(attic *worktree.Folder, name string, goes []byte) error {
	file, err := attic.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(goes)
	return errors.Join(err, file.Close())
}

// split separates what is from before a day from the rest.
func split(name string, src []byte, before time.Time) (stays, goes []byte) {
	switch {
	case strings.HasPrefix(name, sessionFile):
		return splitSessions(src, before)
	case strings.HasPrefix(name, errorsFile):
		return splitRecords(src, before)
	}
	lines := bytes.SplitAfter(src, []byte("\n"))
	for i, line := range lines {
		day, isEntry := bytes.CutPrefix(line, []byte("- "))
		hasMore := i+1 < len(lines) && len(lines[i+1]) > 0 && (lines[i+1][0] == ' ' || lines[i+1][0] == '\t')
		if isEntry && !hasMore && isDated(string(day)) && string(day[:len(time.DateOnly)]) < before.Format(time.DateOnly) {
			goes = append(goes, line...)
			continue
		}
		stays = append(stays, line...)
	}
	return stays, goes
}

// splitRecords splits errors.log. A record is a line and the indented lines below it.
func splitRecords(src []byte, before time.Time) (stays, goes []byte) {
	old := false
	for _, line := range bytes.SplitAfter(src, []byte("\n")) {
		text := strings.TrimRight(string(line), "\r\n")
		if kind, _ := recordOf(text); kind != "" {
			stamp, _, _ := strings.Cut(text[1:], "]")
			at, err := time.Parse(time.DateTime, strings.TrimSuffix(stamp, "Z"))
			old = err == nil && at.Before(before)
		} else if !strings.HasPrefix(text, "    ") {
			old = false
		}
		if old {
			goes = append(goes, line...)
		} else {
			stays = append(stays, line...)
		}
	}
	return stays, goes
}

// splitSessions splits session.json. A damaged one stays.
func splitSessions(src []byte, before time.Time) (stays, goes []byte) {
	b := &book{}
	if json.Unmarshal(src, &b.rest) != nil || json.Unmarshal(src, b) != nil {
		return src, nil
	}
	isOld := func(s session) bool { return s.LastActive.Before(before) }
	old := &book{}
	for _, session := range b.Sessions {
		if isOld(session) {
			old.Sessions = append(old.Sessions, session)
		}
	}
	if len(old.Sessions) == 0 {
		return src, nil
	}
	b.Sessions = slices.DeleteFunc(b.Sessions, isOld)
	stays, err := b.text(b.rest)
	if err == nil {
		goes, err = old.text(nil)
	}
	if err != nil {
		return src, nil
	}
	return stays, goes
}

package notes

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"whence/internal/worktree"
)

// maxReadBytes is the length of the part of a file that is read: its end, with the newest lines.
const maxReadBytes = 256 << 10

// lockPause is the time between two attempts to get the lock.
const lockPause = 2 * time.Millisecond

// folder is an opened project with the folder of its notes. Links are not followed: a repository
// must not decide where notes are written.
type folder struct {
	tree  *worktree.Tree
	notes *worktree.Folder // nil if there is none
}

func openFolder(dir string) (*folder, error) {
	tree, err := worktree.Open(dir)
	if err != nil {
		return nil, err
	}
	f := &folder{tree: tree}
	if err := f.openNotes(); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, errors.Join(err, tree.Close())
	}
	return f, nil
}

// openNotes opens the folder of the notes.
func (f *folder) openNotes() (err error) {
	f.notes, err = f.tree.Folder(Folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		var at *fs.PathError
		errors.As(err, &at)
		err = fmt.Errorf("%s: %w: rename it, or switch notes off (memory_notes_enabled: false)", Folder, at.Err)
	}
	return err
}

// Close releases the project.
func (f *folder) Close() error { return f.tree.Close() }

// in returns the path of a note from the root of the project.
func in(name string) string { return path.Join(Folder, name) }

// make creates the folder of the notes if it is missing.
func (f *folder) make() error {
	if f.notes != nil {
		return nil
	}
	if err := f.tree.MakeFolders(Folder, 0o700); err != nil {
		return err
	}
	return f.openNotes()
}

// open opens a note, as os.OpenFile does.
func (f *folder) open(name string, flag int, perm fs.FileMode) (*os.File, error) {
	if f.notes == nil {
		return nil, &fs.PathError{Op: "open", Path: in(name), Err: fs.ErrNotExist}
	}
	return f.notes.OpenFile(name, flag, perm)
}

// alone calls a function while holding the lock.
func (f *folder) alone(ctx context.Context, run func() error) (err error) {
	file, err := f.open(".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if errors.Is(err, fs.ErrExist) { // another process has just created it
		file, err = f.open(".lock", os.O_RDWR, 0o600)
	}
	if err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	lock := flock.New(filepath.Join(f.tree.Dir, Folder, ".lock"), flock.SetFlag(os.O_RDWR)) // does not create the file
	if _, err := lock.TryLockContext(ctx, lockPause); err != nil {
		return fmt.Errorf("lock %s: %w", in(".lock"), err)
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	return run()
}

// read returns a note, or the last lines of a long one. A missing note is empty.
func (f *folder) read(name string) ([]byte, error) {
	src, cut, err := f.end(name, maxReadBytes)
	if cut {
		_, src, _ = bytes.Cut(src, []byte("\n"))
	}
	return src, err
}

// readAll returns a whole note of a reasonable length.
func (f *folder) readAll(name string) ([]byte, error) {
	const maxBytes = 32 << 20
	src, cut, err := f.end(name, maxBytes)
	if cut {
		err = fmt.Errorf("%s is longer than %d MiB: shorten it", in(name), maxBytes>>20)
	}
	return src, err
}

// end returns the last bytes of a note, and reports whether there are more before them.
func (f *folder) end(name string, maxBytes int64) (src []byte, cut bool, err error) {
	file, err := f.open(name, os.O_RDONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, false, err
	}
	var mark [2]byte
	if n, _ := file.ReadAt(mark[:], 0); n == 2 && (mark == [2]byte{0xff, 0xfe} || mark == [2]byte{0xfe, 0xff}) {
		return nil, false, fmt.Errorf("%s is in UTF-16: save it as UTF-8", in(name))
	}
	from := max(0, info.Size()-maxBytes)
	src, err = io.ReadAll(io.NewSectionReader(file, from, maxBytes))
	return src, from > 0, err
}

// addition returns lines, each ended by a line feed, as they are appended to a text: on a new line,
// with the line ends of the text.
func addition(src []byte, lines string) string {
	if len(src) > 0 && src[len(src)-1] != '\n' {
		lines = "\n" + lines
	}
	if at := bytes.LastIndexByte(src, '\n'); at > 0 && src[at-1] == '\r' {
		lines = strings.ReplaceAll(lines, "\n", "\r\n")
	}
	return lines
}

// add appends lines to a note that was read as src.
func (f *folder) add(name string, src []byte, lines string) error {
	const flags = os.O_APPEND | os.O_WRONLY
	file, err := f.open(name, flags|os.O_CREATE, 0o600)
	if errors.Is(err, fs.ErrExist) { // another process has just created it
		file, err = f.open(name, flags, 0o600)
	}
	if err != nil {
		return err
	}
	_, err = file.WriteString(addition(src, lines))
	return errors.Join(err, file.Close())
}

// note appends a list item to a Markdown note, after a blank line unless it continues a list.
func (f *folder) note(name string, src []byte, line string) error {
	last := bytes.TrimRight(src, "\r\n")
	at := bytes.LastIndexByte(last, '\n') + 1
	if len(last) > 0 && !bytes.HasPrefix(last[at:], []byte("- ")) && !endsWithBlankLine(src) {
		line = "\n" + line
	}
	return f.add(name, src, line+"\n")
}

func endsWithBlankLine(src []byte) bool {
	return bytes.HasSuffix(src, []byte("\n\n")) || bytes.HasSuffix(src, []byte("\n\r\n"))
}

// errMoved is returned if a note has changed since it was read.
var errMoved = errors.New("another program has changed the note meanwhile")

// checkUnchanged returns errMoved if a note is no longer what was read.
func (f *folder) checkUnchanged(name string, src []byte) error {
	now, err := f.readAll(name)
	if err == nil && !bytes.Equal(now, src) {
		err = errMoved
	}
	return err
}

// replace atomically replaces a note that was read as src.
func (f *folder) replace(name string, src, data []byte) error {
	mode := fs.FileMode(0o600)
	switch info, err := f.notes.Lstat(name); {
	case err == nil && !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file: rename it, and a new one is created", in(name))
	case err == nil:
		mode = info.Mode().Perm()
	}
	temp := "." + name + ".new"
	if err := f.notes.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	file, err := f.open(temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err = errors.Join(err, file.Chmod(mode), file.Close()); err == nil {
		err = f.checkUnchanged(name, src)
	}
	if err == nil {
		err = f.notes.Rename(temp, name)
	}
	if err != nil {
		return errors.Join(err, f.notes.Remove(temp))
	}
	return nil
}

// replaceLine replaces a line that this program has written, if it is unchanged and the note is
// a regular file that can be read whole.
func (f *folder) replaceLine(name, was, is string) (done bool, err error) {
	info, err := f.notes.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxReadBytes {
		return false, nil // the change gets a new line
	}
	src, err := f.read(name)
	if err != nil {
		return false, err
	}
	before, behind, found := cutLine(src, was)
	if !found {
		return false, nil
	}
	err = f.replace(name, src, bytes.Join([][]byte{before, []byte(is), behind}, nil))
	if errors.Is(err, errMoved) {
		return false, nil
	}
	return err == nil, err
}

// cutLine cuts a text around the last line that equals another one, without its line end.
func cutLine(src []byte, line string) (before, behind []byte, found bool) {
	for end := len(src); ; {
		at := bytes.LastIndex(src[:end], []byte(line))
		if at < 0 || line == "" {
			return nil, nil, false
		}
		behind = src[at+len(line):]
		if (at == 0 || src[at-1] == '\n') && (len(behind) == 0 || behind[0] == '\n' || bytes.HasPrefix(behind, []byte("\r\n"))) {
			return src[:at], behind, true
		}
		end = at + len(line) - 1
	}
}

package worktree

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"syscall"
	"unicode/utf8"

	"whence/internal/inert"
)

// treeFS is a tree as an fs.FS.
type treeFS struct{ tree *Tree }

// Open opens a regular file for reading.
func (f treeFS) Open(name string) (fs.File, error) {
	p, err := f.tree.lookup("open", name, followLast, 0)
	if err != nil {
		return nil, err
	}
	file, err := openRegular(p.folder.root, p.base, os.O_RDONLY, 0)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: cause(err)}
	}
	return file, nil
}

// Stat describes the file that a name leads to.
func (f treeFS) Stat(name string) (fs.FileInfo, error) {
	p, err := f.tree.lookup("stat", name, followLast, 0)
	return p.info, err
}

// Lstat describes a file, or a link itself.
func (f treeFS) Lstat(name string) (fs.FileInfo, error) {
	p, err := f.tree.lookup("lstat", name, keepLast, 0)
	return p.info, err
}

// ReadLink reads a symbolic link.
func (f treeFS) ReadLink(name string) (string, error) {
	p, err := f.tree.lookup("readlink", name, keepLast, 0)
	if err != nil {
		return "", err
	}
	return p.folder.root.Readlink(p.base)
}

// ReadDir lists a folder, sorted. It omits .git and, in a strict tree, links. A git directory is empty.
func (f treeFS) ReadDir(name string) ([]fs.DirEntry, error) {
	p, err := f.tree.lookup("readdir", name, enterLast, 0)
	if errors.Is(err, ErrGit) || err == nil && p.folder.isGit {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	entries, err := fs.ReadDir(p.folder.root.FS(), ".")
	if err != nil {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: cause(err)}
	}
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		return isGit(e.Name()) || f.tree.strict && e.Type()&fs.ModeSymlink != 0
	}), nil
}

// MaxTextBytes is the maximum size of a text. People write the texts that are read here, so a larger file is a mistake
// or an attack.
const MaxTextBytes = 4 << 20

// ErrFolder is returned for a folder in place of a text file.
var ErrFolder = errors.New("is a folder")

// TextError says why a file cannot be read as text, and what to do.
type TextError struct {
	Name           string
	Line           int // 0: it is not about a line
	Reason, Remedy string
	Err            error // the cause, if callers distinguish errors by it
}

// Error returns the name of the file, the reason and the remedy in one line.
func (e *TextError) Error() string {
	shown := inert.Path(e.Name)
	if e.Line > 0 {
		shown += fmt.Sprintf(":%d", e.Line)
	}
	if e.Remedy == "" {
		return shown + ": " + e.Reason
	}
	return shown + " " + e.Reason + ": " + e.Remedy
}

// Unwrap returns the cause.
func (e *TextError) Unwrap() error { return e.Err }

// putText is the remedy if something else is in the place of a text file.
const putText = "put a text file in its place"

// ReadText reads a UTF-8 text file. An error is a [*TextError]; for a missing file, it wraps fs.ErrNotExist.
func ReadText(tree fs.FS, name string) ([]byte, error) {
	info, err := fs.Stat(tree, name) // before opening: a pipe would block
	if err != nil {
		return nil, explain(tree, name, err)
	}
	if info.IsDir() {
		return nil, &TextError{Name: name, Reason: ErrFolder.Error(), Remedy: putText, Err: ErrFolder}
	}
	if !info.Mode().IsRegular() {
		return nil, &TextError{Name: name, Reason: "is not a regular file", Remedy: putText}
	}
	file, err := tree.Open(name)
	if err != nil {
		return nil, explain(tree, name, err)
	}
	defer file.Close()
	var src bytes.Buffer
	src.Grow(int(min(info.Size(), MaxTextBytes)) + bytes.MinRead) // otherwise it would be read in many small pieces
	if _, err := src.ReadFrom(io.LimitReader(file, MaxTextBytes+1)); err != nil {
		return nil, explain(tree, name, err)
	}
	if src.Len() > MaxTextBytes {
		return nil, &TextError{Name: name, Reason: fmt.Sprintf("is larger than %d MB", MaxTextBytes>>20), Remedy: "split it"}
	}
	return src.Bytes(), checkText(name, src.Bytes())
}

// explain rewords an error of the tree for users. A link that cannot be followed exists, so it does not count as a
// missing file.
func explain(tree fs.FS, name string, err error) error {
	err = cause(err)
	if info, failed := fs.Lstat(tree, name); failed == nil && info.Mode()&fs.ModeSymlink != 0 {
		return &TextError{Name: name, Reason: fmt.Sprintf("is a symbolic link that cannot be followed (%v)", err), Remedy: putText + ", or remove it"}
	}
	if errors.Is(err, fs.ErrPermission) {
		return &TextError{Name: name, Reason: fmt.Sprintf("cannot be read (%v)", err), Remedy: "check who may read it", Err: err}
	}
	if errors.Is(err, syscall.ENOTDIR) { // a parent is a file
		err = fs.ErrNotExist
	}
	return &TextError{Name: name, Reason: err.Error(), Err: err}
}

// checkText returns an error for the first line that is not UTF-8 or has a NUL byte, and for a text with carriage
// returns but no line feeds.
func checkText(name string, src []byte) error {
	const advice = "save it as UTF-8 text with LF or CRLF line ends"
	number := 0
	for line := range bytes.Lines(src) {
		number++
		if bytes.IndexByte(line, 0) >= 0 {
			return &TextError{Name: name, Line: number, Reason: "holds a NUL byte", Remedy: advice}
		}
		if !utf8.Valid(line) {
			return &TextError{Name: name, Line: number, Reason: "is not UTF-8", Remedy: advice}
		}
	}
	if bytes.IndexByte(src, '\r') >= 0 && bytes.IndexByte(src, '\n') < 0 {
		return &TextError{Name: name, Line: 1, Reason: "has bare carriage returns as line ends", Remedy: advice}
	}
	return nil
}

// ReadBeginning returns at most the first maxBytes of a regular file; "" if it cannot be read. It opens neither pipes
// nor devices, since they could block.
func ReadBeginning(tree fs.FS, name string, maxBytes int64) string {
	if info, err := fs.Stat(tree, name); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	file, err := tree.Open(name)
	if err != nil {
		return ""
	}
	defer file.Close()
	src, _ := io.ReadAll(io.LimitReader(file, maxBytes))
	return string(src)
}

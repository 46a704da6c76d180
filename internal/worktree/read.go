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

	"whence/internal/text"
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

// ReadDir lists a folder, sorted, without git directories, and in a strict tree without links. A git
// directory is empty.
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

// MaxTextBytes is the maximum size of a text: people write what is read here, so a larger
// file is a mistake, or an attack.
const MaxTextBytes = 4 << 20

// ErrFolder is returned for a folder.
var ErrFolder = errors.New("is a folder: put a text file in its place")

// ReadText reads a UTF-8 text file. An error is one line that begins with the file's name
// and ends with what to do; a missing file is fs.ErrNotExist.
func ReadText(tree fs.FS, name string) ([]byte, error) {
	info, err := fs.Stat(tree, name) // before opening: a pipe would block
	if err != nil {
		return nil, explain(tree, name, err)
	}
	if info.IsDir() {
		return nil, fmt.Errorf("%s %w", text.ShownPath(name), ErrFolder)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file: put a text file in its place", text.ShownPath(name))
	}
	file, err := tree.Open(name)
	if err != nil {
		return nil, explain(tree, name, err)
	}
	defer file.Close()
	var src bytes.Buffer
	src.Grow(int(min(info.Size(), MaxTextBytes)) + bytes.MinRead) // else it is read in many small pieces
	if _, err := src.ReadFrom(io.LimitReader(file, MaxTextBytes+1)); err != nil {
		return nil, explain(tree, name, err)
	}
	if src.Len() > MaxTextBytes {
		return nil, fmt.Errorf("%s is larger than %d MB: split it", text.ShownPath(name), MaxTextBytes>>20)
	}
	return src.Bytes(), checkText(name, src.Bytes())
}

// explain rewords an error of the tree for users. A file behind a link that leads nowhere is there, so it does not
// count as missing.
func explain(tree fs.FS, name string, err error) error {
	err = cause(err)
	shown := text.ShownPath(name)
	if info, failed := fs.Lstat(tree, name); failed == nil && info.Mode()&fs.ModeSymlink != 0 {
		return fmt.Errorf("%s is a symbolic link that cannot be followed (%v): put a text file in its place, or remove it", shown, err)
	}
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%s cannot be read (%w): check who may read it", shown, err)
	}
	if errors.Is(err, syscall.ENOTDIR) { // a parent is a file
		err = fs.ErrNotExist
	}
	return fmt.Errorf("%s: %w", shown, err)
}

// checkText returns an error with the first line that is not UTF-8 text with line feeds.
func checkText(name string, src []byte) error {
	const advice = "save it as UTF-8 text with LF or CRLF line ends"
	number := 0
	name = text.ShownPath(name)
	for line := range bytes.Lines(src) {
		number++
		if bytes.IndexByte(line, 0) >= 0 {
			return fmt.Errorf("%s:%d holds a NUL byte: %s", name, number, advice)
		}
		if !utf8.Valid(line) {
			return fmt.Errorf("%s:%d is not UTF-8: %s", name, number, advice)
		}
	}
	if bytes.IndexByte(src, '\r') >= 0 && bytes.IndexByte(src, '\n') < 0 {
		return fmt.Errorf("%s:1 has bare carriage returns as line ends: %s", name, advice)
	}
	return nil
}

// ReadBeginning returns the first bytes of a regular file, at most maxBytes; "" if it cannot be read.
// It opens neither pipes nor devices, which could block.
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

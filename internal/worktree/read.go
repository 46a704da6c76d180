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
)

// treeFS is a tree as an fs.FS.
type treeFS struct{ tree *Tree }

// Open opens a file or a folder for reading.
func (f treeFS) Open(name string) (file fs.File, err error) {
	err = Retry(func() error {
		file, err = f.open(name)
		return err
	})
	return file, err
}

func (f treeFS) open(name string) (fs.File, error) {
	p, err := f.tree.lookup("open", name, followAll)
	if err != nil {
		return nil, err
	}
	file, err := p.open(os.O_RDONLY, 0)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return file, nil
}

// open opens a file or folder if it is still the one that was looked up.
func (p target) open(flag int, perm fs.FileMode) (*os.File, error) {
	if !p.info.Mode().IsRegular() && !p.info.IsDir() { // a pipe would block
		return nil, errors.New("it is not a regular file")
	}
	file, err := p.folder.root.OpenFile(p.base, flag, perm)
	if err != nil {
		return nil, cause(err)
	}
	now, err := file.Stat()
	if err == nil && !os.SameFile(now, p.info) {
		err = ErrChanged
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// cause returns an error without its path.
func cause(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// Stat describes the file that a name leads to.
func (f treeFS) Stat(name string) (fs.FileInfo, error) {
	p, err := f.tree.lookup("stat", name, followAll)
	return p.info, err
}

// Lstat describes a file, or a link itself.
func (f treeFS) Lstat(name string) (fs.FileInfo, error) {
	p, err := f.tree.lookup("lstat", name, followParents)
	return p.info, err
}

// ReadLink reads a symbolic link.
func (f treeFS) ReadLink(name string) (string, error) {
	p, err := f.tree.lookup("readlink", name, followParents)
	if err != nil {
		return "", err
	}
	target, err := p.folder.root.Readlink(p.base)
	if err != nil {
		return "", &fs.PathError{Op: "readlink", Path: name, Err: cause(err)}
	}
	return target, nil
}

// ReadDir lists a folder, sorted, without git directories, and in a strict tree without links. A git
// directory is empty.
func (f treeFS) ReadDir(name string) (entries []fs.DirEntry, err error) {
	err = Retry(func() error {
		entries, err = f.readDir(name)
		return err
	})
	return entries, err
}

func (f treeFS) readDir(name string) ([]fs.DirEntry, error) {
	p, err := f.tree.lookup("readdir", name, followAll)
	if errors.Is(err, ErrGit) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	folder, err := f.tree.enter(p)
	if err == nil && folder.isGit {
		return nil, nil
	}
	var entries []fs.DirEntry
	if err == nil {
		entries, err = fs.ReadDir(folder.root.FS(), ".")
	}
	if err != nil {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: cause(err)}
	}
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		return isGit(e.Name()) || f.tree.strict && e.Type()&fs.ModeSymlink != 0
	}), nil
}

// MaxTextBytes is the maximum size of a text: people write what is read here, so a larger
// file is a mistake.
const MaxTextBytes = 32 << 20

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
		return nil, fmt.Errorf("%s %w", name, ErrFolder)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file: put a text file in its place", name)
	}
	file, err := tree.Open(name)
	if err != nil {
		return nil, explain(tree, name, err)
	}
	defer file.Close()
	var src bytes.Buffer
	src.Grow(int(min(info.Size(), MaxTextBytes)) + bytes.MinRead)
	if _, err := src.ReadFrom(io.LimitReader(file, MaxTextBytes+1)); err != nil {
		return nil, explain(tree, name, err)
	}
	if src.Len() > MaxTextBytes {
		return nil, fmt.Errorf("%s is larger than %d MB: split it", name, MaxTextBytes>>20)
	}
	return src.Bytes(), checkText(name, src.Bytes())
}

// explain rewords an error of the tree for users.
func explain(tree fs.FS, name string, err error) error {
	err = cause(err)
	_, linkError := fs.ReadLink(tree, name)
	isLink := linkError == nil
	if isLink && errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is a symbolic link to nothing: restore its target or remove the link", name)
	}
	if isLink {
		return fmt.Errorf("%s is a symbolic link that cannot be followed (%w): it must stay inside the repository", name, err)
	}
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%s cannot be read (%w): check who may read it", name, err)
	}
	if errors.Is(err, syscall.ENOTDIR) { // a parent is a file
		err = fs.ErrNotExist
	}
	return fmt.Errorf("%s: %w", name, err)
}

// checkText returns an error with the first line that is not UTF-8 text with line feeds.
func checkText(name string, src []byte) error {
	at, what := bytes.IndexByte(src, 0), "holds a NUL byte"
	if at < 0 && !utf8.Valid(src) {
		at, what = firstInvalid(src), "is not UTF-8"
	}
	if at < 0 && bytes.IndexByte(src, '\n') < 0 {
		at, what = bytes.IndexByte(src, '\r'), "has bare carriage returns as line ends"
	}
	if at < 0 {
		return nil
	}
	line := 1 + bytes.Count(src[:at], []byte{'\n'})
	return fmt.Errorf("%s:%d %s: save it as UTF-8 text with LF or CRLF line ends", name, line, what)
}

func firstInvalid(src []byte) int {
	for at := 0; at < len(src); {
		r, size := utf8.DecodeRune(src[at:])
		if r == utf8.RuneError && size == 1 {
			return at
		}
		at += size
	}
	return len(src)
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
